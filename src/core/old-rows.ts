/** Deletes what is no longer kept, in short statements with pauses between them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { retrying } from './db/db.ts'
import type { DeleteOld } from './db/old-rows.sql.ts'
import { isUnavailable } from './db/outage.ts'
import type { Runtime } from './runtime.ts'

/** Rows of a table that are deleted when they are old. */
export type Kept = {
  /** What the rows are, for the log: `events`. */
  what: string
  /** How long rows are kept after the time in their column; null for ever. */
  keptMs(config: Config): number | null
  deleteOld: DeleteOld
  /** Rows of one statement, if they are not `rowsAtOnce`. */
  most?: number
}

/** Rows of one statement. */
const rowsAtOnce = 5_000
/** Statements on one table in a run. The next run continues. */
const mostSteps = 200
/** The longest pause after a statement. */
const longestPauseMs = 1_000

type Parts = Pick<Runtime, 'db' | 'clock' | 'config'>

/**
 * Deletes the old rows of one table. Pauses after each statement for as long as it took, so that others get at least
 * half of the database's time. Ends early on the signal.
 * @returns how many rows were deleted
 */
const deleteInSteps = async (
  { db, clock, config }: Parts,
  { keptMs, deleteOld, most = rowsAtOnce }: Kept,
  signal?: AbortSignal,
): Promise<number> => {
  const ms = keptMs(config)
  if (ms === null) return 0
  const before = new Date(clock().getTime() - ms)
  let total = 0
  for (let step = 0; step < mostSteps && !signal?.aborted; step++) {
    const start = performance.now()
    const deleted = await retrying(() => deleteOld(db, before, most))
    total += deleted
    if (deleted < most) break
    const pauseMs = Math.min(performance.now() - start, longestPauseMs)
    await sleep(pauseMs, undefined, signal && { signal }).catch(() => {})
  }
  return total
}

/**
 * Deletes the old rows of all tables. A table that fails does not stop the others.
 * @throws AggregateError of what failed; the error itself if the database is unavailable
 */
export const deleteOldRows = async (
  parts: Parts & Pick<Runtime, 'log'>,
  all: Kept[],
  signal?: AbortSignal,
): Promise<void> => {
  const errors: unknown[] = []
  for (const kept of all) {
    if (signal?.aborted) break
    try {
      const rows = await deleteInSteps(parts, kept, signal)
      if (rows > 0) parts.log.debug({ what: kept.what, rows }, 'old rows were deleted')
    } catch (error) {
      if (isUnavailable(error)) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all old rows could be deleted')
}
