/** A batch of group commit, and what becomes of its items. */
import { isLocked, isUnavailable, sqlState } from '../database/outage.ts'
import type { Span } from '../observability/tracing.ts'

/**
 * Processes a list of items in a constant number of statements. Returns the results in the same order. `callers` has
 * the span of each item, if tracing is on.
 */
export type Batch<T, R> = (
  items: T[],
  callers: readonly (Span | undefined)[],
) => Promise<(R | Error)[]>

export type WaitingCall<T, R> = {
  item: T
  span: Span | undefined
  resolve(result: R): void
  reject(error: unknown): void
}

/** What became of a batch. */
export type BatchOutcome<T, R> = {
  /** Answers the callers, except for those of `locked`. */
  answer(): void
  /** The items of which nothing was written, because a row is locked, with the error. */
  locked: { waiting: WaitingCall<T, R>; error: unknown }[]
}

/** Repeats a run that failed because of concurrent ones, a limited number of times. */
export type Retry = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Runs a batch. When the database refuses all of it, nothing was written, so it is halved until only the items at
 * fault fail.
 *
 * Only the whole batch and single items are retried, not the parts in between, so that the attempts of `retry` are not
 * multiplied by the halvings. With `a` attempts, `k` items at fault in a batch of `n` cost at most
 * `a + k (2 log2 n + a - 1)` runs, and never more than `a + 2n - 2 + k (a - 1)`: one item in 256 costs 25 with 5
 * attempts, and 17 if its error is not retried.
 */
export const settle = async <T, R>(
  run: Batch<T, R>,
  batch: WaitingCall<T, R>[],
  retry: Retry,
  isWhole = true,
): Promise<BatchOutcome<T, R>> => {
  const attempt = () =>
    run(
      batch.map(({ item }) => item),
      batch.map(({ span }) => span),
    )
  try {
    const results = await (isWhole || batch.length === 1 ? retry(attempt) : attempt())
    const locked: BatchOutcome<T, R>['locked'] = []
    const done: (() => void)[] = []
    batch.forEach((waiting, i) => {
      const result = results[i] as R | Error
      if (!(result instanceof Error)) done.push(() => waiting.resolve(result))
      else if (isLocked(result)) locked.push({ waiting, error: result })
      else done.push(() => waiting.reject(result))
    })
    return { answer: () => done.forEach((item) => void item()), locked }
  } catch (error) {
    if (isLocked(error))
      return { answer: () => {}, locked: batch.map((waiting) => ({ waiting, error })) }
    if (batch.length === 1 || !sqlState(error) || isUnavailable(error)) {
      const answer = () => {
        for (const { reject } of batch) reject(error)
      }
      return { answer, locked: [] }
    }
    const middle = batch.length >> 1
    const first = await settle(run, batch.slice(0, middle), retry, false)
    const second = await settle(run, batch.slice(middle), retry, false)
    const answer = () => {
      first.answer()
      second.answer()
    }
    return { answer, locked: [...first.locked, ...second.locked] }
  }
}

/**
 * Runs one write of a batch that may have others. If it gives up the wait for a lock, it has written nothing, and its
 * items get that error as their result: they are tried again, those of other writes are not.
 */
export const orLocked = async <T>(
  items: readonly unknown[],
  write: () => Promise<T[]>,
): Promise<(T | Error)[]> => {
  try {
    return await write()
  } catch (error) {
    if (!isLocked(error)) throw error
    return items.map(() => error as Error)
  }
}
