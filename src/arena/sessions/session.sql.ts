import { Prisma } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { addToCounters } from '../../kit/database/counters.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'
import { trackActivity } from '../../users/activity.ts'

export const selectSessionsForUpdate = lockStatement(
  'lock_sessions',
  returns({ id: 'uuid' }),
  (ids: string[]) => Prisma.sql`
    SELECT id FROM arena_session WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
)

/** The oldest sessions of each game that have free seats, `limit` at most. */
export const selectOpenSessions = statement(
  'find_open_sessions',
  returns({ id: 'uuid' }),
  (gameIds: string[], now: Date, limit: number) => Prisma.sql`
    SELECT s.id FROM unnest(${gameIds}::uuid[]) AS g (id)
    CROSS JOIN LATERAL (SELECT id FROM arena_session
      WHERE game_id = g.id AND status = 'WAITING' AND current_players < max_players
        AND expires_at > ${now}::timestamptz
      ORDER BY id LIMIT ${limit}::int) s`,
)

/** Counts the sessions of games by status. `source` is a SELECT of (partner_id, game_id, status, amount). */
const countSessions = (source: Prisma.Sql): Prisma.Sql =>
  addToCounters(Prisma.sql`
    SELECT partner_id, 'LIVE'::"Environment" AS environment,
      'arena_sessions:' || game_id || ':' || status AS name, sum(amount) AS amount
    FROM (${source}) s GROUP BY partner_id, game_id, status`)

const changeRows = inputRows({
  id: 'uuid',
  was: 'ArenaSessionStatus',
  status: 'ArenaSessionStatus',
  gameId: 'uuid',
  partnerId: 'uuid',
  currentPlayers: 'int',
  prizePool: 'int',
  developerShare: 'int?',
  winnerPrize: 'int?',
  winnerId: 'uuid?',
  startedAt: 'timestamptz?',
  completedAt: 'timestamptz?',
  expiresAt: 'timestamptz',
})

/** Writes changed sessions. `partnerId` is that of the game. */
export const updateSessions = statement(
  'save_sessions',
  returnsNothing,
  (changes: ItemsOf<typeof changeRows>) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${changeRows(changes)}
    ), counted AS (${countSessions(Prisma.sql`
      SELECT partner_id, game_id, was AS status, -1 AS amount FROM input WHERE was <> status
      UNION ALL SELECT partner_id, game_id, status, 1 FROM input WHERE was <> status`)}
    )
    UPDATE arena_session s SET status = i.status, current_players = i.current_players,
      prize_pool = i.prize_pool, developer_share = i.developer_share,
      winner_prize = i.winner_prize, winner_id = i.winner_id, started_at = i.started_at,
      completed_at = i.completed_at, expires_at = i.expires_at
    FROM input i WHERE s.id = i.id AND s.id = ANY (ARRAY(SELECT id FROM input))`,
)

const newRows = inputRows({
  id: 'uuid',
  gameId: 'uuid',
  partnerId: 'uuid',
  gamePartnerId: 'uuid',
  entryFee: 'int',
  developerRevenueShare: 'int',
  resultPolicy: 'ArenaResultPolicy',
  minPlayers: 'int',
  maxPlayers: 'int',
  playSeconds: 'int',
  isPublic: 'boolean',
})

export const insertNewSessions = statement(
  'insert_sessions',
  returnsNothing,
  (sessions: ItemsOf<typeof newRows>, at: { createdAt: Date; expiresAt: Date }) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${newRows(sessions)}
    ), counted AS (${countSessions(Prisma.sql`
      SELECT game_partner_id AS partner_id, game_id, 'WAITING' AS status, 1 AS amount FROM input`)}
    )
    INSERT INTO arena_session (id, game_id, partner_id, entry_fee, developer_revenue_share,
      result_policy, min_players, max_players, play_seconds, is_public, created_at, expires_at)
    SELECT id, game_id, partner_id, entry_fee, developer_revenue_share, result_policy,
      min_players, max_players, play_seconds, is_public, ${at.createdAt}::timestamptz,
      ${at.expiresAt}::timestamptz
    FROM input`,
)

const droppedRows = inputRows({ id: 'uuid', gameId: 'uuid', gamePartnerId: 'uuid' })

/** Deletes sessions that are WAITING and have no players. */
export const deleteSessions = statement(
  'drop_sessions',
  returnsNothing,
  (sessions: ItemsOf<typeof droppedRows>) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${droppedRows(sessions)}
    ), counted AS (${countSessions(Prisma.sql`
      SELECT game_partner_id AS partner_id, game_id, 'WAITING' AS status, -1 AS amount FROM input`)}
    )
    DELETE FROM arena_session WHERE id = ANY (ARRAY(SELECT id FROM input))`,
)

const pointRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  userId: 'uuid',
  eventType: 'text',
  sourceId: 'text',
  points: 'int',
})

/** Adds points that sessions took or gave to the timelines of users. */
export const insertSessionPoints = statement(
  'track_session_points',
  returnsNothing,
  (lines: ItemsOf<typeof pointRows>, occurredAt: Date) =>
    trackActivity(
      'POINTS',
      Prisma.sql`SELECT *, json_build_object('sessionId', source_id) AS metadata,
        ${occurredAt}::timestamptz AS occurred_at FROM ${pointRows(lines)}`,
      {
        isPublic: true,
        fact: Prisma.sql`CASE event_type WHEN 'session_prize' THEN 'SESSION_WON'::"Fact" END`,
      },
    ),
)

/** A filter for the sessions of a developer's games, or of one of them. */
export type SessionMatch = {
  partnerId: string
  gameId?: string | null | undefined
  statuses?: ArenaSessionStatus[] | null | undefined
}

/** Games and their sessions. Indexes have the sessions of each game, and those of each status, in the order of ids. */
const matching = (
  { partnerId, gameId, statuses }: SessionMatch,
  sessions: Prisma.Sql,
): Prisma.Sql => {
  const ofGame = gameId == null ? Prisma.empty : Prisma.sql`AND g.id = ${gameId}::uuid`
  const states = statuses
    ? Prisma.sql`CROSS JOIN unnest(${statuses}::text[]::"ArenaSessionStatus"[]) AS state`
    : Prisma.empty
  const inState = statuses ? Prisma.sql`AND s.status = state` : Prisma.empty
  return Prisma.sql`FROM arena_game g ${states} CROSS JOIN LATERAL (
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
