/**
 * Group commit: calls that arrive during a write are written together in the next one. Each caller gets their
 * own result or error.
 */

import { isUnavailable, sqlState } from './db/outage.ts'
import { TesseraError } from './errors.ts'
import type { Span } from './trace/tracing.ts'

/**
 * Processes a list of items in a constant number of statements. Returns the results in the same order. `callers` has
 * the span of each item, if tracing is on.
 */
export type Batch<T, R> = (
  items: T[],
  callers: readonly (Span | undefined)[],
) => Promise<(R | Error)[]>

export type CoalesceOptions = {
  /** The most items of one batch. */
  maxBatch?: number
  /** The most waiting items. Above it a caller gets 503 with Retry-After at once. */
  maxQueue?: number
  /** The most concurrent batches. */
  maxInFlight?: number
  /** Called for each caller who is refused because too many are waiting. */
  onRefused?: () => void
  /** The span of the current caller. */
  spanOf?: () => Span | undefined
}

/** Processes one item together with others. */
export type Coalesced<T, R> = {
  (item: T): Promise<R>
  /** How many items wait for the next batch. */
  waiting(): number
}

type Waiting<T, R> = {
  item: T
  span: Span | undefined
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * How many items to write now, by the number of callers who wait or are being answered. Above 16 callers, half: one
 * half is written while the other is answered and calls again. Writing all at once would leave the database and the
 * server idle in turns.
 */
const shareOf = (callers: number) => (callers <= 16 ? callers : Math.ceil(callers / 2))

/** Runs a batch. Returns the function that answers its callers. */
const settle = async <T, R>(run: Batch<T, R>, batch: Waiting<T, R>[]): Promise<() => void> => {
  try {
    const items = batch.map(({ item }) => item)
    const results = await run(
      items,
      batch.map(({ span }) => span),
    )
    return () => {
      batch.forEach(({ resolve, reject }, i) => {
        const result = results[i] as R | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    }
  } catch (error) {
    if (batch.length === 1 || !sqlState(error) || isUnavailable(error))
      return () => {
        for (const { reject } of batch) reject(error)
      }
    const middle = batch.length >> 1
    const answers = [
      await settle(run, batch.slice(0, middle)),
      await settle(run, batch.slice(middle)),
    ]
    return () => {
      for (const answer of answers) answer()
    }
  }
}

/**
 * Returns a function for one item; `run` processes the items in batches.
 *
 * When the database refuses a whole batch, nothing of it was written, so it is halved until only the item at
 * fault fails. When the outcome is unknown (the connection broke), nothing is retried and all callers of the
 * batch are told.
 */
export const coalesce = <T, R>(
  run: Batch<T, R>,
  {
    maxBatch = 256,
    maxQueue = 10_000,
    maxInFlight = 1,
    onRefused = () => {},
    spanOf = () => undefined,
  }: CoalesceOptions = {},
): Coalesced<T, R> => {
  const queue: Waiting<T, R>[] = []
  let inFlight = 0

  const pump = async (): Promise<void> => {
    inFlight++
    let answer = () => {}
    let last = 0
    while (queue.length > 0) {
      const size = shareOf(queue.length + last)
      const batch = queue.splice(0, Math.min(maxBatch, size))
      const settled = settle(run, batch)
      last = batch.length
      setImmediate(answer)
      answer = await settled
    }
    inFlight--
    answer()
  }

  let scheduled = false
  const call = (item: T) =>
    new Promise<R>((resolve, reject) => {
      if (queue.length >= maxQueue) {
        onRefused()
        return reject(new TesseraError('OVERLOADED'))
      }
      queue.push({ item, span: spanOf(), resolve, reject })
      if (scheduled || inFlight >= maxInFlight) return
      scheduled = true
      // After the callbacks of this turn, so that all requests read from sockets now share a batch.
      setImmediate(() => {
        scheduled = false
        if (queue.length > 0 && inFlight < maxInFlight) void pump()
      })
    })
  return Object.assign(call, { waiting: () => queue.length })
}

/** The results of a batch after the last attempt: OVERLOADED for items that are still not done. */
export const orOverloaded = <T>(results: (T | undefined)[]): (T | TesseraError)[] =>
  results.map((result) => result ?? new TesseraError('OVERLOADED'))
