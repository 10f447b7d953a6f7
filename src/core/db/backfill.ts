/** Changes old rows in batches while the service runs, as migrations ask for it (`docs/operations.md`). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../job.ts'
import type { Runtime } from '../runtime.ts'

/** Between batches, for those who write the same rows. */
const pauseMs = 50
/** A run ends after this long, and the next goes on. */
const longestRunMs = 10 * 60_000
/** Rows from one line of the log to the next. */
const logEvery = 100_000

/** Runs each backfill to its end. Broken off anywhere, it goes on where it was: what is done is not found again. */
const runBackfills = async ({ db, log, clock }: Pick<Runtime, 'db' | 'log' | 'clock'>) => {
  const end = Date.now() + longestRunMs
  const open = await db.backfill.findMany({
    where: { finishedAt: null },
    orderBy: { createdAt: 'asc' },
  })
  for (const { name, statement, expected, done: before } of open) {
    for (let done = Number(before); Date.now() < end; await sleep(pauseMs)) {
      const changed = await db.$transaction(async (tx) => {
        const changed = await tx.$executeRawUnsafe(statement)
        await tx.backfill.update({
          where: { name },
          data: { done: { increment: changed }, ...(changed === 0 && { finishedAt: clock() }) },
        })
        return changed
      })
      if (changed === 0) {
        log.info({ backfill: name, done }, 'a backfill has finished')
        break
      }
      if (Math.floor((done + changed) / logEvery) > Math.floor(done / logEvery))
        log.info({ backfill: name, done: done + changed, expected: Number(expected) }, 'a backfill')
      done += changed
    }
  }
}

export const backfillJobs: Job[] = [{ name: 'backfill', everySeconds: 60, run: runBackfills }]
