/** Sessions, as everybody sees them. */

import { z } from 'zod'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { list } from '../core/graphql/list.ts'
import { query } from '../core/graphql/query.ts'
import { rows } from '../core/graphql/rows.ts'
import { oneOf } from '../core/validation.ts'
import { ArenaSessionStatus } from '../generated/prisma/enums.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findUserBy } from '../users/end-user.ts'
import { ArenaAgentRef } from './agents/agent.graphql.ts'
import { isVisible, readAgents } from './agents/agent-read.ts'
import { ArenaRef } from './arena.graphql.ts'
import { ArenaGameRef } from './arena-game.graphql.ts'
import { isPublic } from './arena-game.ts'
import { id } from './arena-input.ts'
import { backendOf, isOwner } from './arena-owner.ts'
import { readSessionCount } from './arena-session.ts'
import { findSessionGames, findSessions, withPlayers } from './arena-session-read.ts'
import {
  ArenaPlayerTypeRef,
  ArenaResultPolicyRef,
  ArenaSessionStatusRef,
} from './arena-words.graphql.ts'

export const ArenaPlayerRef = builder.prismaNode('ArenaPlayer', {
  description: 'A seat in a session, and who sits on it.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id) => ({ id }),
  fields: (t) => ({
    slot: t.exposeInt('slot', { description: 'From 1.' }),
    type: t.expose('type', { type: ArenaPlayerTypeRef, description: 'A user or an agent.' }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: "Who sits here, for the user's own partner with a secret key; else null.",
      resolve: ({ userId, partnerId }, _, ctx) => {
        const caller = backendOf(ctx)
        return userId && caller?.partnerId === partnerId
          ? findUserBy(ctx, caller, { id: userId })
          : null
      },
    }),
    agent: t.field({
      type: ArenaAgentRef,
      nullable: true,
      description:
        'The agent that sits here; null for a user, and for an agent that is not public.',
      resolve: async ({ agentId }, _, ctx) => {
        const agent = agentId && (await ctx.read(readAgents, agentId))
        return agent && (isVisible(agent) || isOwner(ctx, agent)) ? agent : null
      },
    }),
    score: t.exposeInt('score', { nullable: true, description: 'As the result gave it.' }),
    isWinner: t.exposeBoolean('isWinner', { description: 'Whether they have won.' }),
  }),
})

export const ArenaSessionRef = builder.prismaNode('ArenaSession', {
  description: 'One game that players play for a prize pool.',
  id: { field: 'id' },
  nullable: true,
  include: withPlayers,
  findUnique: (id) => ({ id }),
  fields: (t) => ({
    gameId: t.expose('gameId', {
      type: 'UUID',
      description: 'Also of a game that is not public any more.',
    }),
    game: t.field({
      type: ArenaGameRef,
      nullable: true,
      description: 'Null when the game is not public any more, but for its developer.',
      resolve: async ({ gameId }, _, ctx) => {
        const game = await ctx.read(findSessionGames, gameId)
        return game && (isPublic(game) || isOwner(ctx, game)) ? game : null
      },
    }),
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
    winner: t.field({
      type: ArenaPlayerRef,
      nullable: true,
      description: 'Null until it is completed.',
      resolve: ({ winnerId, players }) => players.find(({ id }) => id === winnerId) ?? null,
    }),
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

query([ArenaRef, 'session'], {
  description: 'A session, or null. Whoever knows its id may see it.',
  args: z.object({ id: id('ArenaSession').describe('The session.') }),
  type: ArenaSessionRef,
  nullable: true,
  resolve: ({ id }, ctx) => ctx.read(findSessions, id),
})
