/** How far the feed of events can be read without missing events that are committed later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Runtime, Work } from '../runtime.ts'
import { selectFeedAge, selectHorizon } from './horizon.sql.ts'

/**
 * All rows up to `settled` are committed or will never exist. Rows committed so far are not beyond `given`.
 * Read the rows after the horizon, with another statement.
 */
type Horizon = { settled: bigint; given: bigint }

const readHorizons = async ({ tx }: Work, asked: null[]): Promise<Horizon[]> => {
  const [horizon] = await selectHorizon(tx)
  return asked.map(() => horizon as Horizon)
}

export const getHorizon = (runtime: Pick<Runtime, 'read'>): Promise<Horizon> =>
  runtime.read(readHorizons, null)

/** The metrics are served without this one if the database does not answer in this time. */
const longestMs = 1_000

/** Exports how long readers of the feed have been waiting. */
export const measureFeed = ({ db, metrics }: Pick<Runtime, 'db' | 'metrics'>): void => {
  const read = async () => {
    const [row] = await selectFeedAge(db)
    return row?.seconds ?? Number.NaN
  }
  new Gauge({
    name: 'tessera_feed_behind_seconds',
    help: 'Age of the oldest open transaction that has written events, for which readers of events wait',
    registers: [metrics.registry],
    async collect() {
      const late = sleep(longestMs, Number.NaN, { ref: false })
      this.set(await Promise.race([read().catch(() => Number.NaN), late]))
    },
  })
}
