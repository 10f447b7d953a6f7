import { retrying } from '../kit/database/db.ts'
import type { Job } from '../kit/jobs/job.ts'
import type { Runtime } from '../kit/runtime.ts'
import { findDueUsers } from './classification.sql.ts'
import { classifyUsers } from './classification.ts'
import { finishErasures } from './erasure.ts'
import { expiredAtOnce, expireOffers } from './offer.ts'
import { runUserBatches } from './user-batch.ts'

/** Limits: users per transaction, and transactions per run. The next run continues. */
const usersAtOnce = 500
const maxRounds = 400

/** Classifies all users who are due, the longest due first. */
const classifyDue = async (runtime: Runtime) => {
  for (let round = 0; round < maxRounds; round++) {
    const due = await findDueUsers(runtime.db, runtime.clock(), usersAtOnce)
    const userIds = due.map(({ userId }) => userId)
    if (userIds.length > 0) await retrying(() => classifyUsers(runtime, userIds))
    if (userIds.length < usersAtOnce) return
  }
}

export const journeyJobs: Job[] = [
  // Journey calls classify at once. This job classifies users after awards and plays, and when time alone changes their
  // stage. An index finds the users who are due, so an idle run costs little.
  { name: 'classify-users', everySeconds: 5, run: classifyDue },
  { name: 'run-user-batches', everySeconds: 2, run: runUserBatches },
  {
    name: 'expire-offers',
    everySeconds: 60,
    run: async (runtime) => {
      while ((await expireOffers(runtime)) === expiredAtOnce);
    },
  },
  { name: 'finish-erasures', everySeconds: 60, run: finishErasures },
]
