/** Statements that count attempts. */
import { Prisma } from '../../generated/prisma/client.ts'
import { returns, statement } from '../database/statement.ts'

/** Counts attempts. Begins a new window if the current one began at `ended` or before. */
export const addTry = statement(
  'count_try',
  returns({ tries: 'int', since: 'timestamptz' }),
  (key: string, count: number, { now, ended }: { now: Date; ended: Date }) => Prisma.sql`
    INSERT INTO throttle AS t (key, tries, since) VALUES (${key}, ${count}::int, ${now}::timestamptz)
    ON CONFLICT (key) DO UPDATE SET tries = excluded.tries
        + CASE WHEN t.since <= ${ended}::timestamptz THEN 0 ELSE t.tries END,
      since = CASE WHEN t.since <= ${ended}::timestamptz THEN excluded.since ELSE t.since END
    RETURNING tries, since`,
)

type Waits = {
  now: Date
  /** Attempts are forgotten when the last was at this time or before. */
  forgotten: Date
  free: number
  delays: number[]
}

/** The delay before the next attempt, in milliseconds. */
const delay = ({ free, delays }: Waits) => Prisma.sql`
  (${delays}::float8[])[1 + greatest(0, least(t.tries - ${free}::int, ${delays.length - 1}::int))]`

/** Counts one attempt unless it comes too early. Returns the time of the previous one, or how long to wait. */
export const addTryWithBackoff = statement(
  'try_with_backoff',
  returns({ counted: 'boolean', before: 'timestamptz?', waitMs: 'float8' }),
  (key: string, waits: Waits) => Prisma.sql`
    WITH counted AS (
      INSERT INTO throttle AS t (key, tries, since) VALUES (${key}, 1, ${waits.now}::timestamptz)
      ON CONFLICT (key) DO UPDATE SET since = excluded.since,
        tries = CASE WHEN t.since <= ${waits.forgotten}::timestamptz THEN 1 ELSE t.tries + 1 END
      WHERE t.tries < ${waits.free}::int OR t.since <= excluded.since - interval '1 ms' * ${delay(waits)}
      RETURNING true
    )
    SELECT EXISTS (SELECT FROM counted) AS counted,
      (SELECT t.since FROM throttle t WHERE t.key = ${key}) AS before,
      coalesce((SELECT extract(epoch FROM t.since - ${waits.now}::timestamptz) * 1000 + ${delay(waits)}
        FROM throttle t WHERE t.key = ${key}), ${waits.delays[0]}::float8)::float AS "waitMs"`,
)
