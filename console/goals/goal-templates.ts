/** Goals to begin with. */
import type { CreateGoalInput, Fact } from '../generated/types.ts'
import type { goalTemplateTexts } from '../texts/goals-texts.ts'

export type GoalTemplate = keyof typeof goalTemplateTexts

const anything: Fact[] = ['POINTS_AWARDED', 'ACTIVITY', 'GAME_PLAYED']

/** What a new goal asks. */
export const goalTemplates: Record<GoalTemplate, Omit<CreateGoalInput, 'name' | 'slug'>> = {
  points: {
    window: 'EVER',
    repeat: 'ONCE',
    tasks: [{ target: 500, measure: { facts: ['POINTS_AWARDED'], of: 'POINTS' } }],
  },
  plays: {
    window: 'WEEK',
    repeat: 'EACH_WINDOW',
    tasks: [{ target: 5, measure: { facts: ['GAME_PLAYED'] } }],
  },
  days: {
    window: 'WEEK',
    repeat: 'EACH_WINDOW',
    tasks: [{ target: 3, measure: { facts: anything, of: 'DAYS' } }],
  },
  friends: {
    window: 'EVER',
    repeat: 'UNLIMITED',
    tasks: [{ target: 1, measure: { facts: ['REFERRAL_MADE'] } }],
  },
  challenge: {
    joinMode: 'OPT_IN',
    timeLimitHours: 72,
    repeat: 'ONCE',
    tasks: [{ target: 3, measure: { facts: ['GAME_PLAYED'] } }],
  },
}
