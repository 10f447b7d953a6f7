/** What a developer has earned in the arena. */

import { type Context, requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { list } from '../core/graphql/list.ts'
import { numbered } from '../core/graphql/numbered.ts'
import { mapped } from '../core/graphql/rows.ts'
import type { AccountEntry } from '../generated/prisma/client.ts'
import { developerAccount } from './arena-settlement.ts'

type Earning = AccountEntry & { game: { id: string; name: string } }

const ArenaEarningRef = builder.objectRef<Earning>('ArenaEarning').implement({
  description: "A developer's share of one session.",
  fields: (t) => ({
    earningId: t.exposeString('id', { description: 'UUID of the entry.' }),
    sessionId: t.exposeString('sourceId', { description: 'UUID of the session.' }),
    gameId: t.string({ description: 'UUID of the game.', resolve: ({ game }) => game.id }),
    gameName: t.string({ description: 'Name of the game.', resolve: ({ game }) => game.name }),
    points: t.exposeInt('points', { description: 'How many points.' }),
    totalAfter: t.expose('balanceAfter', {
      type: 'SafeInt',
      description: 'Everything the developer had right after this.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was paid.' }),
  }),
})

const findAccount = (ctx: Context) =>
  ctx.db.pointAccount.findUnique({
    where: { name: developerAccount(requireCaller(ctx, 'member').partnerId) },
  })

const TotalRef = builder
  .objectRef<{ totalEarnings: bigint; paidSessions: number }>('ArenaEarningsTotal')
  .implement({
    description: 'All that a developer has earned in the arena.',
    fields: (t) => ({
      totalEarnings: t.expose('totalEarnings', {
        type: 'SafeInt',
        description: 'Points, over all games.',
      }),
      paidSessions: t.exposeInt('paidSessions', { description: 'Sessions that paid a share.' }),
    }),
  })

/** The game of each session of a page, in one query. */
const withGames = async ({ db }: Context, entries: AccountEntry[]): Promise<Earning[]> => {
  const sessions = await db.arenaSession.findMany({
    where: { id: { in: entries.map(({ sourceId }) => sourceId) } },
    select: { id: true, game: { select: { id: true, name: true } } },
  })
  const games = new Map(sessions.map(({ id, game }) => [id, game]))
  return entries.flatMap((entry) => {
    const game = games.get(entry.sourceId)
    return game ? [{ ...entry, game }] : []
  })
}

list('arenaEarnings', {
  description: "What the member's partner has earned in the arena, newest first.",
  key: 'member',
  of: ArenaEarningRef,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By when they were paid.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller: { partnerId }, order, ctx }) => {
    const entries = numbered('entryNo', {
      last: (await findAccount(ctx))?.entries ?? 0,
      order,
      read: ({ from, to }) =>
        ctx.db.accountEntry.findMany({
          where: { holder: developerAccount(partnerId), entryNo: { gte: from, lte: to } },
        }),
    })
    return mapped(entries, (found) => withGames(ctx, found))
  },
})

builder.queryFields((t) => ({
  arenaEarningsTotal: t.field({
    type: TotalRef,
    description: "All that the member's partner has earned in the arena.",
    authScopes: { key: 'member' },
    resolve: async (_, __, ctx) => {
      const account = await findAccount(ctx)
      return { totalEarnings: account?.balance ?? 0n, paidSessions: account?.entries ?? 0 }
    },
  }),
}))
