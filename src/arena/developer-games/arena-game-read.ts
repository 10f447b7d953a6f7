/** Reads games and their builds for those who may see them. */

import type { ArenaBuild, ArenaGame, Partner, Prisma } from '../../generated/prisma/client.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import { equal } from '../../kit/schema/filters.ts'

/** A game by its id or slug, if it meets a condition. */
export const findGame = (
  { db }: Pick<Runtime, 'db'>,
  by: { id?: string | undefined; slug?: string | undefined },
  where: Prisma.ArenaGameWhereInput,
): Promise<ArenaGame | null> => db.arenaGame.findFirst({ where: { ...equal(by), ...where } })

/** How many builds of the history are shown. */
export const shownBuilds = 50

/** The newest builds of games, newest first, in one statement. */
export const findBuilds = async ({ tx }: Work, gameIds: string[]): Promise<ArenaBuild[][]> => {
  const games = await tx.arenaGame.findMany({
    where: { id: { in: gameIds } },
    select: { id: true, builds: { orderBy: { buildNo: 'desc' }, take: shownBuilds } },
  })
  const byGame = new Map(games.map(({ id, builds }) => [id, builds]))
  return gameIds.map((id) => byGame.get(id) ?? [])
}

/** The newest build of each game. */
export const findNewestBuilds = async (
  { tx }: Work,
  games: Pick<ArenaGame, 'id' | 'buildNo'>[],
): Promise<(ArenaBuild | null)[]> => {
  const builds = await tx.arenaBuild.findMany({
    where: { OR: games.map(({ id, buildNo }) => ({ gameId: id, buildNo })) },
  })
  const byGame = new Map(builds.map((build) => [build.gameId, build]))
  return games.map(({ id }) => byGame.get(id) ?? null)
}

export type GameOfPartner = ArenaGame & { partner: Pick<Partner, 'closedAt'> }

/** Games by their ids, regardless of who may see them. */
export const findGames = async ({ tx }: Work, ids: string[]): Promise<(GameOfPartner | null)[]> =>
  inOrder(
    ids,
    await tx.arenaGame.findMany({
      where: { id: { in: [...new Set(ids)] } },
      include: { partner: { select: { closedAt: true } } },
    }),
  )
