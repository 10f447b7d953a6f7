import { retrying } from '../core/db/db.ts'
import type { Job } from '../core/job.ts'
import { mergeShards } from './statistic.sql.ts'

/** An hour is merged when hardly anybody still writes to it. */
const closedAfterMs = 2 * 3_600_000
/** Rows of one transaction. */
const mergedAtOnce = 1_000

export const statisticsJobs: Job[] = [
  {
    name: 'merge-statistics',
    everySeconds: 600,
    run: async ({ db, clock }) => {
      const before = new Date(clock().getTime() - closedAfterMs)
      for (let merged = mergedAtOnce; merged === mergedAtOnce; ) {
        const [row] = await retrying(() => mergeShards(db, before, mergedAtOnce))
        merged = row?.merged ?? 0
      }
    },
  },
]
