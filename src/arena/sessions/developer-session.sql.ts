/** Statements that read the sessions of all games of a developer. */

import { Prisma } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { returns, statement } from '../../kit/database/statement.ts'

/** A filter for the sessions of a developer's games, or of one of them. */
export type SessionMatch = {
  partnerId: string
  gameId?: string | null | undefined
  status?: ArenaSessionStatus | null | undefined
}

/** Games and their sessions. An index has the sessions of each game in the order of ids. */
const matching = (
  { partnerId, gameId, status }: SessionMatch,
  sessions: Prisma.Sql,
): Prisma.Sql => {
  const ofGame = gameId == null ? Prisma.empty : Prisma.sql`AND g.id = ${gameId}::uuid`
  const inState =
    status == null ? Prisma.empty : Prisma.sql`AND s.status = ${status}::"ArenaSessionStatus"`
  return Prisma.sql`FROM arena_game g CROSS JOIN LATERAL (
      SELECT s.id FROM arena_session s WHERE s.game_id = g.id ${inState} ${sessions}) f
    WHERE g.partner_id = ${partnerId}::uuid ${ofGame}`
}

type Part = {
  take: number
  skip: number
  isUp: boolean
  /** Only sessions after this id. */
  from: string | undefined
}

/** The ids of the sessions that match, by time of creation: a page of each game, merged. */
export const selectDeveloperSessions = statement(
  'find_developer_sessions',
  returns({ id: 'uuid' }),
  (match: SessionMatch, { take, skip, isUp, from }: Part) => {
    const direction = Prisma.raw(isUp ? 'ASC' : 'DESC')
    const beyond = Prisma.raw(isUp ? '>' : '<')
    const after = from === undefined ? Prisma.empty : Prisma.sql`AND s.id ${beyond} ${from}::uuid`
    const page = Prisma.sql`${after} ORDER BY s.id ${direction} LIMIT ${take + skip}::int`
    return Prisma.sql`
      SELECT f.id ${matching(match, page)}
      ORDER BY f.id ${direction} LIMIT ${take}::int OFFSET ${skip}::int`
  },
)

/** Counts the sessions that match, up to `limit`. */
export const countDeveloperSessions = statement(
  'count_developer_sessions',
  returns({ sessions: 'int' }),
  (match: SessionMatch, limit: number) => Prisma.sql`
    SELECT count(*)::int AS sessions FROM (
      SELECT ${matching(match, Prisma.sql`LIMIT ${limit}::int`)} LIMIT ${limit}::int) found`,
)
