/** How far the feed of events can be read without missing events that are committed later. */
import { exportGauge } from '../observability/metrics.ts'
import type { Runtime, Work } from '../runtime.ts'
import { selectFeedAge, selectHorizon } from './horizon.sql.ts'

/**
 * All rows up to `settled` are committed or will never exist. Rows committed so far are not beyond `given`.
 * Read the horizon first, then the rows with another statement.
 */
type Horizon = { settled: bigint; given: bigint }

const readHorizons = async ({ tx }: Work, asked: null[]): Promise<Horizon[]> => {
  const [horizon] = await selectHorizon(tx)
  return asked.map(() => horizon as Horizon)
}

export const getHorizon = (runtime: Pick<Runtime, 'read'>): Promise<Horizon> =>
  runtime.read(readHorizons, null)

/** Exports how long readers of the feed have been waiting. */
export const measureFeed = ({ db, metrics }: Pick<Runtime, 'db' | 'metrics'>): void =>
  exportGauge(
    metrics.registry,
    {
      name: 'tessera_feed_behind_seconds',
      help: 'Age of the oldest open transaction that has written events, for which readers of events wait',
    },
    async () => {
      const [row] = await selectFeedAge(db)
      return [[{}, row?.seconds ?? Number.NaN]]
    },
  )
