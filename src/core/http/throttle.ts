/** How often something may be tried: sign-ins of an address, passwords, guesses at a code. Counted over all nodes. */
import { TesseraError } from '../errors.ts'
import type { Job } from '../job.ts'
import type { Work } from '../runtime.ts'

export type Allowance = {
  /** What is counted, with whom: `sign-in 192.0.2.1`. */
  key: string
  max: number
  windowMs: number
}

/**
 * Counts one try.
 * @throws TesseraError RATE_LIMITED past the allowance, until the window that began with the first try ends
 */
export const countTry = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, max, windowMs }: Allowance,
): Promise<void> => {
  const now = clock()
  const ended = new Date(now.getTime() - windowMs)
  const [row] = await tx.$queryRaw<{ tries: number; since: Date }[]>`/* count_try */
    INSERT INTO throttle AS t (key, tries, since) VALUES (${key}, 1, ${now}::timestamptz)
    ON CONFLICT (key) DO UPDATE SET
      tries = CASE WHEN t.since <= ${ended}::timestamptz THEN 1 ELSE t.tries + 1 END,
      since = CASE WHEN t.since <= ${ended}::timestamptz THEN excluded.since ELSE t.since END
    RETURNING tries, since`
  if (row && row.tries > max) throw tooMany(row, { max, windowMs }, now)
}

/**
 * Refuses a try when the allowance was used up before, without counting it.
 * @throws TesseraError RATE_LIMITED
 */
export const refuseTries = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, max, windowMs }: Allowance,
): Promise<void> => {
  const now = clock()
  const row = await tx.throttle.findUnique({ where: { key } })
  if (row && row.tries >= max && row.since.getTime() > now.getTime() - windowMs)
    throw tooMany(row, { max, windowMs }, now)
}

const tooMany = (
  { tries, since }: { tries: number; since: Date },
  { max, windowMs }: Pick<Allowance, 'max' | 'windowMs'>,
  now: Date,
) =>
  new TesseraError('RATE_LIMITED', {
    limit: max,
    current: tries,
    retryAfter: Math.ceil((since.getTime() + windowMs - now.getTime()) / 1000),
  })

export type Backoff = {
  /** What is tried, by whom: `password <account> 192.0.2.1`. */
  key: string
  /** So many tries in a row are free; each further one waits twice as long as the one before. */
  free: number
  firstWaitMs: number
  longestWaitMs: number
  /** So long after the last try all are forgotten. */
  forgottenMs: number
}

/** A try that was counted, with when the one before it was; or how long it has to wait. */
export type Counted = { waitSeconds: null; before: Date | null } | { waitSeconds: number }

/**
 * Counts one try, or says how many seconds to wait when it comes too early, which counts nothing. One
 * statement: of tries at the same moment no more pass than are free.
 */
export const tryWithBackoff = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, free, firstWaitMs, longestWaitMs, forgottenMs }: Backoff,
): Promise<Counted> => {
  const now = clock()
  const forgotten = new Date(now.getTime() - forgottenMs)
  type Row = { counted: boolean; before: Date | null; waitMs: number }
  const [row] = await tx.$queryRaw<Row[]>`/* try_with_backoff */
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
        FROM throttle t WHERE t.key = ${key}), ${firstWaitMs}::float)::float AS "waitMs"`
  if (!row || row.counted) return { waitSeconds: null, before: row?.before ?? null }
  return { waitSeconds: Math.max(1, Math.ceil(row.waitMs / 1000)) }
}

/** Makes a counted try as if it had not been. */
export const takeBackTry = async (
  { tx }: Pick<Work, 'tx'>,
  key: string,
  before: Date | null,
): Promise<void> => {
  await tx.throttle.updateMany({
    where: { key, tries: { gt: 0 } },
    data: { tries: { decrement: 1 }, ...(before && { since: before }) },
  })
}

/** No window is longer. */
const longestWindowMs = 24 * 3600 * 1000

export const throttleJobs: Job[] = [
  {
    name: 'forget-tries',
    everySeconds: 3600,
    run: async ({ db, clock }) => {
      const before = new Date(clock().getTime() - longestWindowMs)
      await db.throttle.deleteMany({ where: { since: { lt: before } } })
    },
  },
]
