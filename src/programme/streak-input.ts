/** The input of what makes a goal a streak. */
import { z } from 'zod'
import { integer, oneOf } from '../kit/validation.ts'
import { RewardBy } from './reward.ts'

/** Weekdays by their names, 1 for Monday to 7 for Sunday as the database has them. */
export const weekdays = {
  MONDAY: 'MONDAY',
  TUESDAY: 'TUESDAY',
  WEDNESDAY: 'WEDNESDAY',
  THURSDAY: 'THURSDAY',
  FRIDAY: 'FRIDAY',
  SATURDAY: 'SATURDAY',
  SUNDAY: 'SUNDAY',
} as const

export type Weekday = keyof typeof weekdays

/** The most milestones of a streak. */
const maxMilestones = 20

const StreakFreezes = z
  .object({
    initial: integer(0, 30)
      .nullish()
      .describe('Freezes that come with the first met window of a run. Defaults to 0.'),
    max: integer(0, 30)
      .nullish()
      .describe('The most freezes that a user has at a time. Defaults to 5.'),
    everyDays: integer(1, 366)
      .nullish()
      .describe('Another freeze for each of so many met windows of a run. None by default.'),
  })
  .superRefine(({ initial, max }, ctx) => {
    if ((initial ?? 0) <= (max ?? defaultMaxFreezes)) return
    ctx.addIssue({ code: 'custom', path: ['initial'], message: 'must not be more than max' })
  })
  .meta({ graphql: 'StreakFreezesInput' })
  .describe('Freezes: each covers one window that a user misses.')

export const defaultMaxFreezes = 5

const StreakMilestone = z
  .object({
    length: integer(1, 10_000).describe('The number of met windows.'),
    reward: RewardBy.describe('The reward of this length, by id or slug.'),
  })
  .meta({ graphql: 'StreakMilestoneInput' })
  .describe('A length of a streak that gives something, once in a run.')

export const GoalStreak = z
  .object({
    freezes: StreakFreezes.nullish().describe('Freezes that users get. None by default.'),
    weekdays: z
      .array(oneOf('Weekday', weekdays))
      .max(7, 'must be at most 7 weekdays')
      .nullish()
      .describe('The weekdays that are required, of DAY only. All by default.'),
    restoreDays: integer(0, 30)
      .nullish()
      .describe('Days after a break within which you can restore it. Defaults to 3.'),
    atRiskHours: integer(1, 72)
      .nullish()
      .describe('Hours before its deadline from which on a streak is at risk. Defaults to 6.'),
    milestones: z
      .array(StreakMilestone)
      .max(maxMilestones, `must be at most ${maxMilestones} milestones`)
      .nullish()
      .describe('Lengths that give something, at most 20.'),
  })
  .superRefine(({ milestones }, ctx) => {
    const lengths = (milestones ?? []).map(({ length }) => length)
    if (new Set(lengths).size === lengths.length) return
    const message = 'must have each length once'
    ctx.addIssue({ code: 'custom', path: ['milestones'], message })
  })
  .meta({ graphql: 'GoalStreakInput' })
  .describe('Makes a goal a streak: its windows are to be met one after another.')

export type NewStreak = z.output<typeof GoalStreak>
