/** Errors of the database: taken values, and outages: a database that is unreachable, hung, read-only, full, or that cancels, and the outcome for the caller. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type CodeOf, TesseraError } from '../errors.ts'

/** Whether a write may still have happened. */
type CallOutcome = 'nothing done' | 'unknown'

/** A failure of the database, not of the caller or the service. It has a cause unless nothing was tried. */
export class Outage extends Error {
  readonly outcome: CallOutcome

  constructor(outcome: CallOutcome, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Outage'
    this.outcome = outcome
  }
}

/** The code of an error, or of the cause of an outage: an SQLSTATE or a system error code. */
export const codeOf = (error: unknown): string | undefined =>
  ((error instanceof Outage ? error.cause : error) as { code?: string } | undefined)?.code

type Original = { originalCode?: string }
/** An error of the driver has a severity, and one of Prisma has that of the driver as a cause. */
type QueryError = {
  severity?: string
  code?: string
  meta?: { driverAdapterError?: { cause?: Original } }
  cause?: Original
}

/** The SQLSTATE of a failed query; undefined if the database did not answer with one. */
export const sqlState = (error: unknown): string | undefined => {
  const { severity, code, meta, cause } = (error ?? {}) as QueryError
  if (severity !== undefined && code !== undefined) return code
  return meta?.driverAdapterError?.cause?.originalCode ?? cause?.originalCode
}

/**
 * Errors after which the server has done nothing: too few resources, cancelled or timed out (`57014`, `55P03`,
 * `25P03`), read-only, starting, and a user without the privilege.
 */
const refusals = /^(53|57014|57P03|55P03|25P0[34]|25006|42501)/
/** The server or a proxy shuts down or has lost the connection. The server may have committed. */
const losses = /^(08|57P|58)/

/** The outcome of a statement that failed with this SQLSTATE; undefined if it is not an outage. */
export const outcomeOfState = (state: string, mayCommit: boolean): CallOutcome | undefined => {
  if (refusals.test(state)) return 'nothing done'
  if (losses.test(state)) return mayCommit ? 'unknown' : 'nothing done'
}

/** Codes of Prisma: unreachable, timed out, closed, and transactions without a connection or that timed out. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])

/** The outcome of a write that failed with this error; undefined if it is not an outage. */
export const callOutcomeOf = (error: unknown): CallOutcome | undefined => {
  if (error instanceof Outage) return error.outcome
  if (prismaCodes.has((error as { code?: string } | null)?.code ?? '')) return 'unknown'
  return outcomeOfState(sqlState(error) ?? '', true)
}

export const isUnavailable = (error: unknown): boolean => callOutcomeOf(error) !== undefined

/** Whether a wait for a lock was given up, and nothing was written. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Outage
    ? error.outcome === 'nothing done' && codeOf(error) === '55P03'
    : sqlState(error) === '55P03'

/** Whether the current call has already written something. */
const calls = new AsyncLocalStorage<{ hasWritten: boolean }>()

/** Records that the current call has written something. */
export const noteWrite = (): void => {
  const call = calls.getStore()
  if (call) call.hasWritten = true
}

/** Runs all parts of a call. After an earlier part was written, an error that `isUnknown` becomes an unknown outcome. */
const inParts = async <T>(
  run: () => Promise<T>,
  isUnknown: (error: unknown) => boolean,
): Promise<T> => {
  const call = { hasWritten: false }
  try {
    return await calls.run(call, run)
  } catch (error) {
    if (call.hasWritten && isUnknown(error))
      throw new Outage('unknown', (error as Error).message, error)
    throw error
  } finally {
    if (call.hasWritten) noteWrite()
  }
}

const hasRefused = (error: unknown) => callOutcomeOf(error) === 'nothing done'

/**
 * Runs all parts of one call. If a part fails with an outage after an earlier part was written, the outcome of the
 * call is unknown.
 */
export const asSingleCall = <T>(run: () => Promise<T>): Promise<T> => inParts(run, hasRefused)

/**
 * Runs all parts of a write that is run again if the database refuses it. If it refuses a part after an earlier part
 * was written, the outcome is unknown, so that nothing is written twice.
 */
export const asSingleAttempt = <T>(run: () => Promise<T>): Promise<T> =>
  inParts(run, (error) => hasRefused(error) || sqlState(error) !== undefined)

/** For the `catch` of a write: throws the error for the caller if the value of a unique key is taken. */
export const refuseDuplicateKey =
  (code: CodeOf<'Taken'>, field: string, value: string) =>
  (error: unknown): never => {
    throw sqlState(error) === '23505' ? new TesseraError(code, { field, value }) : error
  }
