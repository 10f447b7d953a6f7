/** The statement that ranks users. */
import { type ItemsOf, inputRows, returns, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Above every score. */
const highest = 9_223_372_036_854_775_807n

const userRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  score: 'bigint',
  scoreReachedAt: 'timestamptz',
})

/**
 * Ranks of users in the order `byScore`: the number of users ahead, plus one. Those ahead of the nearest mark were
 * counted with it; those between are counted here, by a range of the index for each tie and for the scores between. The
 * limit tells the planner that there are few users: it would compile the statement for more.
 */
export const selectRanks = statement(
  'find_ranks',
  returns({ n: 'int', rank: 'bigint' }),
  (users: ItemsOf<typeof userRows>) => Prisma.sql`
    SELECT u.n, 1 + coalesce(m.ahead, 0) + (
        SELECT count(*) FROM end_user o
        WHERE o.partner_id = u.partner_id AND o.environment = u.environment
          AND o.score = m.score AND m.score > u.score AND o.score_reached_at >= m.reached_at
      ) + (
        SELECT count(*) FROM end_user o
        WHERE o.partner_id = u.partner_id AND o.environment = u.environment
          AND o.score > u.score AND o.score < coalesce(m.score, ${highest}::bigint)
      ) + (
        SELECT count(*) FROM end_user o
        WHERE o.partner_id = u.partner_id AND o.environment = u.environment
          AND o.score = u.score AND o.score_reached_at <= u.score_reached_at
          AND o.score_reached_at >= CASE WHEN m.score = u.score THEN m.reached_at ELSE '-infinity' END
          AND (o.score_reached_at < u.score_reached_at OR o.external_id < u.external_id)
      ) AS rank
    FROM (SELECT * FROM ${userRows(users)} LIMIT ${users.length}::int) u
    LEFT JOIN LATERAL (
      SELECT * FROM leaderboard_mark a
      WHERE a.partner_id = u.partner_id AND a.environment = u.environment AND a.score >= u.score
        AND (a.score > u.score OR a.reached_at <= u.score_reached_at)
      ORDER BY a.score, a.ahead DESC LIMIT 1
    ) m ON true`,
)
