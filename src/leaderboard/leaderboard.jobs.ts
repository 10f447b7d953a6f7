import { retrying } from '../core/db/db.ts'
import type { Job } from '../core/job.ts'
import type { Runtime } from '../core/runtime.ts'
import { markLeaderboard, selectStaleLeaderboards } from './leaderboard-mark.sql.ts'

const usersBetweenMarks = 500

/**
 * Counts long leaderboards again. The longer one is, the more rarely: 10,000,000 users every 500 s, which takes about one
 * percent of a core.
 */
export const markLeaderboards = async (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  every = usersBetweenMarks,
): Promise<void> => {
  const now = clock()
  const first = 10 * every
  for (const tenant of await selectStaleLeaderboards(db, now, 2 * first))
    await retrying(() => markLeaderboard(db, tenant, now, first, every))
}

export const leaderboardJobs: Job[] = [
  { name: 'mark-leaderboards', everySeconds: 60, run: (runtime) => markLeaderboards(runtime) },
]
