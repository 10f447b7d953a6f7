import type { Job } from '../kit/jobs/job.ts'
import type { Runtime } from '../kit/runtime.ts'
import { markLeaderboard, selectStaleLeaderboards } from './leaderboard.sql.ts'
import { markLeaderboards } from './marks.ts'

/** Recounts the marks of long leaderboards of all users. */
export const markUsers = (runtime: Pick<Runtime, 'db' | 'clock'>, every?: number): Promise<void> =>
  markLeaderboards(runtime, selectStaleLeaderboards, markLeaderboard, every)

export const leaderboardJobs: Job[] = [
  { name: 'mark-leaderboards', everySeconds: 60, run: (runtime) => markUsers(runtime) },
]
