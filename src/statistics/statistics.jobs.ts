import { retrying } from '../kit/database/db.ts'
import type { Job } from '../kit/jobs/job.ts'
import type { Runtime } from '../kit/runtime.ts'
import { packHours } from './statistic.sql.ts'

/** The age at which an hour is packed, when writes to it have become rare. */
const closedAfterMs = 2 * 3_600_000
/** Rows per transaction. */
const packedAtOnce = 1_000

/** Moves past hours into their days. Answers are the same before, during and after a run. */
export const packStatistics = async ({
  db,
  clock,
}: Pick<Runtime, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - closedAfterMs)
  for (let packed = packedAtOnce; packed === packedAtOnce; ) {
    const [row] = await retrying(() => packHours(db, before, packedAtOnce))
    packed = row?.packed ?? 0
  }
}

export const statisticsJobs: Job[] = [
  { name: 'pack-statistics', everySeconds: 600, run: packStatistics },
]
