/** Every job, from the `*.jobs.ts` of the domains. */

import { accountJobs } from './accounts/account.jobs.ts'
import { matchJobs } from './arena/matches/match.jobs.ts'
import { arenaSessionJobs } from './arena/sessions/arena-session.jobs.ts'
import { auditJobs } from './audit/audit-log.ts'
import { backfillJobs } from './core/db/backfill.ts'
import { idempotencyJobs } from './core/http/idempotency.ts'
import { throttleJobs } from './core/http/throttle.ts'
import type { Job } from './core/job.ts'
import { exportJobs } from './exports/export.jobs.ts'
import { journeyJobs } from './journeys/journey.jobs.ts'
import { lotteryJobs } from './lotteries/lottery.jobs.ts'
import { masterKeyJobs } from './master-key-rotation.ts'
import { statisticsJobs } from './statistics/statistics.jobs.ts'
import { webhookJobs } from './webhooks/webhook.jobs.ts'

export const jobs: Job[] = [
  ...backfillJobs,
  ...idempotencyJobs,
  ...throttleJobs,
  ...masterKeyJobs,
  ...accountJobs,
  ...lotteryJobs,
  ...journeyJobs,
  ...matchJobs,
  ...webhookJobs,
  ...arenaSessionJobs,
  ...statisticsJobs,
  ...auditJobs,
  ...exportJobs,
]
