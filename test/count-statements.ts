import type { World } from './world.ts'

/** Upkeep of the embedded database, counts of requests and uses, and news of writes. */
const background =
  /\bpg_(class|control_checkpoint)\b|^(VACUUM|ANALYZE|CHECKPOINT)|count_requests|note_(key|sign_in)_uses|pg_notify/

/** Whether a server sends this statement by itself, at any time. */
export const isBackground = (query: string | { text: string }): boolean =>
  background.test(typeof query === 'string' ? query : query.text)

/**
 * Counts the statements of a world's server, without those that it sends by itself: on a busy machine, long actions would
 * have more of them. Returns the fewest that an action took in three tries; with `enough`, in up to nine until it took no
 * more.
 */
export const statementCounter = ({ server: { database } }: World) => {
  const { pool } = database
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  let sent = 0
  pool.query = ((...args: unknown[]) => {
    if (!isBackground(args[0] as string | { text: string })) sent++
    return query(...args)
  }) as never
  return async (act: () => Promise<unknown>, enough?: number): Promise<number> => {
    let fewest = Number.POSITIVE_INFINITY
    for (let i = 0; i < (enough === undefined ? 3 : 9); i++) {
      if (enough !== undefined && fewest <= enough) break
      const before = sent
      await act()
      fewest = Math.min(fewest, sent - before)
    }
    return fewest
  }
}
