/** Reads matches. */

import type { ArenaMatch, ArenaMatchGame, Prisma } from '../../generated/prisma/client.ts'
import { TesseraError } from '../../kit/errors.ts'
import { inOrder, listsInOrder } from '../../kit/in-order.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { isUuid } from '../../kit/validation.ts'
import { selectRecentMatches, sumSpectators } from './match.sql.ts'

export const bestOfs = [1, 3, 5, 7] as const

/** The matches of a caller's own agents, which they may see even if private. */
export const ownMatches = ({ partnerId, environment }: Tenant): Prisma.ArenaMatchWhereInput => ({
  environment,
  OR: [{ partner1Id: partnerId }, { partner2Id: partnerId }],
})

/** Whether a caller may see a match. */
export const isShown = (match: ArenaMatch, caller: Tenant | null): boolean =>
  match.isPublic ||
  (caller !== null &&
    match.environment === caller.environment &&
    [match.partner1Id, match.partner2Id].includes(caller.partnerId))

/** A match that the caller may see, or null. */
export const findMatch = (
  { db }: Pick<Runtime, 'db'>,
  id: string,
  caller: Tenant | null,
): Promise<ArenaMatch | null> =>
  db.arenaMatch.findFirst({
    where: { id, OR: [{ isPublic: true }, ...(caller ? [ownMatches(caller)] : [])] },
  })

/** @throws TesseraError MATCH_NOT_FOUND, for a match that the caller may not see too */
export const getMatch = async (
  runtime: Pick<Runtime, 'db'>,
  matchId: string,
  caller: Tenant | null,
): Promise<ArenaMatch> => {
  const match = isUuid(matchId) ? await findMatch(runtime, matchId, caller) : null
  if (!match) throw new TesseraError('MATCH_NOT_FOUND')
  return match
}

/** Matches by their ids, without an access check. */
export const findMatches = async ({ tx }: Work, ids: string[]): Promise<(ArenaMatch | null)[]> =>
  inOrder(ids, await tx.arenaMatch.findMany({ where: { id: { in: [...new Set(ids)] } } }))

/** The games of matches, in their order. */
export const readGames = async ({ tx }: Work, matchIds: string[]): Promise<ArenaMatchGame[][]> => {
  const rows = await tx.arenaMatchGame.findMany({
    where: { matchId: { in: [...new Set(matchIds)] } },
    orderBy: [{ matchId: 'asc' }, { gameNumber: 'asc' }],
  })
  return listsInOrder(matchIds, rows, ({ matchId }) => matchId)
}

/** The number of recent matches of an agent. */
const recent = 10

/** The newest public matches of agents that have begun, optionally of some games only. */
export const readRecentMatches = async (
  { tx }: Work,
  wanted: { agentId: string; gameTypes: string[] | null }[],
): Promise<ArenaMatch[][]> => {
  const found = await selectRecentMatches(tx, wanted, recent)
  const matches = await tx.arenaMatch.findMany({
    where: { id: { in: [...new Set(found.map(({ id }) => id))] } },
  })
  const ids = listsInOrder(
    wanted,
    found,
    ({ n }) => n,
    (_, n) => n,
  ).map((rows) => rows.map(({ id }) => id))
  return ids.map((some) =>
    (inOrder(some, matches) as ArenaMatch[]).sort((a, b) => (a.id < b.id ? 1 : -1)),
  )
}

/** The current spectators of each match across all nodes. */
export const countSpectators = async (
  { tx, clock }: Work,
  matchIds: string[],
): Promise<number[]> => {
  const rows = await sumSpectators(tx, [...new Set(matchIds)], clock())
  return inOrder(matchIds, rows).map((row) => row?.watching ?? 0)
}
