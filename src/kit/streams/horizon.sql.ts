/** Statements on the horizon of the feed of events. */
import { Prisma } from '../../generated/prisma/client.ts'
import { returns, statement } from '../database/statement.ts'

export const selectHorizon = statement(
  'feed_horizon',
  returns({ settled: 'bigint', given: 'bigint' }),
  () => Prisma.sql`SELECT settled, given FROM feed_horizon()`,
)

/** The age in seconds of the oldest open transaction that has written events. */
export const selectFeedAge = statement(
  'feed_behind',
  returns({ seconds: 'float8' }),
  () => Prisma.sql`
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)::float8 AS seconds
    FROM feed_writer JOIN pg_stat_activity a USING (pid)`,
)
