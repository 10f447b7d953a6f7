/** What is due of users: settled together, on any number of nodes at a time. */
import { isUnavailable } from '../kit/database/outage.ts'
import type { UserId } from '../kit/user-id.ts'

type Settling<D> = {
  /** What is due now, except of users who wait, at most a number. */
  find(without: UserId[], limit: number): Promise<D[]>
  /** Settles it in one transaction, and returns the users whom others have locked. */
  settle(due: readonly D[]): Promise<UserId[]>
  /** Says that one of it could not be settled. */
  logFailure(err: unknown, item: D): void
  /** Items per transaction, and transactions per run. The next run continues. */
  atOnce: number
  maxRounds: number
  /** Whether what was settled can be due again at once. */
  isRepeated?: boolean
}

/**
 * Settles all that is due. If that fails, each is settled alone, so that one that cannot be settled does not stop the others.
 * Users who are locked or cannot be settled wait for the next run.
 */
export const settleAllDue = async <D extends { userId: UserId }>(
  { find, settle, logFailure, atOnce, maxRounds, isRepeated = false }: Settling<D>,
  signal?: AbortSignal,
): Promise<void> => {
  const settleEach = async (due: readonly D[]): Promise<UserId[]> => {
    const waiting: UserId[] = []
    for (const item of due)
      try {
        waiting.push(...(await settle([item])))
      } catch (err) {
        if (isUnavailable(err)) throw err
        logFailure(err, item)
        waiting.push(item.userId)
      }
    return waiting
  }
  const waiting = new Set<UserId>()
  for (let round = 0; round < maxRounds && !signal?.aborted; round++) {
    const due = await find([...waiting], atOnce)
    if (due.length === 0) return
    const left = await settle(due).catch((err: unknown) => {
      if (isUnavailable(err)) throw err
      return settleEach(due)
    })
    for (const userId of left) waiting.add(userId)
    if (due.length < atOnce && !isRepeated) return
  }
}
