/** Statements on the horizon of the feed of events. */
import { Prisma } from '../../generated/prisma/client.ts'
import { returns, statement } from '../database/statement.ts'
import { exportGauge } from '../observability/metrics.ts'
import type { Runtime, Work } from '../runtime.ts'

const selectHorizon = statement(
  'feed_horizon',
  returns({ settled: 'bigint', given: 'bigint' }),
  () => Prisma.sql`SELECT settled, given FROM feed_horizon()`,
)

/** The age in seconds of the oldest open transaction that has written events. */
const selectFeedAge = statement(
  'feed_behind',
  returns({ seconds: 'float8' }),
  () => Prisma.sql`
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)::float8 AS seconds
    FROM feed_writer JOIN pg_stat_activity a USING (pid)`,
)

/**
 * All rows up to `settled` are committed or will never exist. Rows committed so far are not beyond `given`.
 * Read the horizon first, then the rows with another statement.
 */
type Horizon = { settled: bigint; given: bigint }

const readHorizons = async ({ tx }: Work, requested: null[]): Promise<Horizon[]> => {
  const [horizon] = await selectHorizon(tx)
  return requested.map(() => horizon as Horizon)
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
