import { z } from 'zod'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const streak = {
  goalId: z.uuid(),
  slug: z.string().describe('Your name of the goal.'),
  userId: announcedId(),
  length: z.int().describe('Met windows of the run.'),
  longest: z.int().describe('Met windows of the longest run.'),
  freezes: z.int().describe('Freezes that the user has.'),
}

const windowStart = z
  .string()
  .describe('The first date of the window, in the time zone of the user.')

const example = {
  goalId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c92',
  slug: 'daily-streak',
  userId: 'alice',
  length: 7,
  longest: 12,
  freezes: 1,
}

export const streakMilestone = defineEvent('streak.milestone', {
  description:
    'A user has reached a milestone of a streak, once in a run. Its reward is a grant, which has events of its own.',
  data: z.object({
    ...streak,
    milestoneId: z.uuid(),
    milestone: z.int().describe('The length that was reached.'),
    reachedOn: windowStart,
    round: z.int().describe('1, and one more each time it was reached again after a reversal.'),
  }),
  personal: ['userId'],
  example: {
    ...example,
    milestoneId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c93',
    milestone: 7,
    reachedOn: '2026-01-31',
    round: 1,
  },
})

export const streakAtRisk = defineEvent('streak.at_risk', {
  description: 'The present window of a streak ends soon, and was not met yet. Once a window.',
  data: z.object({ ...streak, windowStart, deadline: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...example, windowStart: '2026-01-31', deadline: '2026-01-31T23:00:00.000Z' },
})

export const streakBroken = defineEvent('streak.broken', {
  description: 'A window was missed, and no freeze was left.',
  data: z.object({
    ...streak,
    windowStart,
    lostLength: z.int().describe('Met windows of the lost run.'),
  }),
  personal: ['userId'],
  example: { ...example, length: 0, windowStart: '2026-01-31', lostLength: 7 },
})

/** Why a broken streak goes on. */
export const restoreReasons = ['RESTORED', 'LATE_FACT'] as const

export const streakRestored = defineEvent('streak.restored', {
  description: 'A streak that was broken goes on with its length.',
  data: z.object({
    ...streak,
    reason: z
      .enum(restoreReasons)
      .describe('RESTORED by you, or LATE_FACT: what happened in time was recorded later.'),
  }),
  personal: ['userId'],
  example: { ...example, reason: 'LATE_FACT' },
})
