/** How often something may be tried: sign-ins of an address, passwords, guesses at a code. Counted over all nodes. */
import { TesseraError } from './errors.ts'
import type { Job } from './jobs.ts'
import type { Work } from './runtime.ts'

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
  if (row && row.tries > max) throw tooMany(row.since, windowMs, now)
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
    throw tooMany(row.since, windowMs, now)
}

const tooMany = (since: Date, windowMs: number, now: Date) =>
  new TesseraError('RATE_LIMITED', {
    retryAfter: Math.ceil((since.getTime() + windowMs - now.getTime()) / 1000),
  })

export type Lock = {
  /** What is locked: `password ann@example.com`. */
  key: string
  /** So many failures in a row lock it. */
  failures: number
  lockMs: number
}

export const isLocked = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, failures, lockMs }: Lock,
): Promise<boolean> => {
  const row = await tx.throttle.findUnique({ where: { key } })
  return !!row && row.tries >= failures && row.since.getTime() > clock().getTime() - lockMs
}

/** Counts a failure; after a lock, counting begins anew. */
export const countFailure = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, failures, lockMs }: Lock,
): Promise<void> => {
  const now = clock()
  await tx.$executeRaw`/* count_failure */
    INSERT INTO throttle AS t (key, tries, since) VALUES (${key}, 1, ${now}::timestamptz)
    ON CONFLICT (key) DO UPDATE SET since = excluded.since, tries = CASE
      WHEN t.tries >= ${failures}::int AND t.since <= ${new Date(now.getTime() - lockMs)}::timestamptz
      THEN 1 ELSE t.tries + 1 END`
}

export const forgetFailures = async ({ tx }: Pick<Work, 'tx'>, { key }: Lock): Promise<void> => {
  await tx.throttle.deleteMany({ where: { key } })
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
