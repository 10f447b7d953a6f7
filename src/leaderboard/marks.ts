/** Leaderboards whose ranks count from marks (decision 0211). */
import { retrying } from '../core/db/db.ts'
import type { Runtime } from '../core/runtime.ts'

const placesBetweenMarks = 500

type Db = Runtime['db']

/**
 * Counts leaderboards of one kind again, from ten marks on. The longer one is, the more rarely: 10,000,000 users every
 * 500 s, which takes about one percent of a core.
 */
export const markLeaderboards = async <K>(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  findStale: (db: Db, now: Date, threshold: number) => Promise<K[]>,
  mark: (db: Db, key: K, now: Date, first: number, every: number) => Promise<unknown>,
  every = placesBetweenMarks,
): Promise<void> => {
  const now = clock()
  const first = 10 * every
  for (const key of await findStale(db, now, 2 * first))
    await retrying(() => mark(db, key, now, first, every))
}
