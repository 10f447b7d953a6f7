/** Statements that read and compact statistics. */
import { type ItemsOf, inputRows, returns, statement } from '../core/db/statement.ts'
import type { Tenant } from '../core/tenant.ts'
import { Prisma } from '../generated/prisma/client.ts'

const seriesRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  metric: 'text',
  startsAt: 'timestamptz',
  /** A moment of the last bucket. */
  lastAt: 'timestamptz',
  /** `hour`, `day`, `week` or `month`. */
  unit: 'text',
  timeZone: 'text',
  /** The place in the key that facts are grouped by; 0 for one series. */
  groupedBy: 'int',
  /** The place in the key that is filtered by; 0 for all facts. */
  filteredBy: 'int',
  allowed: 'text[]',
})

/** A question for series. */
export type SeriesRow = ItemsOf<typeof seriesRows>[number]

/** Series of one question: those with the highest totals. */
const maxGroups = 50

/**
 * The buckets of each question, and in each the value of each group that has one. A bucket without any value
 * has one row without a group. Buckets are whole intervals of the time zone, the first one holds `from`.
 */
export const selectSeries = statement(
  'find_series',
  returns({
    n: 'int',
    startsAt: 'timestamptz',
    endsAt: 'timestamptz',
    group: 'text?',
    value: 'bigint?',
  }),
  (asked: ItemsOf<typeof seriesRows>) => Prisma.sql`
    WITH asked AS MATERIALIZED (
      SELECT * FROM ${seriesRows(asked)}
    ), bucket AS MATERIALIZED (
      SELECT n, starts.starts_at, starts.starts_at + interval '1 hour' AS ends_at
      FROM asked a, generate_series(date_trunc('hour', a.starts_at, time_zone),
        a.last_at, interval '1 hour') AS starts (starts_at)
      WHERE unit = 'hour'
      UNION ALL
      SELECT n, local AT TIME ZONE time_zone, (local + ('1 ' || unit)::interval) AT TIME ZONE time_zone
      FROM asked a, generate_series(date_trunc(unit, a.starts_at AT TIME ZONE time_zone),
        a.last_at AT TIME ZONE time_zone, ('1 ' || unit)::interval) AS local
      WHERE unit <> 'hour'
    ), found AS MATERIALIZED (
      SELECT b.n, b.starts_at, v."group", v.value
      FROM bucket b JOIN asked a USING (n)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN a.grouped_by = 0 THEN '' ELSE split_part(s.key, chr(31), a.grouped_by) END AS "group",
          sum(CASE WHEN s.hour >= b.starts_at AND s.hour + interval '1 hour' <= b.ends_at
            THEN s.q1 + s.q2 + s.q3 + s.q4
            ELSE s.q1 * (s.hour >= b.starts_at AND s.hour < b.ends_at)::int
              + s.q2 * (s.hour + interval '15 minutes' >= b.starts_at
                AND s.hour + interval '15 minutes' < b.ends_at)::int
              + s.q3 * (s.hour + interval '30 minutes' >= b.starts_at
                AND s.hour + interval '30 minutes' < b.ends_at)::int
              + s.q4 * (s.hour + interval '45 minutes' >= b.starts_at
                AND s.hour + interval '45 minutes' < b.ends_at)::int END)::bigint AS value
        FROM statistic s
        WHERE s.partner_id = a.partner_id AND s.environment = a.environment AND s.metric = a.metric
          AND s.hour > b.starts_at - interval '1 hour' AND s.hour < b.ends_at
          AND (a.filtered_by = 0 OR split_part(s.key, chr(31), a.filtered_by) = ANY (a.allowed))
        GROUP BY 1) v
      WHERE v.value <> 0
    ), ranked AS (
      SELECT n, "group", row_number() OVER (PARTITION BY n ORDER BY sum(value) DESC, "group") AS rank
      FROM found GROUP BY 1, 2
    )
    SELECT b.n, b.starts_at AS "startsAt", b.ends_at AS "endsAt", f."group", f.value
    FROM bucket b LEFT JOIN (found f JOIN ranked r ON (r.n, r."group") = (f.n, f."group")
      AND r.rank <= ${maxGroups}::int) ON (f.n, f.starts_at) = (b.n, b.starts_at)
    ORDER BY b.n, b.starts_at, f."group"`,
  { isPrepared: false },
)

/** The sums of a metric by its keys, over whole hours. */
export const selectTotals = statement(
  'find_statistic_totals',
  returns({ key: 'text[]', total: 'bigint' }),
  ({ partnerId, environment }: Tenant, metric: string, from: Date, to: Date) => Prisma.sql`
    SELECT string_to_array(key, chr(31)) AS key, sum(q1 + q2 + q3 + q4)::bigint AS total
    FROM statistic
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND metric = ${metric} AND hour > ${from}::timestamptz - interval '1 hour' AND hour < ${to}::timestamptz
    GROUP BY statistic.key`,
  { isPrepared: false },
)

/** How many users of each cohort were active in each of its periods. Both are named by their first day. */
export const selectCohorts = statement(
  'find_cohorts',
  returns({ cohort: 'text', period: 'timestamptz', users: 'bigint' }),
  ({ partnerId, environment }: Tenant, metric: string, cohorts: string[]) => Prisma.sql`
    SELECT key AS cohort, hour AS period, sum(q1 + q2 + q3 + q4)::bigint AS users
    FROM statistic
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND metric = ${metric} AND key = ANY (${cohorts}::text[])
      AND hour >= (SELECT min(cohort) FROM unnest(${cohorts}::text[]) cohort)::timestamp AT TIME ZONE 'UTC'
    GROUP BY key, hour`,
  { isPrepared: false },
)

/**
 * Puts the shards of closed hours into one. Rows that a writer holds wait for the next run, and so does everything
 * while another writer has the first shard. Returns how many rows are gone.
 */
export const mergeShards = statement(
  'merge_statistic_shards',
  returns({ merged: 'int' }),
  (before: Date, most: number) => Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT pg_advisory_xact_lock('statistic'::regclass::oid::integer, 0)
    ), closed AS MATERIALIZED (
      SELECT s.ctid FROM own, statistic s WHERE s.shard <> 0 AND s.hour < ${before}::timestamptz
      LIMIT ${most}::int FOR UPDATE OF s SKIP LOCKED
    ), gone AS (
      DELETE FROM statistic s USING closed c WHERE s.ctid = c.ctid RETURNING s.*
    ), kept AS (
      INSERT INTO statistic AS s (partner_id, environment, metric, hour, key, shard, q1, q2, q3, q4)
      SELECT partner_id, environment, metric, hour, key, 0, sum(q1), sum(q2), sum(q3), sum(q4)
      FROM gone GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (partner_id, environment, metric, hour, key, shard) DO UPDATE SET
        q1 = s.q1 + excluded.q1, q2 = s.q2 + excluded.q2, q3 = s.q3 + excluded.q3,
        q4 = s.q4 + excluded.q4
    )
    SELECT count(*)::int AS merged FROM gone`,
  { isPrepared: false },
)
