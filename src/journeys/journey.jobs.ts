import { retrying } from '../core/db/db.ts'
import type { Job } from '../core/job.ts'
import type { Runtime } from '../core/runtime.ts'
import { classifyUsers } from './classification.ts'
import { dayMs, windows } from './journey.rules.ts'
import { expireOffers } from './offer.ts'

/** Users of one transaction, and transactions of one run: the next run goes on. */
const usersAtOnce = 500
const maxRounds = 400

/** Classifies all whom their activity or time has made due, the longest due first. */
const classifyDue = async (runtime: Runtime) => {
  for (let round = 0; round < maxRounds; round++) {
    const due = await runtime.db.$queryRaw<{ userId: string }[]>`/* due_users */
      SELECT user_id AS "userId" FROM user_profile WHERE due_at <= ${runtime.clock()}::timestamptz
      ORDER BY due_at LIMIT ${usersAtOnce}::int`
    const userIds = due.map(({ userId }) => userId)
    if (userIds.length > 0) await retrying(() => classifyUsers(runtime, userIds))
    if (userIds.length < usersAtOnce) return
  }
}

/** A day longer than the longest window looks back. */
const keepHoursMs = (windows.long + 1) * dayMs

/** Segment moves are for those who listen now, and for who was away for a day. */
const keepMovesMs = dayMs

export const journeyJobs: Job[] = [
  // Journey calls classify at once; awards and plays leave it to this. Of the others it catches, within
  // seconds, whom time alone moves on: what is due stands in an index, so a look costs next to nothing.
  { name: 'classify-users', everySeconds: 5, run: classifyDue },
  {
    name: 'expire-offers',
    everySeconds: 60,
    run: async (runtime) => {
      while ((await expireOffers(runtime)) === 10_000);
    },
  },
  {
    name: 'forget-hours',
    everySeconds: 3600,
    run: async ({ db, clock }) => {
      const before = new Date(clock().getTime() - keepHoursMs)
      await db.userHour.deleteMany({ where: { hour: { lt: before } } })
    },
  },
  {
    name: 'forget-segment-moves',
    everySeconds: 3600,
    run: async ({ db, clock }) => {
      const before = new Date(clock().getTime() - keepMovesMs)
      await db.segmentChange.deleteMany({ where: { changedAt: { lt: before } } })
    },
  },
]
