/** Sessions: reading them under lock, and writing what became of them (interface: Arena session status). */

import { v7 as uuid } from 'uuid'
import { inTransaction } from '../core/db/db.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { type ArenaPlayer, type ArenaSession, Prisma } from '../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../generated/prisma/enums.ts'
import { trackActivity } from '../users/activity.ts'
import { waitingMs } from './arena.rules.ts'

export type SessionWithPlayers = ArenaSession & {
  players: ArenaPlayer[]
  gamePartnerId: string
  /** Whether its game takes agents. */
  supportsAgents: boolean
}

/** The account of a session in the ledger: its entries add up to its prize pool, and to zero at its end. */
export const accountOf = ({ id }: Pick<ArenaSession, 'id'>): string => `session:${id}`

/**
 * Sessions with their players, whom nobody else changes until the transaction ends. Two statements for
 * the whole list; locks are taken in the order of ids, and before those on users, everywhere.
 */
export const lockSessions = async (
  { tx }: Work,
  ids: string[],
): Promise<Map<string, SessionWithPlayers>> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  await tx.$queryRaw`/* lock_sessions */
    SELECT id FROM arena_session WHERE id = ANY (${wanted}::uuid[]) ORDER BY id FOR UPDATE`
  const sessions = await tx.arenaSession.findMany({
    where: { id: { in: wanted } },
    include: {
      players: { orderBy: { slot: 'asc' } },
      game: { select: { partnerId: true, supportsAgents: true } },
    },
  })
  return new Map(
    sessions.map(({ game, ...session }) => [
      session.id,
      { ...session, gamePartnerId: game.partnerId, supportsAgents: game.supportsAgents },
    ]),
  )
}

/** A session as it was found and as it is going to be. */
export type SessionChange = { was: ArenaSessionStatus; session: SessionWithPlayers }

/**
 * Writes changed sessions in one statement, and counts them by state: lists show those counts, so that
 * no list of a game counts its sessions.
 */
export const saveSessions = async ({ tx }: Work, changes: SessionChange[]): Promise<void> => {
  if (changes.length === 0) return
  const rows = changes.map(({ was, session }) => ({
    id: session.id,
    was,
    status: session.status,
    game_id: session.gameId,
    partner_id: session.gamePartnerId,
    current_players: session.currentPlayers,
    prize_pool: session.prizePool,
    developer_share: session.developerShare,
    winner_prize: session.winnerPrize,
    winner_id: session.winnerId,
    started_at: session.startedAt,
    completed_at: session.completedAt,
    expires_at: session.expiresAt,
  }))
  await tx.$executeRaw`/* save_sessions */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid,
        was "ArenaSessionStatus", status "ArenaSessionStatus", game_id uuid, partner_id uuid,
        current_players int, prize_pool int, developer_share int, winner_prize int, winner_id uuid,
        started_at timestamptz, completed_at timestamptz, expires_at timestamptz)
    ), counted AS (${countSessions(Prisma.sql`
      SELECT partner_id, game_id, was AS status, -1 AS amount FROM input WHERE was <> status
      UNION ALL SELECT partner_id, game_id, status, 1 FROM input WHERE was <> status`)}
    )
    UPDATE arena_session s SET status = i.status, current_players = i.current_players,
      prize_pool = i.prize_pool, developer_share = i.developer_share,
      winner_prize = i.winner_prize, winner_id = i.winner_id, started_at = i.started_at,
      completed_at = i.completed_at, expires_at = i.expires_at
    FROM input i WHERE s.id = i.id AND s.id = ANY (ARRAY(SELECT id FROM input))`
}

/** Name of the counter of a game's sessions in a state. */
const counterOf = (gameId: string, status: ArenaSessionStatus) =>
  `arena_sessions:${gameId}:${status}`

/** Statement that counts sessions. `source` is a SELECT of (partner_id, game_id, status, amount). */
const countSessions = (source: Prisma.Sql) => Prisma.sql`
  INSERT INTO counter AS c (partner_id, environment, name, shard, value)
  SELECT partner_id, 'LIVE', 'arena_sessions:' || game_id || ':' || status,
    pg_backend_pid() % 16, sum(amount)
  FROM (${source}) s GROUP BY partner_id, game_id, status HAVING sum(amount) <> 0
  ORDER BY partner_id, game_id, status
  ON CONFLICT (partner_id, environment, name, shard) DO UPDATE SET value = c.value + excluded.value`

/** How many sessions a game has in these states. */
export const readSessionCount = async (
  { tx }: Pick<Work, 'tx'>,
  game: { id: string; partnerId: string },
  statuses: ArenaSessionStatus[],
): Promise<number> => {
  const total = await tx.counter.aggregate({
    where: {
      partnerId: game.partnerId,
      environment: 'LIVE',
      name: { in: statuses.map((status) => counterOf(game.id, status)) },
    },
    _sum: { value: true },
  })
  return Number(total._sum.value ?? 0)
}

/** A new session, as its game is now. */
export type NewSession = Pick<
  ArenaSession,
  | 'gameId'
  | 'partnerId'
  | 'entryFee'
  | 'developerRevenueShare'
  | 'resultPolicy'
  | 'minPlayers'
  | 'maxPlayers'
  | 'playSeconds'
> & { gamePartnerId: string }

/** Writes new sessions, without players; one statement. */
export const insertSessions = async (
  { tx, clock }: Work,
  sessions: NewSession[],
): Promise<string[]> => {
  const now = clock()
  const rows = sessions.map((session) => ({
    id: uuid(),
    game_id: session.gameId,
    partner_id: session.partnerId,
    game_partner_id: session.gamePartnerId,
    entry_fee: session.entryFee,
    developer_revenue_share: session.developerRevenueShare,
    result_policy: session.resultPolicy,
    min_players: session.minPlayers,
    max_players: session.maxPlayers,
    play_seconds: session.playSeconds,
  }))
  if (rows.length > 0)
    await tx.$executeRaw`/* insert_sessions */
      WITH input AS MATERIALIZED (
        SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, game_id uuid,
          partner_id uuid, game_partner_id uuid, entry_fee int, developer_revenue_share int,
          result_policy "ArenaResultPolicy", min_players int, max_players int, play_seconds int)
      ), counted AS (${countSessions(Prisma.sql`
        SELECT game_partner_id AS partner_id, game_id, 'WAITING' AS status, 1 AS amount FROM input`)}
      )
      INSERT INTO arena_session (id, game_id, partner_id, entry_fee, developer_revenue_share,
        result_policy, min_players, max_players, play_seconds, created_at, expires_at)
      SELECT id, game_id, partner_id, entry_fee, developer_revenue_share, result_policy,
        min_players, max_players, play_seconds, ${now}::timestamptz,
        ${new Date(now.getTime() + waitingMs)}::timestamptz
      FROM input`
  return rows.map(({ id }) => id)
}

/** Forgets sessions that nobody has seen yet. */
export const dropSessions = async (
  { tx }: Work,
  sessions: { id: string; gameId: string; gamePartnerId: string }[],
): Promise<void> => {
  if (sessions.length === 0) return
  const rows = sessions.map(({ id, gameId, gamePartnerId }) => ({
    id,
    game_id: gameId,
    partner_id: gamePartnerId,
  }))
  await tx.$executeRaw`/* drop_sessions */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS i (id uuid, game_id uuid, partner_id uuid)
    ), counted AS (${countSessions(Prisma.sql`
      SELECT partner_id, game_id, 'WAITING' AS status, -1 AS amount FROM input`)}
    )
    DELETE FROM arena_session WHERE id = ANY (ARRAY(SELECT id FROM input))`
}

/** Lets a session begin. */
export const begin = (session: SessionWithPlayers, now: Date): void => {
  session.status = 'IN_PROGRESS'
  session.startedAt = now
  session.expiresAt = new Date(now.getTime() + session.playSeconds * 1000)
}

/** Points that a session took from a user or gave to one. */
export type SessionPoints = Tenant & {
  userId: string
  sessionId: string
  eventType: 'session_entry' | 'session_refund' | 'session_prize'
  points: number
}

/** Puts what a session took and gave on the timelines of its users; one statement. */
export const trackSessionPoints = async (
  { tx, clock }: Work,
  lines: SessionPoints[],
): Promise<void> => {
  if (lines.length === 0) return
  const rows = lines.map((line) => ({
    id: uuid(),
    partner_id: line.partnerId,
    environment: line.environment,
    user_id: line.userId,
    event_type: line.eventType,
    source_id: line.sessionId,
    points: line.points,
  }))
  await tx.$executeRaw`/* track_session_points */ ${trackActivity(
    'POINTS',
    Prisma.sql`SELECT *, json_build_object('sessionId', source_id) AS metadata,
      ${clock()}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", user_id uuid, event_type text, source_id text, points int)`,
    { isPublic: true },
  )}`
}

/** Does a list in one transaction of its own, or in that of the caller. */
export const together = <T>(work: Work, run: (work: Work) => Promise<T>): Promise<T> =>
  inTransaction(work.tx, (tx) => run({ ...work, tx }))
