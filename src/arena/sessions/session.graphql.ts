/** Public fields and lists of sessions. */

import { z } from 'zod'
import { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { encodeNodeId } from '../../kit/node-id.ts'
import type { Work } from '../../kit/runtime.ts'
import { builder } from '../../kit/schema/builder.ts'
import { countUpTo, type Source } from '../../kit/schema/connection.ts'
import { load } from '../../kit/schema/edge.ts'
import { eventType } from '../../kit/schema/event-data.ts'
import { among, someOf } from '../../kit/schema/filters.ts'
import { enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { isOwn } from '../../kit/schema/owner.ts'
import { batched, type PartOf } from '../../kit/schema/parts.ts'
import { query } from '../../kit/schema/query.ts'
import { noRows, rows } from '../../kit/schema/rows.ts'
import { UserRef } from '../../users/end-user.graphql.ts'
import { findUserBy } from '../../users/end-user.ts'
import { PublicArenaAgentRef } from '../agents/agent.graphql.ts'
import { isVisible, readAgents } from '../agents/agent-read.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import {
  ArenaResultPolicyRef,
  PublicArenaGameRef,
  shownGame,
} from '../developer-games/game.graphql.ts'
import { ArenaGameBy } from '../developer-games/game-input.ts'
import { findArenaGameId } from '../developer-games/game-key.ts'
import { backendOf } from '../live-only.ts'
import { sessionCompleted } from './session.events.ts'
import {
  countDeveloperSessions,
  type SessionMatch,
  selectDeveloperSessions,
} from './session.sql.ts'
import {
  findOpenSessions,
  findResults,
  findSessionParts,
  findSessions,
  type ListedSession,
  readSessionCount,
  sessionsWithPlayers,
  withPlayers,
} from './session.ts'

const ArenaSessionStatusRef = enumType('ArenaSessionStatus', 'The status of a session.', {
  WAITING: 'Players may join and leave.',
  IN_PROGRESS: 'It is being played.',
  COMPLETED: 'A result was accepted and the prize was paid.',
  EXPIRED: 'It expired. All entry fees were refunded.',
})

const ArenaPlayerTypeRef = enumType('ArenaPlayerType', 'Who takes a seat.', {
  HUMAN: 'A user of a partner.',
  AGENT: 'An agent of a partner.',
})

export const ArenaPlayerRef = builder.prismaNode('ArenaPlayer', {
  description: 'A seat in a session, and its player.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id) => ({ id }),
  fields: (t) => ({
    slot: t.exposeInt('slot', { description: 'Number of the seat within the session, from 1.' }),
    type: t.expose('type', { type: ArenaPlayerTypeRef, description: 'A user or an agent.' }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description:
        "The user in this seat. Null unless the caller is the user's own partner with a secret key.",
      resolve: ({ userId, partnerId }, _, ctx) => {
        const caller = backendOf(ctx)
        return userId && caller?.partnerId === partnerId
          ? findUserBy(ctx, caller, { id: userId })
          : null
      },
    }),
    agent: t.field({
      type: PublicArenaAgentRef,
      nullable: true,
      description: 'The agent in this seat; null for a user, and for an agent that is not public.',
      resolve: async ({ agentId }, _, ctx) => {
        const agent = agentId && (await load(ctx, readAgents, agentId))
        return agent && (isVisible(agent) || isOwn(ctx, agent, 'ARENA_READ')) ? agent : null
      },
    }),
    score: t.exposeInt('score', {
      nullable: true,
      description: 'Their score in the accepted result. Null until then, and if it has none.',
    }),
    isWinner: t.exposeBoolean('isWinner', {
      description: 'Whether the accepted result names them as winner.',
    }),
  }),
})

export const ArenaSessionRef = builder.prismaNode('ArenaSession', {
  description: 'One game, played for a prize pool.',
  id: { field: 'id' },
  nullable: true,
  include: withPlayers,
  findUnique: (id) => ({ id }),
  fields: (t) => ({
    gameId: t.id({
      description: 'Global id of the game, even if it is no longer public.',
      resolve: ({ gameId }) => encodeNodeId('ArenaGame', gameId),
    }),
    gameUuid: t.expose('gameId', {
      type: 'UUID',
      description: 'UUID of the game, even if it is no longer public.',
    }),
    game: t.field(shownGame),
    status: t.expose('status', {
      type: ArenaSessionStatusRef,
      description: 'Whether it is open, in progress or over.',
    }),
    entryFee: t.exposeInt('entryFee', { description: 'Points that each player pays.' }),
    prizePool: t.exposeInt('prizePool'),
    playerCount: t.exposeInt('currentPlayers', { description: 'Number of taken seats.' }),
    minPlayers: t.exposeInt('minPlayers', { description: 'Players that it needs.' }),
    maxPlayers: t.exposeInt('maxPlayers', { description: 'The number of seats.' }),
    resultPolicy: t.expose('resultPolicy', {
      type: ArenaResultPolicyRef,
      description: 'Who may report its result.',
    }),
    hasPublicMoves: t.exposeBoolean('isPublic', {
      description: 'Whether anybody may watch its moves.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began; null until then.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its result was accepted; null until then.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    players: t.field({
      type: [ArenaPlayerRef],
      description: 'Its players, by slot; 256 at most.',
      resolve: ({ players }) => players,
    }),
  }),
})

builder.prismaObjectFields(ArenaSessionRef, (t) => ({
  developerShare: t.exposeInt('developerShare', {
    nullable: true,
    description: 'Points paid to the developer; null until completed.',
  }),
  winnerPrize: t.exposeInt('winnerPrize', {
    nullable: true,
    description: 'Points paid to the winner; null until completed.',
  }),
  winner: t.field({
    type: ArenaPlayerRef,
    nullable: true,
    description: 'Who won; null until completed.',
    resolve: ({ winnerId, players }) => players.find(({ id }) => id === winnerId) ?? null,
  }),
  results: t.field({
    type: 'JSON',
    nullable: true,
    description:
      'The additional results of the accepted report, as its game defines them. Null until completed, and if it had none.',
    resolve: ({ id, status }, _, ctx) =>
      status === 'COMPLETED' ? load(ctx, findResults, id) : null,
  }),
}))

const ArenaGameSessionFilter = z
  .object({
    statuses: someOf('ArenaSessionStatus', ArenaSessionStatus)
      .nullish()
      .describe('Only sessions in these states.'),
  })
  .describe('Filters the sessions of a game.')

list([PublicArenaGameRef, 'sessions'], {
  description: 'The sessions of this game, newest first.',
  of: ArenaSessionRef,
  name: 'ArenaGameSession',
  filter: ArenaGameSessionFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: game, filter: { statuses }, order, ctx }) => {
    const source = rows(sessionsWithPlayers(ctx.db), {
      where: { gameId: game.id, ...among({ status: statuses }) },
      order,
      counting: () => readSessionCount(ctx, game, statuses ?? Object.values(ArenaSessionStatus)),
    })
    const read = (part: PartOf) => load(ctx, findSessionParts, part)
    return statuses ? source : batched(source, { parentId: game.id, order }, read)
  },
})

builder.interfaceField(PublicArenaGameRef, 'openSessions', (t) =>
  t.field({
    type: [ArenaSessionRef],
    description: 'Sessions with free seats, the oldest first; 100 at most.',
    complexity: () => ({ field: 1, multiplier: 10 }),
    resolve: ({ id }, _, ctx) => load(ctx, findOpenSessions, id),
  }),
)

query([ArenaRef, 'session'], {
  description: 'A session; null if not found. Anyone who knows its id may see it.',
  args: z.object({ id: id('ArenaSession').describe('The session, by its global id or its UUID.') }),
  type: ArenaSessionRef,
  nullable: true,
  resolve: ({ id }, ctx) => load(ctx, findSessions, id),
})

const sessionsOf = (
  work: Work,
  match: SessionMatch,
  direction: 'asc' | 'desc',
): Source<ListedSession> => ({
  order: `id ${direction}`,
  placeOf: ({ id }) => [id],
  count: () =>
    countUpTo(async (limit) => {
      const [row] = await countDeveloperSessions(work.tx, match, limit)
      return row?.sessions ?? 0
    }),
  fetch: async ({ take, skip, backward, from }) => {
    const found = await selectDeveloperSessions(work.tx, match, {
      take,
      skip,
      isUp: (direction === 'asc') !== backward,
      from: from && String(from[0]),
    })
    const sessions = await findSessions(
      work,
      found.map(({ id }) => id),
    )
    return sessions.filter((session) => session !== null)
  },
})

list('arenaSessions', {
  description: "The sessions of all games of the member's partner, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  of: ArenaSessionRef,
  filter: z
    .object({
      arenaGame: ArenaGameBy.nullish().describe('Only sessions of this game.'),
      statuses: someOf('ArenaSessionStatus', ArenaSessionStatus)
        .nullish()
        .describe('Only sessions in these states.'),
    })
    .describe("Filters the sessions of a developer's games."),
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller: { partnerId }, filter: { arenaGame: game, statuses }, order, ctx }) => {
    const gameId = game && (await findArenaGameId(ctx, game))
    // A slug of no game.
    if (game && gameId === null) return noRows(order)
    return sessionsOf(ctx, { partnerId, gameId, statuses }, order[0]?.[1] ?? 'desc')
  },
})

eventType(sessionCompleted, 'ArenaSessionCompletedEventData', (t) => ({
  session: t.field({
    type: ArenaSessionRef,
    nullable: true,
    description: 'The session, with its players.',
    resolve: ({ sessionId }, _, ctx) => load(ctx, findSessions, sessionId),
  }),
  game: t.field(shownGame),
  prizePool: t.exposeInt('prizePool', { description: 'Points in the prize pool.' }),
  developerShare: t.int({
    description: 'Points paid to the developer; 0 for a free session.',
    resolve: ({ developerShare }) => developerShare ?? 0,
  }),
  winnerPrize: t.int({
    description: 'Points paid to the winner; 0 for a free session.',
    resolve: ({ winnerPrize }) => winnerPrize ?? 0,
  }),
}))

builder.prismaObjectField('LedgerEntry', 'arenaSession', (t) =>
  t.field({
    type: ArenaSessionRef,
    nullable: true,
    description: 'The session whose fee, refund or prize it is; null for other entries.',
    resolve: ({ account }, _, ctx) => {
      const [, sessionId] = /^session:(.+)$/.exec(account) ?? []
      return sessionId === undefined ? null : load(ctx, findSessions, sessionId)
    },
  }),
)
