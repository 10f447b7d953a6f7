/** Streams rows as they are committed, in an order in which no row appears behind the reader's position. */
import { setTimeout as sleep } from 'node:timers/promises'
import { periodically } from '../clock.ts'
import { isUnavailable } from '../database/outage.ts'
import { changesOf } from '../database/pubsub.ts'
import type { Runtime } from '../runtime.ts'
import { getHorizon } from './horizon.sql.ts'

/** Rows read at a time. A slow reader holds no more than these in memory. */
const pageSize = 100
/** The delay before looking again for rows behind a running transaction. */
const settleMs = 50

/** How often readers retry while the database is unavailable. They continue where they were. */
const awayMs = 500

const waitDuringOutage = async (error: unknown): Promise<undefined> => {
  if (!isUnavailable(error)) throw error
  await sleep(awayMs)
}

type Topic = 'event' | 'segment'
const topics: Topic[] = ['event', 'segment']

/** The longest delay before readers see rows that their writer did not publish. */
const pollMs = 2_000

/**
 * Wakes readers when there are new rows, even if their writer has not published them: it may have been killed after its
 * commit, be a program that publishes nothing, or Redis may have lost the message. Costs one short statement every two
 * seconds for all readers of a node. Returns the function that stops it.
 */
export const startFeedWatch = (
  runtime: Pick<Runtime, 'read' | 'pubsub' | 'log'>,
): (() => Promise<void>) => {
  const { pubsub, log } = runtime
  let known: bigint | undefined
  return periodically(pollMs, async () => {
    const heard = topics.filter((topic) => pubsub.isHeard(topic))
    if (heard.length === 0) return
    try {
      const { given } = await getHorizon(runtime)
      if (given !== known) for (const topic of heard) pubsub.miss(topic)
      known = given
    } catch (err) {
      if (!isUnavailable(err)) log.warn({ err }, 'could not look for new rows of feeds')
    }
  })
}

/** Rows after a position (null: from now) until the signal. `read` returns rows in the order of positions. */
export async function* follow<R extends { position: bigint }>(
  runtime: Pick<Runtime, 'read' | 'pubsub'>,
  options: {
    topic: Topic
    about: string
    after: bigint | null
    /** Rows after one position, up to and including another. */
    read(after: bigint, upTo: bigint, take: number): Promise<R[]>
    signal: AbortSignal
  },
): AsyncGenerator<R> {
  const { topic, about, read, signal } = options
  let position = options.after ?? (await getHorizon(runtime)).settled
  const readPage = async (after: bigint) => {
    const horizon = await getHorizon(runtime)
    return { ...horizon, rows: await read(after, horizon.settled, pageSize) }
  }
  for await (const _ of changesOf(runtime.pubsub, topic, { about, signal })) {
    let announced: bigint | undefined
    while (!signal.aborted) {
      const page = await readPage(position).catch(waitDuringOutage)
      if (!page) {
        announced = undefined
        continue
      }
      const { settled, given, rows } = page
      announced ??= given
      for (const row of rows) {
        position = row.position
        yield row
      }
      if (rows.length === pageSize) continue
      if (settled >= announced) break
      await sleep(settleMs)
    }
  }
}
