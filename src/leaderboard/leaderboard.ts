import { readCounter } from '../core/counters.ts'
import type { Model } from '../core/db/model.ts'
import type { Source } from '../core/graphql/connection.ts'
import { rows } from '../core/graphql/rows.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { selectRanks } from './leaderboard.sql.ts'

export type RankedUser = { rank: number; user: EndUser }

/** The order of the leaderboard: score descending, then who reached it first, then external id. */
const byScore = [
  ['score', 'desc'],
  ['scoreReachedAt', 'asc'],
  ['externalId', 'asc'],
] as const

/**
 * Ranks of users, in one statement. They are exact up to the first mark. Behind it, changes further ahead count when
 * the marks are next counted.
 */
export const findRanks = async ({ tx }: Work, users: EndUser[]): Promise<number[]> => {
  const ranks: number[] = []
  const places = users.map(({ scoreReachedAt, ...user }) => ({
    ...user,
    reachedAt: scoreReachedAt,
  }))
  for (const { n, rank } of await selectRanks(tx, places)) ranks[n] = Number(rank)
  return ranks
}

/** All users of an environment, by score. */
export const rankedUsers = (model: Model<EndUser>, tenant: Tenant): Source<EndUser> =>
  rows(model, { where: tenantOf(tenant), order: byScore })

/** The users around a user, `distance` on each side, with their ranks. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[]> => {
  const { fetch, placeOf } = rankedUsers(work.tx.endUser, tenant)
  const part = { take: distance, skip: 0, from: placeOf(user) }
  const [ahead, behind, [rank = 1]] = await Promise.all([
    fetch({ ...part, backward: true }),
    fetch({ ...part, backward: false }),
    findRanks(work, [user]),
  ])
  const first = ahead.length < distance ? 1 : rank - ahead.length
  return [...ahead.reverse(), user, ...behind].map((user, i) => ({ rank: first + i, user }))
}

export const countRankedUsers = ({ tx }: Work, tenant: Tenant): Promise<number> =>
  readCounter(tx, tenant, 'users')
