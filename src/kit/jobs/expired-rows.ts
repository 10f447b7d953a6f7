/** Deletes rows past their retention, in short statements with pauses between them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { retrying } from '../database/db.ts'
import type { DeleteExpired } from '../database/expired-rows.sql.ts'
import { dropMonths, ifOwner, type RowsToKeep } from '../database/months.ts'
import { isUnavailable } from '../database/outage.ts'
import type { Runtime } from '../runtime.ts'

/** The retention of the rows of a table. */
export type Kept = {
  /** What the rows are, for the log: `events`. */
  what: string
  /** How long rows are kept after the time in their column; null means forever. */
  keptMs(config: Config): number | null
  deleteOld: DeleteExpired
  /** A table with partitions, whose old months are dropped first. */
  months?: { table: string; stillKept: RowsToKeep }
  /** The most rows per statement; `rowsAtOnce` by default. */
  most?: number
}

/** The most rows per statement. */
const rowsAtOnce = 5_000
/** The most statements on one table per run. The next run continues. */
const mostSteps = 200
/** The longest pause after a statement. */
const longestPauseMs = 1_000

type Parts = Pick<Runtime, 'db' | 'direct' | 'clock' | 'config' | 'log'>

/** Drops the months of a table that ended before a moment, if the user of the database may. */
const dropOldMonths = async (
  { direct, log }: Pick<Parts, 'direct'> & { log: Pick<Parts['log'], 'info' | 'warn'> },
  { table, stillKept }: NonNullable<Kept['months']>,
  before: Date,
  signal?: AbortSignal,
): Promise<void> => {
  const drop = () => dropMonths(direct, table, { before, stillKept, log, signal })
  const dropped = await ifOwner({ log }, drop)
  if (dropped.length > 0) log.info({ step: dropped.join(', ') }, 'old months were dropped')
}

/**
 * Deletes the old rows of one table. Pauses after each statement for as long as it took, so that others get at least
 * half of the database's time. Ends early on the signal.
 * @returns how many rows were deleted
 */
const deleteInSteps = async (
  { db, direct, clock, config, log }: Parts,
  { keptMs, months, deleteOld, most = rowsAtOnce }: Kept,
  signal?: AbortSignal,
): Promise<number> => {
  const ms = keptMs(config)
  if (ms === null) return 0
  const before = new Date(clock().getTime() - ms)
  if (months && !signal?.aborted) await dropOldMonths({ direct, log }, months, before, signal)
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
export const deleteExpiredRows = async (
  parts: Parts,
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

/** Drops the old months of all tables, for an owner of the tables who is not the user of the service. */
export const dropExpiredMonths = async (
  parts: Pick<Parts, 'direct' | 'clock' | 'config'> & { log: Pick<Parts['log'], 'info' | 'warn'> },
  all: Kept[],
): Promise<void> => {
  for (const { months, keptMs } of all) {
    const ms = keptMs(parts.config)
    if (months && ms !== null)
      await dropOldMonths(parts, months, new Date(parts.clock().getTime() - ms))
  }
}
