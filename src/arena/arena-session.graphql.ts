/** Sessions, as everybody sees them. */

import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { list } from '../core/graphql/list.ts'
import { rows } from '../core/graphql/rows.ts'
import { isUuid, oneOf } from '../core/validation.ts'
import type { ArenaPlayer, ArenaSession } from '../generated/prisma/client.ts'
import { ArenaSessionStatus } from '../generated/prisma/enums.ts'
import { ArenaGameRef } from './arena-game.graphql.ts'
import { readSessionCount } from './arena-session.ts'
import {
  ArenaPlayerTypeRef,
  ArenaResultPolicyRef,
  ArenaSessionStatusRef,
} from './arena-words.graphql.ts'

export const ArenaPlayerRef = builder.objectRef<ArenaPlayer>('ArenaPlayer').implement({
  description: 'A seat in a session, and who sits on it.',
  fields: (t) => ({
    playerId: t.exposeString('id', { description: 'UUID of the player, in this session only.' }),
    slot: t.exposeInt('slot', { description: 'From 1.' }),
    type: t.expose('type', { type: ArenaPlayerTypeRef, description: 'A user or an agent.' }),
    score: t.exposeInt('score', { nullable: true, description: 'As the result gave it.' }),
    isWinner: t.exposeBoolean('isWinner', { description: 'Whether they have won.' }),
  }),
})

const withPlayers = { players: { orderBy: { slot: 'asc' } } } as const

export const ArenaSessionRef = builder.prismaNode('ArenaSession', {
  description: 'One game that players play for a prize pool.',
  id: { field: 'id' },
  nullable: true,
  include: withPlayers,
  findUnique: (id) => ({ id }),
  fields: (t) => ({
    sessionId: t.exposeString('id', { description: 'UUID of the session.' }),
    gameId: t.exposeString('gameId', { description: 'UUID of the game.' }),
    status: t.expose('status', { type: ArenaSessionStatusRef, description: 'Where it stands.' }),
    entryFee: t.exposeInt('entryFee', { description: 'Points that each player puts in.' }),
    prizePool: t.exposeInt('prizePool'),
    currentPlayers: t.exposeInt('currentPlayers', { description: 'Seats that are taken.' }),
    minPlayers: t.exposeInt('minPlayers', { description: 'Players that it needs.' }),
    maxPlayers: t.exposeInt('maxPlayers', { description: 'Seats that there are.' }),
    resultPolicy: t.expose('resultPolicy', {
      type: ArenaResultPolicyRef,
      description: 'Who may report its result.',
    }),
    developerShare: t.exposeInt('developerShare', {
      nullable: true,
      description: 'Points that the developer got; null until it is completed.',
    }),
    winnerPrize: t.exposeInt('winnerPrize', {
      nullable: true,
      description: 'Points that the winner got; null until it is completed.',
    }),
    winnerId: t.exposeString('winnerId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its result was taken.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    players: t.field({
      type: [ArenaPlayerRef],
      description: 'Its players, by slot.',
      resolve: ({ players }) => players,
    }),
  }),
})

export type Listed = ArenaSession & { players: ArenaPlayer[] }

const ArenaSessionFilter = z
  .object({
    status: oneOf('ArenaSessionStatus', ArenaSessionStatus)
      .nullish()
      .describe('Only sessions in this state.'),
  })
  .describe('Which sessions.')

list([ArenaGameRef, 'sessions'], {
  description: 'The sessions of this game, newest first.',
  of: ArenaSessionRef,
  filter: ArenaSessionFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were made.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: game, filter: { status }, order, ctx }) =>
    rows(ctx.db.arenaSession, {
      where: { gameId: game.id, ...equal({ status }) },
      include: withPlayers,
      order,
      counting: () =>
        readSessionCount(ctx, game, status ? [status] : Object.values(ArenaSessionStatus)),
    }),
})

builder.prismaObjectField(ArenaGameRef, 'openSessions', (t) =>
  t.field({
    type: [ArenaSessionRef],
    description: 'Sessions with free seats, the oldest first; 100 at most.',
    complexity: () => ({ field: 1, multiplier: 10 }),
    resolve: (game, _, { db, clock }) =>
      db.arenaSession.findMany({
        where: {
          gameId: game.id,
          status: 'WAITING',
          expiresAt: { gt: clock() },
          currentPlayers: { lt: db.arenaSession.fields.maxPlayers },
        },
        orderBy: { id: 'asc' },
        include: withPlayers,
        take: 100,
      }),
  }),
)

builder.queryField('arenaSession', (t) =>
  t.field({
    type: ArenaSessionRef,
    description: 'A session by its UUID. Error SESSION_NOT_FOUND.',
    args: { sessionId: t.arg.string({ required: true, description: 'UUID of the session.' }) },
    resolve: async (_, { sessionId }, { db }) => {
      const session = isUuid(sessionId)
        ? await db.arenaSession.findUnique({ where: { id: sessionId }, include: withPlayers })
        : null
      if (!session) throw new TesseraError('SESSION_NOT_FOUND')
      return session
    },
  }),
)
