/** Games report results; developers see their earnings. */

import { type Context, requireCaller } from '../../kit/access/context.ts'
import { acrossTenants } from '../../kit/database/tenant-client.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { list } from '../../kit/schema/list.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { orError } from '../../kit/schema/null-with-error.ts'
import { numbered } from '../../kit/schema/numbered.ts'
import { ArenaGameRef } from '../developer-games/game.graphql.ts'
import { liveTenant } from '../live-only.ts'
import {
  type Report,
  ReportArenaResult,
  ReportArenaServerResult,
  reportArenaResults,
} from './result.ts'
import { ArenaPlayerRef, ArenaSessionRef } from './session.graphql.ts'
import { findGamesOf, findSessions, type ListedSession } from './session.ts'
import { developerAccount } from './settlement.ts'

const reported = {
  arenaSession: ArenaSessionRef,
  winner: { type: ArenaPlayerRef, description: 'The player whom the report names as winner.' },
} as const

const report = async (ctx: Context, input: Report) => {
  const { session, winner, awaitingReports } = await ctx.write(reportArenaResults, input)
  return { arenaSession: session, winner, awaitedReportCount: awaitingReports || null }
}

mutation('reportArenaResult', {
  description:
    'Reports the result of a session. The first valid result pays the prize. Requires no API key, but a session token if the result policy says so (`X-Session-Token` or `token`). Reporting the same result again returns the same response.',
  key: 'anyone',
  isAudited: false,
  input: ReportArenaResult,
  payload: {
    ...reported,
    awaitedReportCount: {
      type: 'Int',
      nullable: true,
      description:
        'Under QUORUM: reports still needed until the prize is paid; null once it is paid.',
    },
  },
  errors: [
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'INVALID_SESSION_TOKEN',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: ({ arenaSessionId: sessionId, ...input }, ctx) =>
    report(ctx, { ...input, sessionId, token: ctx.header?.('x-session-token') ?? input.token }),
})

mutation('reportArenaServerResult', {
  description:
    "Reports the result of a session whose result policy is SERVER, from the developer's server, and pays the prize. Reporting the same result again returns the same response.",
  key: 'secret',
  right: 'ARENA_WRITE',
  isAudited: false,
  input: ReportArenaServerResult,
  payload: reported,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: ({ arenaSessionId: sessionId, ...input }, ctx, caller) =>
    report(ctx, { ...input, sessionId, reporterId: liveTenant(caller).partnerId }),
})

const ArenaEarningRef = builder.prismaNode('AccountEntry', {
  name: 'ArenaEarning',
  description: "A developer's share of one session.",
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({
    id,
    holder: developerAccount(requireCaller(ctx, 'member', 'ARENA_READ').partnerId),
  }),
  fields: (t) => ({
    session: t.field({
      type: ArenaSessionRef,
      description: 'The session that was paid.',
      resolve: ({ sourceId }, _, ctx) =>
        load(ctx, findSessions, sourceId) as Promise<ListedSession>,
    }),
    game: t.field({
      type: ArenaGameRef,
      description: 'The game that was played.',
      resolve: ({ sourceId }, _, ctx) => load(ctx, findGamesOf, sourceId),
    }),
    points: t.exposeInt('points'),
    balanceAfter: t.expose('balanceAfter', {
      type: 'SafeInt',
      description: "The developer's total after this entry.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was paid.' }),
  }),
})

const findAccount = (ctx: Context) =>
  acrossTenants(ctx.db, 'ARENA').pointAccount.findUnique({
    where: { name: developerAccount(requireCaller(ctx, 'member', 'ARENA_READ').partnerId) },
  })

const TotalRef = builder
  .objectRef<{ points: bigint; sessionCount: number }>('ArenaEarningsTotal')
  .implement({
    description: "A developer's earnings in the arena.",
    fields: (t) => ({
      points: t.expose('points', {
        type: 'SafeInt',
        description: 'Points earned with all games of the developer so far.',
      }),
      sessionCount: t.exposeInt('sessionCount', {
        description: 'Sessions that paid the developer a share.',
      }),
    }),
  })

list('arenaEarnings', {
  description: "The earnings of the member's partner in the arena, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  of: ArenaEarningRef,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller: { partnerId }, order, ctx }) => {
    return numbered('entryNo', {
      last: (await findAccount(ctx))?.entries ?? 0,
      order,
      read: ({ from, to }) =>
        acrossTenants(ctx.db, 'ARENA').accountEntry.findMany({
          where: { holder: developerAccount(partnerId), entryNo: { gte: from, lte: to } },
        }),
    })
  },
})

builder.queryFields((t) => ({
  arenaEarningsTotal: t.field({
    type: TotalRef,
    ...orError("The total earnings of the member's partner in the arena."),
    authScopes: { key: ['member', 'ARENA_READ'] },
    resolve: async (_, __, ctx) => {
      const account = await findAccount(ctx)
      return { points: account?.balance ?? 0n, sessionCount: account?.entries ?? 0 }
    },
  }),
}))
