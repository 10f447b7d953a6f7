/** What a change of a game would cost, at the number of plays of the last day. */
import { z } from 'zod'
import {
  expectedWorthOf,
  largestWorthOf,
  unknownWorthOf,
  type WeightedReward,
} from '../games/game.rules.ts'
import { findAnyMechanic, SetGame } from '../games/mechanic.ts'
import type { Context } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { type LaunchIssue, LaunchIssueRef } from '../kit/schema/launch-issue.ts'
import { query } from '../kit/schema/query.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { answerSeries } from './analytics.graphql.ts'

/** A game with the plays of the last day. */
type Economy = { price: number; rewards: WeightedReward[]; dailyPlayCount: number }

type GamePreview = {
  before: Economy | null
  after: Economy
  dailyPlayCount: number
  issues: LaunchIssue[]
}

const EconomyRef = builder.objectRef<Economy>('GameEconomy').implement({
  description: 'What plays of a game cost, and what their rewards are worth, in points.',
  fields: (t) => ({
    price: t.exposeInt('price', { description: 'Points that a play costs.' }),
    expectedWorth: t.float({
      description:
        'What the rewards of a play are worth on average, in points. Those of `unknownWorthLabels` count as 0.',
      resolve: ({ rewards }) => expectedWorthOf(rewards),
    }),
    largestWorth: t.int({
      description:
        'What the best reward is worth, in points; 0 if no reward is known to be worth anything.',
      resolve: ({ rewards }) => largestWorthOf(rewards).worth,
    }),
    largestWorthRate: t.float({
      description: 'Share of plays that win `largestWorth`, 0 to 1.',
      resolve: ({ rewards }) => largestWorthOf(rewards).rate,
    }),
    unknownWorthLabels: t.stringList({
      description:
        'The rewards that a play can win and whose worth is not known: not points, and without `worthPoints`.',
      resolve: ({ rewards }) => unknownWorthOf(rewards).map(({ label }) => label),
    }),
    dailyWorth: t.float({
      description:
        'What the rewards of the plays of a day are worth on average, in points, at `dailyPlayCount` plays.',
      resolve: ({ rewards, dailyPlayCount }) => expectedWorthOf(rewards) * dailyPlayCount,
    }),
    dailyPrice: t.field({
      type: 'SafeInt',
      description: 'Points that the plays of a day cost, at `dailyPlayCount` plays.',
      resolve: ({ price, dailyPlayCount }) =>
        Math.min(price * dailyPlayCount, Number.MAX_SAFE_INTEGER),
    }),
  }),
})

const GamePreviewRef = builder.objectRef<GamePreview>('GamePreview').implement({
  description: 'A game before and after a change.',
  fields: (t) => ({
    before: t.expose('before', {
      type: EconomyRef,
      nullable: true,
      description: 'The game as it is; null if it is not set up.',
    }),
    after: t.expose('after', { type: EconomyRef, description: 'The game after the change.' }),
    dailyPlayCount: t.expose('dailyPlayCount', {
      type: 'SafeInt',
      description: 'Plays of the game in this hour and the 23 hours before it.',
    }),
    issues: t.expose('issues', {
      type: [LaunchIssueRef],
      description: 'What to know before the change; empty if all is well.',
    }),
  }),
})

const hourMs = 3_600_000

const countDailyPlays = async (ctx: Context, tenant: Tenant, gameType: string): Promise<number> => {
  const now = ctx.clock()
  const [plays] = await answerSeries(ctx, tenant, {
    metrics: ['PLAYS'],
    from: new Date(now.getTime() - 23 * hourMs),
    to: new Date(now.getTime() + 1),
    interval: 'HOUR',
    filter: { dimension: 'GAME_TYPE', values: [gameType] },
  })
  return Number(plays?.total ?? 0)
}

const issuesOf = ({ price, rewards }: Economy): LaunchIssue[] =>
  price > 0 && expectedWorthOf(rewards) > price
    ? [
        {
          severity: 'WARNING',
          code: 'PAYS_MORE_THAN_PRICE',
          message: 'A play wins more than it costs, on average.',
        },
      ]
    : []

query('previewGame', {
  description:
    'What a change of a game would cost: the odds before and after it, at the number of plays of the last day. Writes nothing.',
  key: 'secret',
  args: z.object({
    game: SetGame.meta({ graphql: 'GameSettingsInput' }).describe('The game after the change.'),
  }),
  type: GamePreviewRef,
  resolve: async ({ game: { gameType, price, rewards } }, ctx, caller) => {
    const tenant = tenantOf(caller)
    const [game, dailyPlayCount] = await Promise.all([
      findAnyMechanic(ctx, { ...tenant, gameType }),
      countDailyPlays(ctx, tenant, gameType),
    ])
    const after = { price, rewards, dailyPlayCount }
    const before = game && {
      price: game.pointsToUnlock,
      rewards: game.rewards as WeightedReward[],
      dailyPlayCount,
    }
    return { before, after, dailyPlayCount, issues: issuesOf(after) }
  },
})
