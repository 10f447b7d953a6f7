/** The statement that ranks users. */
import { type ItemsOf, inputRows, returns, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

const userRows = inputRows({ id: 'uuid' })

/** Ranks of users in the order `byScore`: the number of users ahead, plus one. */
export const selectRanks = statement(
  'find_ranks',
  returns({ n: 'int', rank: 'bigint' }),
  (users: ItemsOf<typeof userRows>) => Prisma.sql`
    SELECT k.n, 1 + (SELECT count(*) FROM end_user o
      WHERE o.partner_id = u.partner_id AND o.environment = u.environment AND o.score >= u.score
        AND (o.score > u.score OR o.score_reached_at < u.score_reached_at
          OR (o.score_reached_at = u.score_reached_at AND o.external_id < u.external_id))) AS rank
    FROM ${userRows(users, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM end_user e WHERE e.id = k.id LIMIT 1) u`,
)
