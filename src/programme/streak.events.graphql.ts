import type { Context } from '../kit/access/context.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { enumType } from '../kit/schema/input.ts'
import { idOfEventUser, userOfEvent } from '../users/end-user.graphql.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'
import {
  type restoreReasons,
  streakAtRisk,
  streakBroken,
  streakMilestone,
  streakRestored,
} from './streak.events.ts'

const StreakRestoreReasonRef = enumType<(typeof restoreReasons)[number]>(
  'StreakRestoreReason',
  'Why a streak that was broken goes on.',
  {
    RESTORED: 'You restored it.',
    LATE_FACT: 'What happened in time was recorded later.',
  },
)

const goal = {
  type: GoalRef,
  nullable: true as const,
  description: 'The goal.',
  resolve: ({ goalId }: { goalId: string }, _: unknown, ctx: Context) =>
    load(ctx, findGoals, goalId),
}

const slug = { description: 'Your name of the goal.' }
const length = { description: 'Met windows of the run.' }
const longest = { description: 'Met windows of the longest run.' }
const freezes = { description: 'Freezes that the user has.' }
const windowStart = { description: 'The first date of the window, in the time zone of the user.' }

eventType(streakMilestone, 'StreakMilestoneEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who has reached it.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  length: t.exposeInt('length', length),
  longest: t.exposeInt('longest', longest),
  freezes: t.exposeInt('freezes', freezes),
  milestone: t.exposeInt('milestone', { description: 'The length that was reached.' }),
  reachedOn: t.exposeString('reachedOn', windowStart),
  round: t.exposeInt('round', {
    description: '1, and one more each time it was reached again after a reversal.',
  }),
}))

eventType(streakAtRisk, 'StreakAtRiskEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose streak it is.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  length: t.exposeInt('length', length),
  longest: t.exposeInt('longest', longest),
  freezes: t.exposeInt('freezes', freezes),
  windowStart: t.exposeString('windowStart', windowStart),
  deadline: t.field({
    type: 'DateTime',
    description: 'Until when it has to be met.',
    resolve: ({ deadline }) => new Date(deadline),
  }),
}))

eventType(streakBroken, 'StreakBrokenEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose streak it was.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  length: t.exposeInt('length', length),
  longest: t.exposeInt('longest', longest),
  freezes: t.exposeInt('freezes', freezes),
  windowStart: t.exposeString('windowStart', windowStart),
  lostLength: t.exposeInt('lostLength', { description: 'Met windows of the lost run.' }),
}))

eventType(streakRestored, 'StreakRestoredEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user whose streak it is.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  length: t.exposeInt('length', length),
  longest: t.exposeInt('longest', longest),
  freezes: t.exposeInt('freezes', freezes),
  restoreReason: t.expose('reason', {
    type: StreakRestoreReasonRef,
    description: 'Why it goes on.',
  }),
}))
