/** Updates existing rows in batches while the service runs, as migrations register it (`docs/operations.md`). */
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../database/db.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './job.ts'

/** The pause between batches, so that other writers of these rows are not blocked. */
const pauseMs = 50
/** A run stops after this time. The next run continues. */
const longestRunMs = 10 * 60_000
/** The number of rows between two log lines. */
const logEvery = 100_000

/** Runs each backfill. After an interruption it continues, because its statement finds only rows that are not done. */
const runBackfills = async ({ db, log, clock }: Pick<Runtime, 'db' | 'log' | 'clock'>) => {
  const end = Date.now() + longestRunMs
  const open = await db.backfill.findMany({
    where: { finishedAt: null },
    orderBy: { createdAt: 'asc' },
  })
  for (const { name, statement, expected, done: before } of open) {
    for (let done = Number(before); Date.now() < end; await sleep(pauseMs)) {
      const changed = await inTransaction({ tx: db }, async ({ tx }) => {
        const changed = await tx.$executeRawUnsafe(statement)
        await tx.backfill.update({
          where: { name },
          data: { done: { increment: changed }, ...(changed === 0 && { finishedAt: clock() }) },
        })
        return changed
      })
      if (changed === 0) {
        log.info({ backfill: name, done }, 'finished a backfill')
        break
      }
      if (Math.floor((done + changed) / logEvery) > Math.floor(done / logEvery))
        log.info(
          { backfill: name, done: done + changed, expected: Number(expected) },
          'running a backfill',
        )
      done += changed
    }
  }
}

export const backfillJobs: Job[] = [{ name: 'backfill', everySeconds: 60, run: runBackfills }]
