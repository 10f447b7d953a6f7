/** Leaderboards whose ranks count from marks (docs/decisions/rank-checkpoints.md). */
import { type Queries, retrying } from '../kit/database/db.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import type { ExternalId } from '../kit/user-id.ts'

/** The order of all leaderboards: score descending, then who reached it first, then external id. */
export const byScore = 'score desc, reachedAt asc, externalId asc'

type Parts<P> = (P & { score?: bigint; reachedAt?: Date; externalId?: ExternalId })[]
type List<P, R> = (tx: Queries, parts: Parts<P>, now: Date) => Promise<(R & { n: number })[]>

/** Reads parts of leaderboards of one kind, in a statement for each direction. */
export const listParts = async <P extends Part, R>(
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { behind, ahead }: Record<'behind' | 'ahead', List<P, R>>,
  parts: P[],
): Promise<R[][]> => {
  const lists: R[][] = parts.map(() => [])
  for (const isUp of [false, true]) {
    const places: number[] = []
    const requested = parts.flatMap((part, place) => {
      if (part.backward !== isUp) return []
      places.push(place)
      const [score, reachedAt, externalId] = (part.from ?? []) as [bigint?, Date?, ExternalId?]
      return { ...part, score, reachedAt, externalId }
    })
    if (requested.length === 0) continue
    for (const { n, ...row } of await (isUp ? ahead : behind)(tx, requested as Parts<P>, clock()))
      lists[places[n] as number]?.push(row as R)
  }
  return lists
}

const placesBetweenMarks = 500

type Db = Runtime['db']

/**
 * Counts stale leaderboards of one kind again. Longer ones are counted less often: 10,000,000 users every 500 s, which
 * takes about one percent of a core.
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
