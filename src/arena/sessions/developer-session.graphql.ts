/** The sessions of all games of a developer. */
import { z } from 'zod'
import { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { nodeId } from '../../kit/node-id.ts'
import type { Work } from '../../kit/runtime.ts'
import { countUpTo, type Source } from '../../kit/schema/connection.ts'
import { list } from '../../kit/schema/list.ts'
import { oneOf } from '../../kit/validation.ts'
import { ArenaSessionRef } from './arena-session.graphql.ts'
import { findSessions, type ListedSession } from './arena-session-read.ts'
import {
  countDeveloperSessions,
  type SessionMatch,
  selectDeveloperSessions,
} from './developer-session.sql.ts'

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
  name: 'DeveloperSession',
  filter: z
    .object({
      game: nodeId('ArenaGame').nullish().describe('Only sessions of this game.'),
      status: oneOf('ArenaSessionStatus', ArenaSessionStatus)
        .nullish()
        .describe('Only sessions in this state.'),
    })
    .describe("Filters the sessions of a developer's games."),
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller: { partnerId }, filter: { game: gameId, status }, order, ctx }) =>
    sessionsOf(ctx, { partnerId, gameId, status }, order[0]?.[1] ?? 'desc'),
})
