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

/** The standings right behind one. */
const behind = ({ score, scoreReachedAt, externalId }: Standing): Prisma.EndUserWhereInput => ({
  score: { lte: score },
  OR: [
    { score: { lt: score } },
    { scoreReachedAt: { gt: scoreReachedAt } },
    { scoreReachedAt, externalId: { gt: externalId } },
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

/** Ranks of users, in one statement: one more than there are ahead of them. */
export const findRanks = async ({ tx }: Work, users: EndUser[]): Promise<number[]> => {
  const rows = await tx.$queryRaw<{ n: number; rank: bigint }[]>`/* find_ranks */
    SELECT k.n, 1 + (SELECT count(*) FROM end_user o
      WHERE o.partner_id = u.partner_id AND o.environment = u.environment AND o.score >= u.score
        AND (o.score > u.score OR o.score_reached_at < u.score_reached_at
          OR (o.score_reached_at = u.score_reached_at AND o.external_id < u.external_id))) AS rank
    FROM json_to_recordset(${JSON.stringify(users.map(({ id }, n) => ({ n, id })))}::json)
      AS k (n int, id uuid)
    CROSS JOIN LATERAL (SELECT * FROM end_user e WHERE e.id = k.id LIMIT 1) u`
  const ranks: number[] = []
  for (const { n, rank } of rows) ranks[n] = Number(rank)
  return ranks
}

/** The users around one, `distance` on each side, with their ranks. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[]> => {
  const [rank = 1] = await findRanks(work, [user])
  const first = Math.max(1, rank - distance)
  return listLeaderboard(work, tenant, { rank: first }, rank + distance - first + 1)
}

export const countRankedUsers = ({ tx }: Work, tenant: Tenant): Promise<number> =>
  readCounter(tx, tenant, 'users')
