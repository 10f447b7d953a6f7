/**
 * Group commit: calls that arrive during a write are written together in the next one. Each caller gets their
 * own result or error.
 */

import { TesseraError } from '../errors.ts'
import type { Span } from '../observability/tracing.ts'
import { type Batch, type BatchOutcome, type Retry, settle, type WaitingCall } from './batch.ts'
import { type Busy, createBusyItems } from './busy-items.ts'

export type CoalesceOptions<T = never> = {
  /** The most items of one batch. A larger item is a batch of its own. */
  maxBatch?: number
  /** How much an item counts towards `maxBatch`. 1 if omitted. */
  sizeOf?: (item: T) => number
  /** The most waiting items. Above it a caller gets 503 with Retry-After at once. */
  maxQueue?: number
  /** The most concurrent batches. */
  maxInFlight?: number
  /** Called for each caller who is refused because too many are waiting. */
  onRefused?: () => void
  /** The span of the current caller. */
  spanOf?: () => Span | undefined
  /** Repeats a batch that failed because of concurrent writes. Omitted: it is run once. */
  retry?: Retry
  /** For batches that soon give up the wait for a lock. Their items then wait aside. At most one batch is in flight. */
  busy?: Busy<T>
}

/** The most items of one batch, unless a caller of `coalesce` says otherwise. */
export const defaultMaxBatch = 256

/** Processes one item together with others. */
export type Coalesced<T, R> = {
  (item: T): Promise<R>
  /** How many items wait for the next batch. */
  waiting(): number
  /** How many items wait for a locked row. */
  busy(): number
}

/**
 * How many items to write now, by the number of callers who wait or are being answered. Above 16 callers, half: one
 * half is written while the other is answered and calls again. Writing all at once would leave the database and the
 * server idle in turns.
 */
const shareOf = (callers: number) => (callers <= 16 ? callers : Math.ceil(callers / 2))

type Aside<T, R> = ReturnType<typeof createBusyItems<T, R>> | undefined

/** Items behind locks wait aside. `again` only shared the batch with them. */
const withoutLocked = async <T, R>({ answer, locked }: BatchOutcome<T, R>, aside: Aside<T, R>) => {
  if (locked.length === 0) return { answer, again: [] }
  if (aside) return { answer, again: await aside.take(locked) }
  for (const { waiting, error } of locked) waiting.reject(error)
  return { answer, again: [] }
}

/** The first calls, as many as fit into a batch: at least one. */
const fitting = <C extends { item: T }, T>(
  calls: C[],
  maxBatch: number,
  sizeOf: (item: T) => number,
): C[] => {
  let total = 0
  const tooMany = calls.findIndex(({ item }, n) => {
    total += sizeOf(item)
    return total > maxBatch && n > 0
  })
  return tooMany < 0 ? calls : calls.slice(0, tooMany)
}

/**
 * Returns a function for one item; `run` processes the items in batches.
 *
 * When the database refuses a whole batch, nothing of it was written, so it is halved until only the items at
 * fault fail; `settle` says what that costs. When the outcome is unknown (the connection broke), nothing is retried
 * and all callers of the batch are told. When a row is locked, only the callers who need it wait (`busy`).
 */
export const coalesce = <T, R>(
  run: Batch<T, R>,
  {
    maxBatch = defaultMaxBatch,
    sizeOf = () => 1,
    maxQueue = 10_000,
    maxInFlight = 1,
    onRefused = () => {},
    spanOf = () => undefined,
    retry = (run) => run(),
    busy,
  }: CoalesceOptions<T> = {},
): Coalesced<T, R> => {
  const queue: WaitingCall<T, R>[] = []
  const runAll = (batch: WaitingCall<T, R>[]) => settle(run, batch, retry)
  const aside = busy && createBusyItems(runAll, { ...busy, maxBatch, onRefused })
  let inFlight = 0

  const pump = async (): Promise<void> => {
    inFlight++
    let answer = () => {}
    let last = 0
    while (queue.length > 0) {
      const next = fitting(queue.slice(0, shareOf(queue.length + last)), maxBatch, sizeOf)
      queue.splice(0, next.length)
      const batch = aside?.size() ? next.filter((item) => !aside.joins(item)) : next
      if (batch.length === 0) continue
      const running = runAll(batch).then((outcome) => withoutLocked(outcome, aside))
      last = batch.length
      setImmediate(answer)
      const done = await running
      queue.unshift(...done.again)
      answer = done.answer
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
  return Object.assign(call, { waiting: () => queue.length, busy: () => aside?.size() ?? 0 })
}

/** The results of a batch after the last attempt: OVERLOADED for items that are still not done. */
export const orOverloaded = <T>(results: (T | undefined)[]): (T | TesseraError)[] =>
  results.map((result) => result ?? new TesseraError('OVERLOADED'))
