import { readCounter } from '../core/counters.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { selectRanks } from './leaderboard.sql.ts'

export type RankedUser = { rank: number; user: EndUser }

/** The order of the leaderboard: score descending, then who reached it first, then external id. */
export const byScore = [
  ['score', 'desc'],
  ['scoreReachedAt', 'asc'],
  ['externalId', 'asc'],
] as const

/** Ranks of users, in one statement. */
export const findRanks = async ({ tx }: Work, users: EndUser[]): Promise<number[]> => {
  const ranks: number[] = []
  for (const { n, rank } of await selectRanks(tx, users)) ranks[n] = Number(rank)
  return ranks
}

/** The users around a user, `distance` on each side, with their ranks. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[]> => {
  const [rank = 1] = await findRanks(work, [user])
  const first = Math.max(1, rank - distance)
  const users = await work.tx.endUser.findMany({
    where: tenantOf(tenant),
    orderBy: byScore.map(([field, direction]) => ({ [field]: direction })),
    skip: first - 1,
    take: rank + distance - first + 1,
  })
  return users.map((user, i) => ({ rank: first + i, user }))
}

export const countRankedUsers = ({ tx }: Work, tenant: Tenant): Promise<number> =>
  readCounter(tx, tenant, 'users')
