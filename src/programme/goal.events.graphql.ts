import type { Context } from '../kit/access/context.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { idOfEventUser, userOfEvent } from '../users/end-user.graphql.ts'
import { goalCompleted, goalJoined, goalRevoked } from './goal.events.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'

const goal = {
  type: GoalRef,
  nullable: true as const,
  description: 'The goal.',
  resolve: ({ goalId }: { goalId: string }, _: unknown, ctx: Context) =>
    load(ctx, findGoals, goalId),
}

const slug = { description: 'Your name of the goal.' }
const windowStart = {
  description: 'The first date of the window, in the time zone of the user; 1970-01-01 for EVER.',
}
const number = { description: '1, 2, 3, … in its window.' }
const round = { description: '1, and one more each time it was completed again after a reversal.' }

eventType(goalJoined, 'GoalJoinedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who takes part.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  windowStart: t.exposeString('windowStart', windowStart),
  endsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'The deadline; null if there is none.',
    resolve: ({ endsAt }) => (endsAt === undefined ? null : new Date(endsAt)),
  }),
}))

eventType(goalCompleted, 'GoalCompletedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who has completed it.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  windowStart: t.exposeString('windowStart', windowStart),
  number: t.exposeInt('number', number),
  round: t.exposeInt('round', round),
}))

eventType(goalRevoked, 'GoalRevokedEventData', (t) => ({
  externalId: t.exposeString('userId', idOfEventUser),
  user: t.field(userOfEvent('The user who had completed it.', ({ userId }) => userId)),
  goal: t.field(goal),
  slug: t.exposeString('slug', slug),
  windowStart: t.exposeString('windowStart', windowStart),
  number: t.exposeInt('number', number),
  round: t.exposeInt('round', round),
  keepsRewards: t.exposeBoolean('keepsRewards', {
    description: 'Whether the user keeps its rewards.',
  }),
}))
