/** Rows as they are committed, in an order in which none turns up behind a reader's back. */
import { newsOf } from './pubsub.ts'
import type { Runtime } from './runtime.ts'

/** Where a row stands: its transaction, and its id within that. */
export type Place = { txid: bigint; id: string }

/** Transactions below the first number have ended; none has reached the second. */
const horizonOf = async ({ db }: Pick<Runtime, 'db'>) => {
  const [row] = await db.$queryRaw<{ ended: bigint; next: bigint }[]>`/* horizon */
    SELECT pg_snapshot_xmin(s)::text::bigint AS ended, pg_snapshot_xmax(s)::text::bigint AS next
    FROM pg_current_snapshot() s`
  return row as { ended: bigint; next: bigint }
}

/** Before all rows of a transaction. */
const firstId = '00000000-0000-0000-0000-000000000000'
/** Rows read at a time; a reader who is slow holds no more than these in memory. */
const pageSize = 100
/** Rows that a transaction still under way hides are looked for again after this long. */
const settleMs = 50

/**
 * Rows from behind a place (null: from now) until the signal. `read` gives rows behind a place whose
 * transactions have ended (`txid < pg_snapshot_xmin(pg_current_snapshot())`), in the order of places.
 */
export async function* follow<R extends Place>(
  runtime: Pick<Runtime, 'db' | 'pubsub'>,
  options: {
    topic: string
    about: string
    after: Place | null
    read(after: Place, take: number): Promise<R[]>
    signal: AbortSignal
  },
): AsyncGenerator<R> {
  const { topic, about, read, signal } = options
  let place: Place = options.after ?? { txid: (await horizonOf(runtime)).ended, id: firstId }
  for await (const _ of newsOf(runtime.pubsub, topic, { about, signal })) {
    let announced: bigint | undefined
    while (!signal.aborted) {
      const { ended, next } = await horizonOf(runtime)
      announced ??= next
      const rows = await read(place, pageSize)
      for (const row of rows) {
        place = row
        yield row
      }
      if (rows.length === pageSize) continue
      if (ended >= announced) break
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    }
  }
}
