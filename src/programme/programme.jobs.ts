import type { Job } from '../kit/jobs/job.ts'
import { countGoals, deleteExpiredCounters } from './counting.ts'
import { decideGoals } from './decider.ts'
import { endDueGoals } from './goal.ts'
import { settleDueGrants } from './payer.ts'
import { repayDueShortfalls } from './repayment.ts'
import { computeDeadlines } from './streak-deadlines.ts'
import { restoreBrokenStreaks } from './streak-restoration.ts'
import { settleDueStreaks } from './streak-settling.ts'

export const programmeJobs: Job[] = [
  // An index finds what is due, so an idle run costs little.
  { name: 'settle-grants', everySeconds: 2, run: settleDueGrants },
  { name: 'repay-shortfalls', everySeconds: 5, run: repayDueShortfalls },
  { name: 'end-goals', everySeconds: 10, run: endDueGoals },
  { name: 'count-goals', everySeconds: 2, run: countGoals },
  { name: 'decide-goals', everySeconds: 2, run: decideGoals },
  { name: 'settle-streaks', everySeconds: 10, run: settleDueStreaks },
  { name: 'compute-streak-deadlines', everySeconds: 10, run: computeDeadlines },
  { name: 'restore-streaks', everySeconds: 2, run: restoreBrokenStreaks },
  { name: 'delete-closed-counters', everySeconds: 3_600, run: deleteExpiredCounters },
]
