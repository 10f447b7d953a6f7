/** A database that is lost, refused, hung, read-only, cancelled or overfull, and what that means for a caller. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether a write may have happened all the same. */
export type Outcome = 'nothing done' | 'unknown'

/** The database could not do something, by no fault of the caller nor of ours. It has a cause unless nothing was tried. */
export class Outage extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Outage'
    this.outcome = outcome
  }
}

/** The code of an error, or of what is behind an outage: an SQLSTATE, or a code of the system. */
export const codeOf = (error: unknown): string | undefined =>
  ((error instanceof Outage ? error.cause : error) as { code?: string } | undefined)?.code

/** The SQLSTATE of a failed query, or undefined when the database did not answer with one. */
export const sqlState = (error: unknown): string | undefined => {
  const cause = (
    error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } } | null
  )?.meta?.driverAdapterError?.cause
  return (
    cause?.originalCode ?? (error as { cause?: { originalCode?: string } })?.cause?.originalCode
  )
}

/**
 * Answers with which the server has done nothing: too few resources, cancelled or waited too long (`57014`,
 * `55P03`, `25P03`), read-only, starting, and a user without the right.
 */
const refusals = /^(53|57014|57P03|55P03|25P0[34]|25006|42501)/
/** The server or what stands before it goes, or has lost the connection: it may have committed. */
const losses = /^(08|57P|58)/

/** What it means when the server answered so to a statement; undefined for what is no outage. */
export const outcomeOfState = (state: string, mayCommit: boolean): Outcome | undefined => {
  if (refusals.test(state)) return 'nothing done'
  if (losses.test(state)) return mayCommit ? 'unknown' : 'nothing done'
}

/** Codes of Prisma: not reachable, timed out, closed, and transactions that found no connection or no end. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])

/** What an error means for whoever wrote; undefined when it is no outage. */
export const outcomeOf = (error: unknown): Outcome | undefined => {
  if (error instanceof Outage) return error.outcome
  if (prismaCodes.has((error as { code?: string } | null)?.code ?? '')) return 'unknown'
  return outcomeOfState(sqlState(error) ?? '', true)
}

export const isUnavailable = (error: unknown): boolean => outcomeOf(error) !== undefined

/** Of what somebody has asked for: whether something of it is written already. */
const calls = new AsyncLocalStorage<{ hasWritten: boolean }>()

/** Notes that something which was asked for is written. */
export const noteWrite = (): void => {
  const call = calls.getStore()
  if (call) call.hasWritten = true
}

/**
 * Runs all that somebody has asked for. When a later part of it meets an outage, after an earlier one was
 * written, the outcome of the whole is unknown.
 */
export const asOneCall = async <T>(run: () => Promise<T>): Promise<T> => {
  const call = { hasWritten: false }
  try {
    return await calls.run(call, run)
  } catch (error) {
    if (call.hasWritten && outcomeOf(error) === 'nothing done')
      throw new Outage('unknown', (error as Error).message, error)
    throw error
  } finally {
    if (call.hasWritten) noteWrite()
  }
}
