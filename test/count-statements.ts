import type { World } from './world.ts'

/** Upkeep of the embedded database, counts of requests and uses, and news of writes. */
const background =
  /\bpg_(class|control_checkpoint)\b|^(VACUUM|ANALYZE|CHECKPOINT)|count_requests|note_(key|sign_in)_uses|pg_notify/

/** Whether a server sends this statement by itself, at any time. */
export const isBackground = (query: string | { text: string }): boolean =>
  background.test(typeof query === 'string' ? query : query.text)

/**
 * Counts the statements of a world's server, and returns the fewest that an action took in three tries, because
 * background work adds some, and a busy machine splits a batch of reads in two.
 */
export const statementCounter = ({ server: { database } }: World) => {
  const { pool } = database
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  let sent = 0
  pool.query = ((...args: unknown[]) => {
    sent++
    return query(...args)
  }) as never
  return async (act: () => Promise<unknown>): Promise<number> => {
    let fewest = Number.POSITIVE_INFINITY
    for (let i = 0; i < 3; i++) {
      const before = sent
      await act()
      fewest = Math.min(fewest, sent - before)
    }
    return fewest
  }
}
