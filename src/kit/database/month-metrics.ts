/** Exports for how many months ahead there are partitions. */

import type pg from 'pg'
import { cachedFor } from '../cached.ts'
import type { Metrics } from '../observability/metrics.ts'
import { exportGauge } from '../observability/metrics.ts'
import { monthsAhead, readMonthlyTables } from './months.ts'

/** The answer changes once a month. */
const keptMs = 60_000

export const measureMonths = ({ direct, metrics }: { direct: pg.Pool; metrics: Metrics }): void => {
  const look = cachedFor(keptMs, async () =>
    monthsAhead(await readMonthlyTables(direct), new Date()),
  )
  exportGauge(
    metrics.registry,
    {
      name: 'tessera_months_ahead',
      help: 'Months after the current one for which tables have partitions; 0 if the next one is missing',
    },
    async () => [[{}, await look()]],
  )
}
