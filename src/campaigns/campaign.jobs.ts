import type { Job } from '../kit/jobs/job.ts'
import type { Runtime } from '../kit/runtime.ts'
import { markLeaderboards } from '../leaderboard/marks.ts'
import { markCampaign, selectStaleCampaigns } from './participant.sql.ts'

/** Recounts the marks of long campaign leaderboards (docs/decisions/rank-checkpoints.md). */
export const markCampaigns = (
  runtime: Pick<Runtime, 'db' | 'clock'>,
  every?: number,
): Promise<void> => markLeaderboards(runtime, selectStaleCampaigns, markCampaign, every)

export const campaignJobs: Job[] = [
  { name: 'mark-campaigns', everySeconds: 60, run: (runtime) => markCampaigns(runtime) },
]
