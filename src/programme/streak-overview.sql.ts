/** Statements about all streaks of a goal. */
import { Prisma } from '../generated/prisma/client.ts'
import { inputRows, returns, statement } from '../kit/database/statement.ts'

const bucketRows = inputRows({ goalId: 'uuid', least: 'int', most: 'int?' })

/** How many users have streaks of lengths of these ranges, up to a limit, in the order of the list. */
export const countStreakLengths = statement(
  'count_streak_lengths',
  returns({ users: 'int' }),
  (buckets: { goalId: string; least: number; most: number | null }[], limit: number) => Prisma.sql`
    SELECT c.users FROM ${bucketRows(buckets)}
    CROSS JOIN LATERAL (SELECT count(*)::int AS users FROM (
      SELECT FROM streak s WHERE s.goal_id = i.goal_id
        AND s.length BETWEEN i.least AND coalesce(i.most, 2147483647)
      LIMIT ${limit}::int) x) c
    ORDER BY i.n`,
)
