/** How far the feed of events can be read without anything turning up behind the reader. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Runtime, Work } from '../runtime.ts'

/**
 * No row up to `settled` is still to come. A row that is committed now is no further than `given`.
 * Rows must be read by another statement, after the horizon.
 */
type Horizon = { settled: bigint; given: bigint }

const readHorizons = async ({ tx }: Work, asked: null[]): Promise<Horizon[]> => {
  const [horizon] = await tx.$queryRaw<Horizon[]>`/* feed_horizon */
    SELECT settled, given FROM feed_horizon()`
  return asked.map(() => horizon as Horizon)
}

export const getHorizon = (runtime: Pick<Runtime, 'read'>): Promise<Horizon> =>
  runtime.read(readHorizons, null)

/** Metrics are asked for while the database is in trouble, too. */
const longestMs = 1_000

/** Shows as a metric for how long readers of the feed have been waiting. */
export const measureFeed = ({ db, metrics }: Pick<Runtime, 'db' | 'metrics'>): void => {
  const read = async () => {
    const [row] = await db.$queryRaw<{ seconds: number }[]>`/* feed_behind */
      SELECT coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)::float8 AS seconds
      FROM feed_writer JOIN pg_stat_activity a USING (pid)`
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
