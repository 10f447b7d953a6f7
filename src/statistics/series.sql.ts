import { Prisma } from '../generated/prisma/client.ts'
import { both, type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'

const questionColumns = {
  partnerId: 'uuid',
  environment: 'Environment',
  metric: 'text',
  startsAt: 'timestamptz',
  /** A moment in the last bucket. */
  lastAt: 'timestamptz',
  /** `hour`, `day`, `week` or `month`. */
  unit: 'text',
  timeZone: 'text',
  /** The time zone of the days, weeks and months that are counted: they have the dates that the span has in `timeZone`. */
  countedIn: 'text',
  /** The place in the key that facts are grouped by; 0 for one series. */
  groupedBy: 'int',
  /** The place in the key that is filtered by; 0 for all facts. */
  filteredBy: 'int',
  allowed: 'text[]',
} as const

const seriesRows = inputRows(questionColumns)
const userSeriesRows = inputRows({ ...questionColumns, userId: 'uuid' })

/** A question for series. */
export type SeriesRow = ItemsOf<typeof seriesRows>[number]

/** The maximum number of groups of one question: those with the highest totals. */
const maxGroups = 50

/**
 * `first_at`: when a clock of the time zone first shows the time `local`. After a clock was put back, PostgreSQL takes the
 * second of two such moments. The time a few hours before says by how much it was put back.
 */
const firstMoment = Prisma.sql`LATERAL (SELECT local AT TIME ZONE counted_in AS moment) m,
          LATERAL (SELECT moment - ((moment - interval '6 hours') AT TIME ZONE counted_in
            - (local - interval '6 hours')) AS earlier) e,
          LATERAL (SELECT CASE WHEN earlier < moment AND earlier AT TIME ZONE counted_in = local THEN earlier
            ELSE moment END AS first_at) s`

/**
 * The buckets of each question: whole intervals of the time zone, starting with the one that contains `from`. The limit
 * tells the planner how many questions there are. Otherwise it expects a hundred and JIT-compiles the statement, which
 * takes longer than running it.
 */
export const bucketsOf = (
  requested: Prisma.Sql,
  count: number,
) => Prisma.sql`asked AS MATERIALIZED (
      SELECT * FROM ${requested} LIMIT ${count}::int
    ), bucket AS MATERIALIZED (
      SELECT n, starts.starts_at, starts.starts_at + interval '1 hour' AS ends_at,
        to_char(starts.starts_at AT TIME ZONE time_zone, 'YYYY-MM-DD') AS date
      FROM asked a, generate_series(date_trunc('hour', a.starts_at, time_zone),
        a.last_at, interval '1 hour') AS starts (starts_at)
      WHERE unit = 'hour'
      UNION ALL
      SELECT n, first_at, ends_at, to_char(local, 'YYYY-MM-DD') FROM (
        SELECT n, local, first_at, lead(first_at) OVER (PARTITION BY n ORDER BY local) AS ends_at
        FROM asked a, generate_series(date_trunc(unit, a.starts_at AT TIME ZONE time_zone),
            a.last_at AT TIME ZONE time_zone + ('1 ' || unit)::interval, ('1 ' || unit)::interval) AS local,
          ${firstMoment}
        WHERE unit <> 'hour') b
      -- A day that the zone skips is empty.
      WHERE first_at < ends_at
    )`

const seriesColumns = returns({
  n: 'int',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  date: 'text',
  group: 'text?',
  value: 'bigint?',
})

/**
 * The buckets of each question, and in each the value of each group that has one, of `found (n, starts_at, "group",
 * value)`. A bucket without any value has one row without a group.
 * @param size SQL of the column with the number of facts, and of its join
 */
const bucketsWithValues = (size = { column: Prisma.empty, join: Prisma.empty }) => Prisma.sql`
    ranked AS (
      SELECT n, "group", row_number() OVER (PARTITION BY n ORDER BY sum(value) DESC, "group") AS rank
      FROM found GROUP BY 1, 2
    )
    SELECT b.n, b.starts_at AS "startsAt", b.ends_at AS "endsAt", b.date, f."group", f.value${size.column}
    FROM bucket b LEFT JOIN (found f JOIN ranked r ON (r.n, r."group") = (f.n, f."group")
      AND r.rank <= ${maxGroups}::int) ON (f.n, f.starts_at) = (b.n, b.starts_at)${size.join}
    ORDER BY b.n, b.starts_at, f."group"`

/** The series of each question, from statistics. */
export const selectSeries = statement(
  'find_series',
  seriesColumns,
  (requested: ItemsOf<typeof seriesRows>) => Prisma.sql`
    WITH ${bucketsOf(seriesRows(requested), requested.length)}, found AS MATERIALIZED (
      SELECT a.n, f.starts_at, f."group", f.value
      FROM asked a
      JOIN (SELECT n, array_agg(starts_at ORDER BY starts_at) || max(ends_at) AS bounds FROM bucket GROUP BY n) b USING (n)
      CROSS JOIN LATERAL statistics_between(a.partner_id, a.environment, a.metric, b.bounds, a.grouped_by,
        a.filtered_by, a.allowed) f
    ),${bucketsWithValues()}`,
  { isPrepared: false },
)

/**
 * The series of each question, from the facts of a user of its partner and environment. `factCount` is the number of
 * facts that were read. If it is `most`, there may be more.
 */
export const selectUserSeries = statement(
  'find_user_series',
  both(seriesColumns, returns({ factCount: 'int' })),
  (requested: ItemsOf<typeof userSeriesRows>, most: number) => Prisma.sql`
    WITH ${bucketsOf(userSeriesRows(requested), requested.length)}, span AS MATERIALIZED (
      SELECT n, min(starts_at) AS begins_at, max(ends_at) AS ends_at,
        array_agg(starts_at ORDER BY starts_at) AS starts
      FROM bucket GROUP BY n
    ), fact AS MATERIALIZED (
      SELECT n, starts[width_bucket(f.occurred_at, starts)] AS starts_at,
        CASE WHEN grouped_by = 0 THEN '' ELSE coalesce(f.key[grouped_by], '') END AS "group",
        CASE WHEN f.metric = a.metric THEN f.amount ELSE 0 END AS amount
      FROM asked a JOIN span s USING (n)
      JOIN end_user u ON (u.id, u.partner_id, u.environment) = (a.user_id, a.partner_id, a.environment)
      CROSS JOIN LATERAL facts_of_user(u.id, a.metric, s.begins_at, s.ends_at, ${most}::int) f
    ), size AS MATERIALIZED (
      SELECT n, count(*)::int AS facts FROM fact GROUP BY n
    ), found AS MATERIALIZED (
      SELECT n, starts_at, "group", sum(amount)::bigint AS value
      FROM fact GROUP BY 1, 2, 3 HAVING sum(amount) <> 0
    ),${bucketsWithValues({
      column: Prisma.sql`, coalesce(s.facts, 0) AS "factCount"`,
      join: Prisma.sql` LEFT JOIN size s ON s.n = b.n`,
    })}`,
  { isPrepared: false },
)

const platformRows = inputRows({
  metric: 'text',
  /** Null for both. */
  environment: 'Environment?',
  /** Null for all. */
  partnerId: 'uuid?',
  startsAt: 'timestamptz',
  /** A moment in the last bucket. */
  lastAt: 'timestamptz',
  /** `day`, `week` or `month`. */
  unit: 'text',
  timeZone: 'text',
  countedIn: 'text',
  /** `PARTNER` or `ENVIRONMENT`; empty for one series. */
  groupedBy: 'text',
})

/** A question for series of all partners. The time zone is UTC. */
export type PlatformRow = ItemsOf<typeof platformRows>[number]

/** The series of each question. */
export const selectPlatformSeries = statement(
  'find_platform_series',
  seriesColumns,
  (requested: ItemsOf<typeof platformRows>) => Prisma.sql`
    WITH ${bucketsOf(platformRows(requested), requested.length)}, found AS MATERIALIZED (
      SELECT a.n, f.starts_at, f."group", f.value
      FROM asked a
      JOIN (SELECT n, min(starts_at) AS begins_at, max(ends_at) AS ends_at FROM bucket GROUP BY n) b USING (n)
      CROSS JOIN LATERAL platform_statistics(a.metric, a.environment, a.partner_id, a.unit, b.begins_at, b.ends_at,
        a.grouped_by) f
    ),${bucketsWithValues()}`,
  { isPrepared: false },
)

const firstFactRows = inputRows({ partnerId: 'uuid', environment: 'Environment', metric: 'text' })

/** When the first fact of each metric of a partner was counted: the hour, or the day of UTC. Null without facts. */
export const selectFirstFacts = statement(
  'find_first_facts',
  returns({ n: 'int', since: 'timestamptz?' }),
  (requested: ItemsOf<typeof firstFactRows>) => Prisma.sql`
    SELECT n, least(
      (SELECT d.day FROM statistic_day d
        WHERE (d.partner_id, d.environment, d.metric) = (a.partner_id, a.environment, a.metric)
        ORDER BY d.day LIMIT 1),
      (SELECT s.hour FROM statistic s
        WHERE (s.partner_id, s.environment, s.metric) = (a.partner_id, a.environment, a.metric)
        ORDER BY s.hour LIMIT 1)) AS since
    FROM ${firstFactRows(requested, 'a')}`,
)
