/** The statement that reads the series of all partners. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, statement } from '../kit/database/statement.ts'
import { bucketsOf, bucketsWithValues, seriesColumns } from './series.sql.ts'

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
  /** `PARTNER` or `ENVIRONMENT`; empty for one series. */
  groupedBy: 'text',
})

/** A question for series of all partners. The time zone is UTC. */
export type PlatformRow = ItemsOf<typeof platformRows>[number]

/** The series of each question. */
export const selectPlatformSeries = statement(
  'find_platform_series',
  seriesColumns,
  (asked: ItemsOf<typeof platformRows>) => Prisma.sql`
    WITH ${bucketsOf(platformRows(asked), asked.length)}, found AS MATERIALIZED (
      SELECT a.n, f.starts_at, f."group", f.value
      FROM asked a
      JOIN (SELECT n, min(starts_at) AS begins_at, max(ends_at) AS ends_at FROM bucket GROUP BY n) b USING (n)
      CROSS JOIN LATERAL platform_statistics(a.metric, a.environment, a.partner_id, a.unit, b.begins_at, b.ends_at,
        a.grouped_by) f
    ),${bucketsWithValues()}`,
  { isPrepared: false },
)
