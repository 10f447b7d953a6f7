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
  firstWaitMs: number
  longestWaitMs: number
}

/** Counts one attempt unless it comes too early. Returns the time of the previous one, or how long to wait. */
export const addTryWithBackoff = statement(
  'try_with_backoff',
  returns({ counted: 'boolean', before: 'timestamptz?', waitMs: 'float8' }),
  (key: string, { now, forgotten, free, firstWaitMs, longestWaitMs }: Waits) => Prisma.sql`
    WITH counted AS (
      INSERT INTO throttle AS t (key, tries, since) VALUES (${key}, 1, ${now}::timestamptz)
      ON CONFLICT (key) DO UPDATE SET since = excluded.since,
        tries = CASE WHEN t.since <= ${forgotten}::timestamptz THEN 1 ELSE t.tries + 1 END
      WHERE t.tries < ${free}::int OR t.since <= excluded.since - interval '1 ms'
        * least(${longestWaitMs}::float, ${firstWaitMs}::float * 2 ^ least(t.tries - ${free}::int, 30))
      RETURNING true
    )
    SELECT EXISTS (SELECT FROM counted) AS counted,
      (SELECT t.since FROM throttle t WHERE t.key = ${key}) AS before,
      coalesce((SELECT extract(epoch FROM t.since - ${now}::timestamptz) * 1000
        + least(${longestWaitMs}::float, ${firstWaitMs}::float * 2 ^ greatest(0, least(t.tries - ${free}::int, 30)))
        FROM throttle t WHERE t.key = ${key}), ${firstWaitMs}::float)::float AS "waitMs"`,
)
