/** Every job, from the `*.jobs.ts` of the domains. */

import { accountJobs } from './accounts/mail.jobs.ts'
import { matchJobs } from './arena/matches/match.jobs.ts'
import { arenaSessionJobs } from './arena/sessions/session.jobs.ts'
import { campaignJobs } from './campaigns/campaign.jobs.ts'
import { exportJobs } from './exports/export.jobs.ts'
import { journeyJobs } from './journeys/journey.jobs.ts'
import { backfillJobs } from './kit/jobs/backfill.ts'
import type { Job } from './kit/jobs/job.ts'
import { leaderboardJobs } from './leaderboard/leaderboard.jobs.ts'
import { lotteryJobs } from './lotteries/lottery.jobs.ts'
import { masterKeyJobs } from './master-key-rotation.ts'
import { programmeJobs } from './programme/programme.jobs.ts'
import { retentionJobs } from './retention-rules.ts'
import { statisticsJobs } from './statistics/statistics.jobs.ts'

export const jobs: Job[] = [
  ...backfillJobs,
  ...masterKeyJobs,
  ...accountJobs,
  ...programmeJobs,
  ...lotteryJobs,
  ...journeyJobs,
  ...matchJobs,
  ...arenaSessionJobs,
  ...statisticsJobs,
  ...leaderboardJobs,
  ...campaignJobs,
  ...exportJobs,
  ...retentionJobs,
]
