/** The statement that adds the requests of API keys to the statistics. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'

const countRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  keyId: 'text',
  /** When the quarter of an hour began. */
  quarterAt: 'timestamptz',
  requests: 'int',
  /** How many of them failed. */
  errors: 'int',
})

/** The requests of a key in a quarter of an hour. */
export type RequestCount = ItemsOf<typeof countRows>[number]

/** Adds requests. Their facts are not stored, so no audit can compare them. */
export const addRequests = statement(
  'count_requests',
  returns({ written: 'int' }),
  (counts: ItemsOf<typeof countRows>) => Prisma.sql`
    WITH fact AS MATERIALIZED (
      SELECT (partner_id, environment, metric, ARRAY[key_id], quarter_at, amount)::statistic_fact AS fact
      FROM ${countRows(counts)},
        LATERAL (VALUES ('API_REQUESTS', requests), ('API_ERRORS', errors)) m (metric, amount)
      WHERE amount > 0
    ), added AS MATERIALIZED (
      SELECT add_to_statistics(array_agg(fact)) FROM fact
    )
    SELECT (SELECT count(*) FROM fact)::int AS written FROM added`,
)
