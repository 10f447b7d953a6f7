/** The statement that packs statistics into days. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'

/**
 * Moves hours before a moment into their days, at most `most` rows at once. Rows that a writer has locked wait for the
 * next run. Returns how many rows were moved.
 */
export const packHours = statement(
  'pack_statistic_hours',
  returns({ packed: 'int' }),
  (before: Date, most: number) => Prisma.sql`
    WITH turn AS MATERIALIZED (
      SELECT pg_advisory_xact_lock('statistic_day'::regclass::oid::integer, 0)
    ), closed AS MATERIALIZED (
      SELECT s.ctid FROM turn, statistic s WHERE s.hour < ${before}::timestamptz
      ORDER BY s.hour LIMIT ${most}::int FOR UPDATE OF s SKIP LOCKED
    ), gone AS (
      DELETE FROM statistic s USING closed c WHERE s.ctid = c.ctid RETURNING s.*
    ), part AS (
      SELECT partner_id, environment, metric, day, key,
        date_part('epoch', hour - day)::integer / 900 + place AS quarter, sum(amount) AS amount
      FROM (SELECT *, date_bin('1 day', hour, 'epoch') AS day FROM gone) g,
        LATERAL (VALUES (1, q1), (2, q2), (3, q3), (4, q4)) q (place, amount)
      WHERE amount <> 0
      GROUP BY 1, 2, 3, 4, 5, 6
    ), moved AS (
      INSERT INTO statistic_day AS d (partner_id, environment, metric, day, key, quarters, sums)
      SELECT partner_id, environment, metric, day, key, array_agg(quarter ORDER BY quarter),
        array_agg(total ORDER BY quarter)
      FROM (SELECT *, sum(amount) OVER (PARTITION BY partner_id, environment, metric, day, key
        ORDER BY quarter) AS total FROM part) q
      GROUP BY 1, 2, 3, 4, 5
      ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (partner_id, environment, metric, day, key) DO UPDATE SET (quarters, sums) = (
        -- The sum of both at each quarter of either.
        SELECT array_agg(quarter ORDER BY quarter), array_agg(
          coalesce(d.sums[width_bucket(quarter, d.quarters)], 0)
            + coalesce(excluded.sums[width_bucket(quarter, excluded.quarters)], 0) ORDER BY quarter)
        FROM (SELECT unnest(d.quarters) UNION SELECT unnest(excluded.quarters)) q (quarter))
    )
    SELECT count(*)::int AS packed FROM gone`,
  { isPrepared: false },
)
