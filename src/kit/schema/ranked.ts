/** Ranked lists: the items of a list with their positions, from 1. */

import { exactly, type Part, type Source } from './connection.ts'
import type { Place } from './cursor.ts'

/**
 * A list of entries with their ranks. A cursor carries the rank of its entry, so no statement counts the
 * entries ahead. If others have overtaken since, ranks after the cursor are as of then.
 */
export const ranked = <R, N extends { rank: number }>(
  source: Source<R>,
  {
    total,
    entry,
    rowOf,
  }: { total(): Promise<number>; entry(row: R, rank: number): N; rowOf(entry: N): R },
): Source<N> => ({
  order: source.order,
  placeOf: (node) => [node.rank, ...source.placeOf(rowOf(node))],
  count: async () => exactly(await total()),
  fetch: async ({ from, ...part }: Part) => {
    const [rank, ...place] = (from ?? []) as [number | undefined, ...Place]
    const found = await source.fetch({ ...part, from: from && place })
    if (!part.backward) {
      const before = rank ?? part.skip
      return found.map((row, i) => entry(row, before + i + 1))
    }
    // Reading backward to the top restores the ranks.
    const isTop = found.length < part.take
    const behind = rank ?? (await total()) + 1
    const next = isTop ? found.length : Math.max(behind - 1, found.length)
    return found.map((row, i) => entry(row, next - i))
  },
})
