import { z } from 'zod'
import { Fact } from '../generated/prisma/enums.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { query } from '../kit/schema/query.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer, jsonObject, maxPoints, moment, oneOf, reference } from '../kit/validation.ts'
import { findUserBy, UserBy } from '../users/end-user.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoal } from './goal.ts'
import { GoalBy } from './goal-input.ts'
import { type MadeUpEntry, simulateFact } from './simulation.sql.ts'
import { type Preview, previewGoal } from './simulation.ts'

const SimulatedFact = z
  .object({
    fact: oneOf('Fact', Fact).describe('What it proves.'),
    eventType: reference().describe('Its event type.'),
    points: integer(0, maxPoints).nullish().describe('Points that it earned. Defaults to 0.'),
    campaignId: nodeId('Campaign').nullish().describe('The campaign that it belongs to.'),
    metadata: jsonObject()
      .nullish()
      .describe('Its metadata. That of a play has a `gameType`: `{"gameType":"NEON_WHEEL"}`.'),
  })
  .meta({ graphql: 'SimulatedFactInput' })
  .describe('A fact that did not happen.')

type Counted = Awaited<ReturnType<typeof simulateFact>>[number]

const SimulatedTaskRef = builder.objectRef<Counted>('SimulatedTask').implement({
  description: 'What a fact would count for a task.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'What users read about it.' }),
    amount: t.exposeFloat('amount', {
      nullable: true,
      description: 'What it would add; null if it does not match the measure.',
    }),
    windowStart: t.exposeString('windowStart', {
      nullable: true,
      description:
        'The first date of the window in which it would count; null if it would not: it was before the goal counts, after its end, or too late, or the user has not joined.',
    }),
  }),
})

/** The line of the timeline that a fact would be. A play that cost points is a play, whatever it won. */
const entryOf = (
  { fact, eventType, points, campaignId, metadata }: z.output<typeof SimulatedFact>,
  userId: UserId,
  at: Date,
  now: Date,
): MadeUpEntry => {
  const earned = points ?? 0
  const isOfCaller = fact === 'ACTIVITY'
  return {
    user_id: userId,
    fact,
    event_type: eventType,
    category: campaignId == null ? 'CUSTOM' : 'CAMPAIGN',
    source_id: campaignId ?? null,
    points: fact === 'GAME_WON' ? earned - 1 : earned,
    earned: isOfCaller ? null : earned,
    metadata: metadata ?? null,
    occurred_at: at,
    recorded_at: now,
  }
}

query([GoalRef, 'simulatedFact'], {
  description:
    'What a fact of a user would count for each task, without writing anything; null if there is no such user. A draft is looked at as if it started now.',
  key: 'secret',
  args: z.object({
    user: UserBy.describe('The user.'),
    fact: SimulatedFact.describe('The fact.'),
    at: moment().nullish().describe('When it happened. Defaults to now.'),
  }),
  type: [SimulatedTaskRef],
  nullable: true,
  resolve: async ({ user: by, fact, at }, ctx, caller, goal) => {
    const user = await findUserBy(ctx, caller, by)
    if (!user) return null
    const now = ctx.clock()
    const userId = user.id as UserId
    return simulateFact(ctx.db, goal.id, userId, entryOf(fact, userId, at ?? now, now), now)
  },
})

const PreviewAccuracyRef = enumType(
  'PreviewAccuracy',
  'Whether a preview has looked at all users.',
  {
    EXACT: 'It has.',
    AT_LEAST: 'It has looked at the 10,000 who were seen last, or for five seconds.',
  },
)

const GoalPreviewRef = builder.objectRef<Preview>('GoalPreview').implement({
  description: 'What a goal would have done.',
  fields: (t) => ({
    checkedUserCount: t.exposeInt('checked', { description: 'Users that were looked at.' }),
    userCount: t.exposeInt('users', { description: 'Users who would have completed it.' }),
    completionCount: t.exposeInt('completions', { description: 'How often, in all.' }),
    accuracy: t.field({
      type: PreviewAccuracyRef,
      description: 'Whether these are all users.',
      resolve: ({ isComplete }) => (isComplete ? 'EXACT' : 'AT_LEAST'),
    }),
  }),
})

const dayMs = 86_400_000

query('previewGoal', {
  description:
    'How many users would have completed a goal if it had started earlier. Conditions on users are looked at as they are now. Nothing is written.',
  key: 'secret',
  args: z.object({
    by: GoalBy,
    since: moment().nullish().describe('When it would have started. Defaults to 30 days ago.'),
  }),
  type: GoalPreviewRef,
  nullable: true,
  complexity: 500,
  resolve: async ({ by, since }, ctx, caller) => {
    const goal = await findGoal(ctx, caller, by)
    return goal && previewGoal(ctx, goal, since ?? new Date(ctx.clock().getTime() - 30 * dayMs))
  },
})
