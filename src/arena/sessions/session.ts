/** Locks, writes and counts sessions (interface: Arena session status). */

import { v7 as uuid } from 'uuid'
import type { ArenaGame, ArenaPlayer, ArenaSession } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import type { Queries } from '../../kit/database/db.ts'
import type { Model } from '../../kit/database/model.ts'
import { ofTenant } from '../../kit/database/tenant-client.ts'
import { inOrder, listsInOrder } from '../../kit/in-order.ts'
import type { Keys, Transaction, Work } from '../../kit/runtime.ts'
import { findRowParts, type PartOf } from '../../kit/schema/parts.ts'
import { isTokenOf, type MasterKey, macOf } from '../../kit/security/seal.ts'
import type { Tenant } from '../../kit/tenant.ts'
import type { UserId } from '../../kit/user-id.ts'
import { lockUsersById } from '../../users/end-user.ts'
import { waitingMs } from './session.rules.ts'
import {
  deleteSessions,
  insertNewSessions,
  insertSessionPoints,
  selectOpenSessions,
  selectSessionsForUpdate,
  updateSessions,
} from './session.sql.ts'

const tokenOf = (key: MasterKey, sessionId: string, playerId: string): string => {
  const mac = macOf(key.text, 'session-token', `${sessionId}.${playerId}`)
  return `st_${playerId}.${mac.toString('base64url')}`
}

/** The token of a player. It is derived from the ids, so nothing is stored and it can be issued again. */
export const sessionTokenOf = (
  { master: [key] }: Pick<Keys, 'master'>,
  sessionId: string,
  playerId: string,
): string => tokenOf(key, sessionId, playerId)

const format = /^st_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./

/** The player of this session that a token belongs to, or null for any other token. */
export const readSessionToken = (
  { master }: Pick<Keys, 'master'>,
  sessionId: string,
  token: string,
): string | null => {
  const playerId = format.exec(token)?.[1]
  if (!playerId) return null
  return isTokenOf(master, token, (key) => tokenOf(key, sessionId, playerId)) ? playerId : null
}

export type ListedSession = ArenaSession & { players: ArenaPlayer[] }

export const withPlayers = { players: { orderBy: { slot: 'asc' } } } as const

/** Sessions by their ids. */
export const findSessions = async (
  { tx }: Work,
  ids: string[],
): Promise<(ListedSession | null)[]> =>
  inOrder(ids, await tx.arenaSession.findMany({ where: { id: { in: ids } }, include: withPlayers }))

/** The additional results of completed sessions; null where the accepted report has none. */
export const findResults = async ({ tx }: Work, sessionIds: string[]): Promise<unknown[]> => {
  const reports = await tx.arenaReport.findMany({
    where: { sessionId: { in: [...new Set(sessionIds)] }, resultsJson: { not: null } },
    orderBy: [{ reportedAt: 'asc' }, { id: 'asc' }],
    select: {
      sessionId: true,
      winnerId: true,
      resultsJson: true,
      session: { select: { winnerId: true } },
    },
  })
  // Under QUORUM, several players report the same outcome; the last report decides.
  const accepted = reports.filter(({ winnerId, session }) => winnerId === session.winnerId)
  const bySession = new Map(accepted.map(({ sessionId, resultsJson }) => [sessionId, resultsJson]))
  return sessionIds.map((id) => JSON.parse(bySession.get(id) ?? 'null'))
}

/** Players by their ids. Each exists: nobody leaves a session that has begun. */
export const findPlayers = async ({ tx }: Work, ids: string[]): Promise<ArenaPlayer[]> =>
  inOrder(
    ids,
    await tx.arenaPlayer.findMany({ where: { id: { in: [...new Set(ids)] } } }),
  ) as ArenaPlayer[]

/** The model of sessions, each with its players. */
export const sessionsWithPlayers = (tx: Queries): Model<ListedSession> => ({
  count: (args) => tx.arenaSession.count(args),
  findMany: (args) => tx.arenaSession.findMany({ ...args, include: withPlayers }),
})

const findSessionRows = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'ArenaSession', parent: 'game_id', by: { id: 'uuid' } }, requested)

/** Pages of the sessions of games. */
export const findSessionParts = async (
  work: Work,
  requested: PartOf[],
): Promise<ListedSession[][]> => {
  const parts = await findSessionRows(work, requested)
  const players = await work.tx.arenaPlayer.findMany({
    where: { sessionId: { in: parts.flat().map(({ id }) => id) } },
    orderBy: { slot: 'asc' },
  })
  return parts.map((part) => {
    const ids = part.map(({ id }) => id)
    const lists = listsInOrder(ids, players, ({ sessionId }) => sessionId)
    return part.map((session, n) => ({ ...session, players: lists[n] ?? [] }))
  })
}

const shownOpen = 100

/** The sessions of games that have free seats, oldest first. */
export const findOpenSessions = async (
  { tx, clock }: Work,
  gameIds: string[],
): Promise<ListedSession[][]> => {
  const found = await selectOpenSessions(tx, [...new Set(gameIds)], clock(), shownOpen)
  const sessions = await tx.arenaSession.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
    include: withPlayers,
  })
  return listsInOrder(gameIds, sessions, ({ gameId }) => gameId)
}

/** The games of sessions, regardless of who may see them. */
export const findGamesOf = async ({ tx }: Work, sessionIds: string[]): Promise<ArenaGame[]> => {
  const sessions = await tx.arenaSession.findMany({
    where: { id: { in: [...new Set(sessionIds)] } },
    select: { id: true, game: true },
  })
  return inOrder(sessionIds, sessions).map((session) => session?.game as ArenaGame)
}

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
type SessionChange = { was: ArenaSessionStatus; session: SessionWithPlayers }

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
  const owner = { partnerId: game.partnerId, environment: 'LIVE' } as const
  const total = await ofTenant(tx, owner).counter.aggregate({
    where: { name: { in: statuses.map((status) => counterOf(game.id, status)) } },
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
