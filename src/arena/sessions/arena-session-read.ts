/** Batched readers of sessions, their games and players. */

import type { ArenaGame, ArenaPlayer, ArenaSession } from '../../generated/prisma/client.ts'
import type { Queries } from '../../kit/database/db.ts'
import type { Model } from '../../kit/database/model.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Work } from '../../kit/runtime.ts'
import { findRowParts, type PartOf } from '../../kit/schema/parts.ts'
import { selectOpenSessions } from './arena-session.sql.ts'

export type ListedSession = ArenaSession & { players: ArenaPlayer[] }

export const withPlayers = { players: { orderBy: { slot: 'asc' } } } as const

/** Sessions by their ids. */
export const findSessions = async (
  { tx }: Work,
  ids: string[],
): Promise<(ListedSession | null)[]> =>
  inOrder(ids, await tx.arenaSession.findMany({ where: { id: { in: ids } }, include: withPlayers }))

/** The model of sessions, each with its players. */
export const sessionsWithPlayers = (tx: Queries): Model<ListedSession> => ({
  count: (args) => tx.arenaSession.count(args),
  findMany: (args) => tx.arenaSession.findMany({ ...args, include: withPlayers }),
})

const findSessionRows = (work: Work, asked: PartOf[]) =>
  findRowParts(work, { model: 'ArenaSession', parent: 'game_id', by: { id: 'uuid' } }, asked)

/** Pages of the sessions of games. */
export const findSessionParts = async (work: Work, asked: PartOf[]): Promise<ListedSession[][]> => {
  const parts = await findSessionRows(work, asked)
  const players = await work.tx.arenaPlayer.findMany({
    where: { sessionId: { in: parts.flat().map(({ id }) => id) } },
    orderBy: { slot: 'asc' },
  })
  const bySession = Map.groupBy(players, ({ sessionId }) => sessionId)
  return parts.map((part) =>
    part.map((session) => ({ ...session, players: bySession.get(session.id) ?? [] })),
  )
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
  const byGame = Map.groupBy(sessions, ({ gameId }) => gameId)
  return gameIds.map((id) => byGame.get(id) ?? [])
}

/** The games of sessions, regardless of who may see them. */
export const findGamesOf = async ({ tx }: Work, sessionIds: string[]): Promise<ArenaGame[]> => {
  const sessions = await tx.arenaSession.findMany({
    where: { id: { in: [...new Set(sessionIds)] } },
    select: { id: true, game: true },
  })
  const games = new Map(sessions.map(({ id, game }) => [id, game]))
  return sessionIds.map((id) => games.get(id) as ArenaGame)
}
