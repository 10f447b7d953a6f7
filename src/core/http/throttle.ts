/** Limits how often something may be tried: sign-ins of an address, passwords, guesses at a code. Counted over all nodes. */
import { TesseraError } from '../errors.ts'
import type { Job } from '../job.ts'
import type { Work } from '../runtime.ts'
import { addTry, addTryWithBackoff } from './throttle.sql.ts'

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
  const [row] = await addTry(tx, key, { now, ended })
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
  /** Tries in a row that do not wait. Each further one waits twice as long as the one before. */
  free: number
  firstWaitMs: number
  longestWaitMs: number
  /** How long after the last try all are forgotten. */
  forgottenMs: number
}

/** A counted try, with the time of the one before it, or how long to wait. */
export type Counted = { waitSeconds: null; before: Date | null } | { waitSeconds: number }

/**
 * Counts one try. A try that comes too early is not counted and gets the seconds to wait. One statement, so that
 * tries at the same moment cannot pass together.
 */
export const tryWithBackoff = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, free, firstWaitMs, longestWaitMs, forgottenMs }: Backoff,
): Promise<Counted> => {
  const now = clock()
  const forgotten = new Date(now.getTime() - forgottenMs)
  const waits = { now, forgotten, free, firstWaitMs, longestWaitMs }
  const [row] = await addTryWithBackoff(tx, key, waits)
  if (!row || row.counted) return { waitSeconds: null, before: row?.before ?? null }
  return { waitSeconds: Math.max(1, Math.ceil(row.waitMs / 1000)) }
}

/** Undoes a counted try. */
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
