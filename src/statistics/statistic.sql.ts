import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** The sums of a metric by its keys, over whole hours. */
export const selectTotals = statement(
  'find_statistic_totals',
  returns({ key: 'text[]', total: 'bigint' }),
  ({ partnerId, environment }: Tenant, metric: string, from: Date, to: Date) => Prisma.sql`
    SELECT string_to_array(key, chr(31)) AS key, sum(statistic_before(ends_at, starts_at, quarters, sums)
      - statistic_before(begins_at, starts_at, quarters, sums))::bigint AS total
    FROM packed_statistic, (SELECT date_bin('1 hour', ${from}::timestamptz, 'epoch') AS begins_at,
      date_bin('1 hour', ${to}::timestamptz + interval '59:59.999', 'epoch') AS ends_at) hours
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment" AND metric = ${metric}
      AND starts_at > begins_at - interval '1 day' AND starts_at < ends_at
    GROUP BY packed_statistic.key
    HAVING sum(statistic_before(ends_at, starts_at, quarters, sums)
      - statistic_before(begins_at, starts_at, quarters, sums)) <> 0`,
  { isPrepared: false },
)

/** How many users of each cohort were active in each of its periods. Both are named by their first day. */
export const selectCohorts = statement(
  'find_cohorts',
  returns({ cohort: 'text', period: 'timestamptz', users: 'bigint' }),
  ({ partnerId, environment }: Tenant, metric: string, cohorts: string[]) => Prisma.sql`
    SELECT key AS cohort, starts_at AS period, sum(sums[cardinality(sums)])::bigint AS users
    FROM packed_statistic
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND metric = ${metric} AND key = ANY (${cohorts}::text[])
      AND starts_at >= (SELECT min(cohort) FROM unnest(${cohorts}::text[]) cohort)::timestamp AT TIME ZONE 'UTC'
    GROUP BY key, starts_at`,
  { isPrepared: false },
)

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
