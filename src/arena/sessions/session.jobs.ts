import { inTransaction } from '../../kit/database/db.ts'
import type { Job } from '../../kit/jobs/job.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import { flowsOf } from '../developer-games/flow.rules.ts'
import { releaseFlows } from './flow.ts'
import { refundSessions } from './seat.ts'
import { lockSessions, saveSessions } from './session.ts'

/** The number of sessions per transaction. */
const batchSize = 100

/**
 * Ends sessions whose time is over and refunds their entry fees. Skips sessions that another node has just
 * ended or a result has completed.
 * @returns how many were due
 */
const expireSessions = (work: Work): Promise<number> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const due = await work.tx.arenaSession.findMany({
      where: { status: { in: ['WAITING', 'IN_PROGRESS'] }, expiresAt: { lte: now } },
      select: { id: true },
      orderBy: { expiresAt: 'asc' },
      take: batchSize,
    })
    const locked = await lockSessions(
      work,
      due.map(({ id }) => id),
    )
    const expired = [...locked.values()].filter(
      ({ status, expiresAt }) =>
        (status === 'WAITING' || status === 'IN_PROGRESS') && expiresAt <= now,
    )
    const changes = expired.map((before) => ({
      before,
      session: { ...before, status: 'EXPIRED' as const, prizePool: 0 },
    }))
    await releaseFlows(
      work,
      changes.map(({ before, session }) => ({ before: flowsOf(before), session })),
    )
    await refundSessions(work, expired)
    await saveSessions(
      work,
      changes.map(({ before, session }) => ({ was: before.status, session })),
    )
    return due.length
  })

export const arenaSessionJobs: Job[] = [
  {
    name: 'expire-sessions',
    everySeconds: 5,
    run: async (runtime: Runtime) => {
      while ((await expireSessions(runtime)) === batchSize);
    },
  },
]
