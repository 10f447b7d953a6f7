/** Limits attempts, such as sign-ins from an address or guesses at a password or code. Counted across all nodes. */
import { TesseraError } from '../errors.ts'
import type { Work } from '../runtime.ts'
import { addTry, addTryWithBackoff } from './throttle.sql.ts'

export type TryLimit = {
  /** What is counted, and for whom: `sign-in 192.0.2.1`. */
  key: string
  max: number
  windowMs: number
}

/** Counts attempts. Returns how many of them are within the limit, and the error for the others. */
export const countTries = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, max, windowMs }: TryLimit,
  count: number,
): Promise<{ granted: number; refusal: TesseraError | undefined }> => {
  const now = clock()
  const ended = new Date(now.getTime() - windowMs)
  const [row] = await addTry(tx, key, count, { now, ended })
  const over = row ? row.tries - max : 0
  const granted = count - Math.min(count, Math.max(0, over))
  const refusal = row && granted < count ? tooMany(row, { max, windowMs }, now) : undefined
  return { granted, refusal }
}

/**
 * Counts one attempt.
 * @throws TesseraError RATE_LIMITED above the limit, until the window that began with the first attempt ends
 */
export const countTry = async (
  work: Pick<Work, 'tx' | 'clock'>,
  limit: TryLimit,
): Promise<void> => {
  const { refusal } = await countTries(work, limit, 1)
  if (refusal) throw refusal
}

const tooMany = (
  { tries, since }: { tries: number; since: Date },
  { max, windowMs }: Pick<TryLimit, 'max' | 'windowMs'>,
  now: Date,
) =>
  new TesseraError('RATE_LIMITED', {
    limit: max,
    current: tries,
    retryAfter: Math.ceil((since.getTime() + windowMs - now.getTime()) / 1000),
  })

export type Backoff = {
  /** What is attempted, and by whom: `password <account> 192.0.2.1`. */
  key: string
  /** Consecutive attempts without a delay. */
  free: number
  /** The delays before further ones. The last one repeats. */
  delays: number[]
  /** How long after the last attempt all are forgotten. */
  forgottenMs: number
}

/** A counted attempt with the time of the previous one, or how long to wait. */
export type Counted = { waitSeconds: null; before: Date | null } | { waitSeconds: number }

/**
 * Counts one attempt. One that comes too early is not counted and gets the seconds to wait. One statement, so
 * that concurrent attempts cannot all pass.
 */
export const tryWithBackoff = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { key, free, delays, forgottenMs }: Backoff,
): Promise<Counted> => {
  const now = clock()
  const forgotten = new Date(now.getTime() - forgottenMs)
  const [row] = await addTryWithBackoff(tx, key, { now, forgotten, free, delays })
  if (!row || row.counted) return { waitSeconds: null, before: row?.before ?? null }
  return { waitSeconds: Math.max(1, Math.ceil(row.waitMs / 1000)) }
}

/** Removes a counted attempt. */
export const uncountTry = async (
  { tx }: Pick<Work, 'tx'>,
  key: string,
  before: Date | null,
): Promise<void> => {
  await tx.throttle.updateMany({
    where: { key, tries: { gt: 0 } },
    data: { tries: { decrement: 1 }, ...(before && { since: before }) },
  })
}
