/** Statements that read totals of statistics. */

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
