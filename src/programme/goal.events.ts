import { z } from 'zod'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

const goal = {
  goalId: z.uuid(),
  slug: z.string().describe('Your name of the goal.'),
  userId: announcedId(),
  windowStart: z
    .string()
    .describe('The first date of the window, in the time zone of the user; 1970-01-01 for EVER.'),
}

const completion = {
  ...goal,
  completionId: z.uuid(),
  number: z.int().describe('1, 2, 3, … in its window.'),
  round: z.int().describe('1, and one more each time it was completed again after a reversal.'),
}

const example = {
  goalId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c90',
  slug: 'three-plays-a-day',
  userId: 'alice',
  windowStart: '2026-01-31',
}

const ofCompletion = {
  ...example,
  completionId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c91',
  number: 1,
  round: 1,
}

const at = '2026-01-31T12:00:00.000Z'

export const goalJoined = defineEvent('goal.joined', {
  description: 'A user takes part in a goal.',
  data: z.object({
    ...goal,
    joinedAt: z.iso.datetime(),
    endsAt: z.iso.datetime().optional().describe('The deadline; omitted if there is none.'),
  }),
  personal: ['userId'],
  example: { ...example, joinedAt: at, endsAt: '2026-02-02T12:00:00.000Z' },
})

export const goalCompleted = defineEvent('goal.completed', {
  description:
    'A user has completed a goal. Its rewards are grants, which have events of their own.',
  data: z.object({ ...completion, completedAt: z.iso.datetime() }),
  personal: ['userId'],
  example: { ...ofCompletion, completedAt: at },
})

export const goalRevoked = defineEvent('goal.revoked', {
  description: 'A reversal took back what completed a goal.',
  data: z.object({
    ...completion,
    keepsRewards: z.boolean().describe('Whether the user keeps its rewards.'),
    revokedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: { ...ofCompletion, keepsRewards: false, revokedAt: at },
})
