/** Rows as they are committed, in an order in which none turns up behind a reader's back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getHorizon } from './db/horizon.ts'
import { isUnavailable } from './db/outage.ts'
import { newsOf } from './db/pubsub.ts'
import type { Runtime } from './runtime.ts'

/** Where a row stands; the id tells rows from before `feed_position` apart. */
export type Place = { position: bigint; id: string }

/** Before all rows of a place. */
const firstId = '00000000-0000-0000-0000-000000000000'
/** Rows read at a time; a reader who is slow holds no more than these in memory. */
const pageSize = 100
/** Rows behind a transaction that is still under way are looked for again after this long. */
const settleMs = 50

/** While the database is away readers look for it so often. They go on where they were. */
const awayMs = 500

const waitOut = async (error: unknown): Promise<undefined> => {
  if (!isUnavailable(error)) throw error
  await sleep(awayMs)
}

/** Rows from behind a place (null: from now) until the signal. `read` gives rows in the order of places. */
export async function* follow<R extends Place>(
  runtime: Pick<Runtime, 'read' | 'pubsub'>,
  options: {
    topic: string
    about: string
    after: Place | null
    /** Rows behind a place, up to a position and that included. */
    read(after: Place, upTo: bigint, take: number): Promise<R[]>
    signal: AbortSignal
  },
): AsyncGenerator<R> {
  const { topic, about, read, signal } = options
  let place = options.after ?? { position: (await getHorizon(runtime)).settled + 1n, id: firstId }
  const readPage = async (after: Place) => {
    const horizon = await getHorizon(runtime)
    return { ...horizon, rows: await read(after, horizon.settled, pageSize) }
  }
  for await (const _ of newsOf(runtime.pubsub, topic, { about, signal })) {
    let announced: bigint | undefined
    while (!signal.aborted) {
      const page = await readPage(place).catch(waitOut)
      if (!page) {
        announced = undefined
        continue
      }
      const { settled, given, rows } = page
      announced ??= given
      for (const row of rows) {
        place = row
        yield row
      }
      if (rows.length === pageSize) continue
      if (settled >= announced) break
      await sleep(settleMs)
    }
  }
}
