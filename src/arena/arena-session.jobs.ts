import type { Job } from '../core/jobs.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { refundSessions } from './arena-seat.ts'
import { lockSessions, saveSessions, together } from './arena-session.ts'

/** So many in one transaction. */
const batchSize = 100

/**
 * Ends sessions whose time is over, and gives everybody their points back. What another node has just
 * ended, or a result has completed, is left as it is.
 * @returns how many were due
 */
const expireSessions = (work: Work): Promise<number> =>
  together(work, async (work) => {
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
    await refundSessions(work, expired)
    await saveSessions(
      work,
      expired.map((session) => ({
        was: session.status,
        session: { ...session, status: 'EXPIRED', prizePool: 0 },
      })),
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
