/**
 * Group commit: calls that arrive while the last write is under way are written together. Each caller
 * gets their own result or their own error.
 */

import { isUnavailable, sqlState } from './db/outage.ts'
import { TesseraError } from './errors.ts'

/** Does a list of items in a constant number of statements; answers each in its place. */
export type Batch<T, R> = (items: T[]) => Promise<(R | Error)[]>

export type CoalesceOptions = {
  /** Items of one batch. */
  maxBatch?: number
  /** Items that may wait; past it a caller gets 503 with Retry-After at once. */
  maxQueue?: number
  /** Batches under way at the same time. */
  maxInFlight?: number
}

type Waiting<T, R> = { item: T; resolve(result: R): void; reject(error: unknown): void }

/**
 * How many to write now of all callers who wait or are about to be told. Of many, half: one half is
 * written while the other is answered and asks again. All of them at once would leave the database and
 * the server idle in turns.
 */
const shareOf = (callers: number) => (callers <= 16 ? callers : Math.ceil(callers / 2))

/**
 * Gives a function for one item that is carried out in batches by `run`.
 *
 * When the database refuses a batch as a whole, nothing of it was written: it is halved until only
 * the item at fault fails. When the outcome is unknown (the connection broke), nothing is tried
 * again, and all callers of that batch learn it.
 */
export const coalesce = <T, R>(
  run: Batch<T, R>,
  { maxBatch = 256, maxQueue = 10_000, maxInFlight = 1 }: CoalesceOptions = {},
): ((item: T) => Promise<R>) => {
  const queue: Waiting<T, R>[] = []
  let inFlight = 0

  /** Carries out a batch; gives the function that tells its callers. */
  const settle = async (batch: Waiting<T, R>[]): Promise<() => void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
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
      const tellers = [await settle(batch.slice(0, middle)), await settle(batch.slice(middle))]
      return () => {
        for (const tell of tellers) tell()
      }
    }
  }

  const pump = async (): Promise<void> => {
    inFlight++
    let tell = () => {}
    let last = 0
    while (queue.length > 0) {
      const size = shareOf(queue.length + last)
      const batch = queue.splice(0, Math.min(maxBatch, size))
      const settled = settle(batch)
      last = batch.length
      setImmediate(tell)
      tell = await settled
    }
    inFlight--
    tell()
  }

  let scheduled = false
  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= maxQueue) return reject(new TesseraError('OVERLOADED'))
      queue.push({ item, resolve, reject })
      if (scheduled || inFlight >= maxInFlight) return
      scheduled = true
      // After the callbacks of this turn, so that all requests read from sockets now go together.
      setImmediate(() => {
        scheduled = false
        if (queue.length > 0 && inFlight < maxInFlight) void pump()
      })
    })
}

/** The results of a batch whose tries have ended: OVERLOADED in the place of what is still not done. */
export const orOverloaded = <T>(results: (T | undefined)[]): (T | TesseraError)[] =>
  results.map((result) => result ?? new TesseraError('OVERLOADED'))
