import { readCounter } from '../core/counters.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import type { EndUser, Prisma } from '../generated/prisma/client.ts'

/** Where a user stands: score descending, then who reached it first, then userId. */
export type Standing = Pick<EndUser, 'score' | 'scoreReachedAt' | 'externalId'>

export type RankedUser = { rank: number; user: EndUser }

const order: Prisma.EndUserOrderByWithRelationInput[] = [
  { score: 'desc' },
  { scoreReachedAt: 'asc' },
  { externalId: 'asc' },
]

/** The standings right behind (or, reversed, ahead of) one; the only definition of the order beside `order`. */
const behind = ({ score, scoreReachedAt, externalId }: Standing): Prisma.EndUserWhereInput => ({
  score: { lte: score },
  OR: [
    { score: { lt: score } },
    { scoreReachedAt: { gt: scoreReachedAt } },
    { scoreReachedAt, externalId: { gt: externalId } },
  ],
})

const ahead = ({ score, scoreReachedAt, externalId }: Standing): Prisma.EndUserWhereInput => ({
  score: { gte: score },
  OR: [
    { score: { gt: score } },
    { scoreReachedAt: { lt: scoreReachedAt } },
    { scoreReachedAt, externalId: { lt: externalId } },
  ],
})

/**
 * Users by rank: `take` of them from a position, which is a rank (1 is the top) or the standing that
 * comes right before.
 */
export const listLeaderboard = async (
  { tx }: Work,
  { partnerId, environment }: Tenant,
  from: { rank: number; after?: Standing },
  take: number,
): Promise<RankedUser[]> => {
  const users = await tx.endUser.findMany({
    where: { partnerId, environment, ...(from.after && behind(from.after)) },
    orderBy: order,
    take,
    skip: from.after ? 0 : from.rank - 1,
  })
  return users.map((user, i) => ({ rank: from.rank + i, user }))
}

/** The rank of a user: one more than there are ahead of them. */
export const findRank = async (
  { tx }: Work,
  { partnerId, environment, ...standing }: Tenant & Standing,
): Promise<number> =>
  1 + (await tx.endUser.count({ where: { partnerId, environment, ...ahead(standing) } }))

/** The users around one, `distance` on each side, with their ranks. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[]> => {
  const rank = await findRank(work, user)
  const first = Math.max(1, rank - distance)
  return listLeaderboard(work, tenant, { rank: first }, rank + distance - first + 1)
}

export const countRankedUsers = ({ tx }: Work, tenant: Tenant): Promise<number> =>
  readCounter(tx, tenant, 'users')
