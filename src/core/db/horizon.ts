/** How far the feed of events can be read, so that no event is committed behind the reader. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Runtime, Work } from '../runtime.ts'
import { selectFeedAge, selectHorizon } from './horizon.sql.ts'

/**
 * No row up to `settled` is still to come. A row that is committed now is no further than `given`.
 * Rows must be read by another statement, after the horizon.
 */
type Horizon = { settled: bigint; given: bigint }

const readHorizons = async ({ tx }: Work, asked: null[]): Promise<Horizon[]> => {
  const [horizon] = await selectHorizon(tx)
  return asked.map(() => horizon as Horizon)
}

export const getHorizon = (runtime: Pick<Runtime, 'read'>): Promise<Horizon> =>
  runtime.read(readHorizons, null)

/** Metrics must be available when the database is not. */
const longestMs = 1_000

/** A metric of how long readers of the feed have been waiting. */
export const measureFeed = ({ db, metrics }: Pick<Runtime, 'db' | 'metrics'>): void => {
  const read = async () => {
    const [row] = await selectFeedAge(db)
    return row?.seconds ?? Number.NaN
  }
  new Gauge({
    name: 'tessera_feed_behind_seconds',
    help: 'Age of the oldest transaction that has written events and not ended: readers of events wait for it',
    registers: [metrics.registry],
    async collect() {
      const late = sleep(longestMs, Number.NaN, { ref: false })
      this.set(await Promise.race([read().catch(() => Number.NaN), late]))
    },
  })
}
