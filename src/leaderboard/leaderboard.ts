import { readCounter } from '../core/counters.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import type { EndUser } from '../generated/prisma/client.ts'

export type RankedUser = { rank: number; user: EndUser }

/** Where users stand: score descending, then who reached it first, then userId. */
export const byScore = [
  ['score', 'desc'],
  ['scoreReachedAt', 'asc'],
  ['externalId', 'asc'],
] as const

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
