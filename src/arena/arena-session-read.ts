/** Sessions, and what they lead to, for many at once. */
import type { Work } from '../core/runtime.ts'
import type { ArenaGame, ArenaPlayer, ArenaSession, Partner } from '../generated/prisma/client.ts'

export type Listed = ArenaSession & { players: ArenaPlayer[] }

export const withPlayers = { players: { orderBy: { slot: 'asc' } } } as const

const inOrder = <T extends { id: string }>(ids: string[], found: T[]): (T | null)[] => {
  const byId = new Map(found.map((one) => [one.id, one]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** Sessions by their ids. */
export const findSessions = async ({ tx }: Work, ids: string[]): Promise<(Listed | null)[]> =>
  inOrder(ids, await tx.arenaSession.findMany({ where: { id: { in: ids } }, include: withPlayers }))

export type SessionGame = ArenaGame & { partner: Pick<Partner, 'closedAt'> }

/** Games by their ids, whoever may see them. */
export const findSessionGames = async (
  { tx }: Work,
  ids: string[],
): Promise<(SessionGame | null)[]> =>
  inOrder(
    ids,
    await tx.arenaGame.findMany({
      where: { id: { in: [...new Set(ids)] } },
      include: { partner: { select: { closedAt: true } } },
    }),
  )
