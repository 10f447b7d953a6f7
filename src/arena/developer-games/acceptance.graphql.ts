/** Members accept games whose prize pools hold points of several partners. */
import { z } from 'zod'
import { isGoodCaller } from '../../kit/access/context.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { isSet } from '../../kit/schema/filters.ts'
import { list } from '../../kit/schema/list.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { whereOwn } from '../../kit/schema/owner.ts'
import { rows } from '../../kit/schema/rows.ts'
import { flag } from '../../kit/validation.ts'
import { liveTenant } from '../live-only.ts'
import {
  AcceptArenaGame,
  acceptArenaGame,
  acceptancesWithGames,
  findAcceptances,
  findTodaysFlows,
  isInForce,
  WithdrawArenaAcceptance,
  withdrawArenaAcceptance,
} from './acceptance.ts'
import { ArenaResultPolicyRef, PublicArenaGameRef, revenueRate } from './game.graphql.ts'
import { arenaGameIdOf } from './game-key.ts'

const ArenaAcceptanceRef = builder.prismaNode('ArenaAcceptance', {
  description:
    "A partner's acceptance of a game whose prize pools hold points of several partners. It covers the terms at the time of acceptance.",
  id: { field: 'id' },
  nullable: true,
  include: { game: true },
  findUnique: (id, ctx) => ({ id, ...whereOwn(ctx, 'ARENA_READ') }),
  fields: (t) => ({
    game: t.field({
      type: PublicArenaGameRef,
      description: 'The game, even if it is no longer public.',
      resolve: ({ game }) => game,
    }),
    entryFee: t.exposeInt('entryFee'),
    developerRevenueRate: t.float(revenueRate),
    resultPolicy: t.expose('resultPolicy', {
      type: ArenaResultPolicyRef,
      description: 'Who may report results.',
    }),
    maxPointsInPerDay: t.exposeInt('maxPointsInPerDay', {
      description:
        "Points that the partner's users may win from users of other partners in sessions created on one UTC day.",
    }),
    maxPointsOutPerDay: t.exposeInt('maxPointsOutPerDay', {
      description:
        "Points that the partner's users may lose to users of other partners in sessions created on one UTC day.",
    }),
    isInForce: t.boolean({
      description:
        'Whether it covers new sessions: it is not withdrawn, and the terms are still the same.',
      resolve: isInForce,
    }),
    pointsInToday: t.int({
      description:
        'Usage of `maxPointsInPerDay`: points won today, and points that sessions in progress can still win.',
      resolve: async (acceptance, _, ctx) => (await load(ctx, findTodaysFlows, acceptance)).in,
    }),
    pointsOutToday: t.int({
      description:
        'Usage of `maxPointsOutPerDay`: points lost today, and points that sessions in progress can still lose.',
      resolve: async (acceptance, _, ctx) => (await load(ctx, findTodaysFlows, acceptance)).out,
    }),
    acceptedAt: t.expose('acceptedAt', {
      type: 'DateTime',
      description: 'When it was accepted or its caps last changed.',
    }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was withdrawn; null if it was not.',
    }),
  }),
})

builder.interfaceField(PublicArenaGameRef, 'acceptance', (t) =>
  t.field({
    type: ArenaAcceptanceRef,
    nullable: true,
    description:
      "The acceptance of the member's partner. Null if there is none, or the caller is not a member with the right ARENA_READ.",
    resolve: ({ id }, _, ctx) => {
      const { member } = ctx.callers
      return isGoodCaller(member) && member.rights.includes('ARENA_READ')
        ? load(ctx, findAcceptances, { partnerId: member.partnerId, gameId: id })
        : null
    },
  }),
)

const ArenaAcceptanceFilter = z
  .object({
    isWithdrawn: flag()
      .nullish()
      .describe('true: only withdrawn acceptances; false: only the others.'),
  })
  .describe('A condition on the acceptances of a list.')

list('arenaAcceptances', {
  description: "The acceptances of the member's partner, including withdrawn ones, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  of: ArenaAcceptanceRef,
  filter: ArenaAcceptanceFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller: { partnerId }, filter: { isWithdrawn }, order, ctx }) =>
    rows(acceptancesWithGames(ctx.db), {
      where: { partnerId, environment: 'LIVE', ...isSet({ withdrawnAt: isWithdrawn }) },
      order,
    }),
})

mutation('acceptArenaGame', {
  description:
    'Lets users of the partner play a game for prize pools shared with users of other partners that have accepted it. Accepting again covers the current terms and changes the caps.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: AcceptArenaGame,
  payload: { arenaAcceptance: ArenaAcceptanceRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'ARENA_TERMS_CHANGED'],
  resolve: async ({ arenaGame, ...input }, ctx, caller) => {
    const { partnerId } = liveTenant(caller)
    const gameId = await arenaGameIdOf(ctx, arenaGame)
    return { arenaAcceptance: await acceptArenaGame(ctx, { ...input, gameId, partnerId }) }
  },
})

mutation('withdrawArenaAcceptance', {
  description:
    "Withdraws an acceptance. The partner's users take no new seats; sessions in progress are settled.",
  key: 'member',
  right: 'ARENA_WRITE',
  input: WithdrawArenaAcceptance,
  payload: { arenaAcceptance: ArenaAcceptanceRef },
  errors: ['LIVE_ONLY', 'ARENA_GAME_NOT_FOUND', 'ARENA_ACCEPTANCE_NOT_FOUND'],
  resolve: async ({ arenaGame }, ctx, caller) => {
    const { partnerId } = liveTenant(caller)
    const gameId = await arenaGameIdOf(ctx, arenaGame)
    return { arenaAcceptance: await withdrawArenaAcceptance(ctx, { gameId, partnerId }) }
  },
})
