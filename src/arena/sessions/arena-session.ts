/** Locks, writes and counts sessions (interface: Arena session status). */
import { v7 as uuid } from 'uuid'
import type { ArenaPlayer, ArenaSession } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import type { Transaction, Work } from '../../kit/runtime.ts'
import type { Tenant } from '../../kit/tenant.ts'
import type { UserId } from '../../kit/user-id.ts'
import { lockUsersById } from '../../users/end-user.ts'
import { waitingMs } from './arena-session.rules.ts'
import {
  deleteSessions,
  insertNewSessions,
  insertSessionPoints,
  selectSessionsForUpdate,
  updateSessions,
} from './arena-session.sql.ts'

export type SessionWithPlayers = ArenaSession & {
  players: ArenaPlayer[]
  gamePartnerId: string
  /** Whether its game takes agents. */
  supportsAgents: boolean
}

/** The account of a session in the ledger. Its entries add up to the prize pool, and to zero when it has ended. */
export const accountOf = ({ id }: Pick<ArenaSession, 'id'>): string => `session:${id}`

/**
 * Locks sessions and reads them with their players, in two statements. Every transaction locks sessions in
 * the order of ids, and before users.
 */
export const lockSessions = async (
  { tx }: Transaction,
  ids: string[],
): Promise<Map<string, SessionWithPlayers>> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  await selectSessionsForUpdate(tx, wanted)
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

/** A changed session and its previous status. */
export type SessionChange = { was: ArenaSessionStatus; session: SessionWithPlayers }

/** Changes to sessions in one write. Each session is saved once, however many calls change it. */
export const sessionChangesOf = (sessions: Map<string, SessionWithPlayers>) => {
  const before = new Map(
    [...sessions.values()].map((session) => [session.id, { ...session }] as const),
  )
  return (): SessionChange[] =>
    [...sessions.values()].flatMap((session) => {
      const { status, currentPlayers } = before.get(session.id) as SessionWithPlayers
      return status !== session.status || currentPlayers !== session.currentPlayers
        ? [{ was: status, session }]
        : []
    })
}

/** Locks the users who play in sessions, so that none is erased before being paid and named. Returns them by id. */
export const lockPlayers = (work: Transaction, sessions: SessionWithPlayers[]) =>
  lockUsersById(
    work,
    sessions.flatMap(({ players }) => players.flatMap(({ userId }) => userId ?? [])),
  )

/** Writes changed sessions and counts them by status, in one statement. Lists read these counts. */
export const saveSessions = async (
  { tx }: Transaction,
  changes: SessionChange[],
): Promise<void> => {
  if (changes.length === 0) return
  await updateSessions(
    tx,
    changes.map(({ was, session }) => ({ ...session, was, partnerId: session.gamePartnerId })),
  )
}

/** Name of the counter of a game's sessions of a status. */
const counterOf = (gameId: string, status: ArenaSessionStatus) =>
  `arena_sessions:${gameId}:${status}`

/** How many sessions of these statuses a game has. */
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

/** A new session, with the terms of its game. */
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
  | 'isPublic'
> & { gamePartnerId: string }

/** Writes new sessions, without players, in one statement. Returns their ids. */
export const insertSessions = async (
  { tx, clock }: Work,
  sessions: NewSession[],
): Promise<string[]> => {
  const createdAt = clock()
  const expiresAt = new Date(createdAt.getTime() + waitingMs)
  const rows = sessions.map((session) => ({ ...session, id: uuid() }))
  if (rows.length > 0) await insertNewSessions(tx, rows, { createdAt, expiresAt })
  return rows.map(({ id }) => id)
}

/** Deletes new sessions that nobody has seen yet. */
export const dropSessions = async (
  { tx }: Work,
  sessions: { id: string; gameId: string; gamePartnerId: string }[],
): Promise<void> => {
  if (sessions.length > 0) await deleteSessions(tx, sessions)
}

export const begin = (session: SessionWithPlayers, now: Date): void => {
  session.status = 'IN_PROGRESS'
  session.startedAt = now
  session.expiresAt = new Date(now.getTime() + session.playSeconds * 1000)
}

/** Points that a session took from a user or gave to one. */
export type SessionPoints = Tenant & {
  userId: UserId
  sessionId: string
  eventType: 'session_entry' | 'session_refund' | 'session_prize'
  points: number
}

/** Adds points that sessions took or gave to the timelines of users, in one statement. */
export const trackSessionPoints = async (
  { tx, clock }: Work,
  lines: SessionPoints[],
): Promise<void> => {
  const rows = lines.map(({ sessionId, ...line }) => ({ ...line, id: uuid(), sourceId: sessionId }))
  if (rows.length > 0) await insertSessionPoints(tx, rows, clock())
}
