/** Lists that are numbered 1, 2, 3, … without gaps, so that a number is a position. */
import type { Model } from '../database/model.ts'
import type { UserId } from '../user-id.ts'
import { exactly, type Source } from './connection.ts'
import type { Order } from './rows.ts'

/** A range of numbers, both ends inclusive. */
export type Range = { from: number; to: number }

/**
 * @param order by the number alone; newest first by default
 * @param last the number of the newest item; newer ones may be added while the list is read
 * @param read returns the items of a range, in any order
 */
export const numbered = <F extends string, N extends Record<F, number>>(
  field: F,
  { last, order, read }: { last: number; order?: Order; read(range: Range): PromiseLike<N[]> },
): Source<N> => {
  const direction = order?.[0]?.[1] ?? 'desc'
  return {
    order: `${field} ${direction}`,
    placeOf: (node) => [node[field]],
    count: () => exactly(last),
    fetch: async ({ take, skip, backward, from }) => {
      const number = from?.[0] as number | undefined
      const isUp = (direction === 'asc') !== backward
      const nearest = isUp ? (number ?? 0) + 1 + skip : (number ?? last + 1) - 1 - skip
      if (nearest < 1) return []
      const range = isUp
        ? { from: nearest, to: nearest + take - 1 }
        : { from: Math.max(1, nearest - take + 1), to: nearest }
      const found = await read(range)
      return found.sort((a, b) => (isUp ? a[field] - b[field] : b[field] - a[field]))
    },
  }
}

/** A range of the list of one user. */
export type UserRange = Range & { userId: UserId }

/**
 * Reads ranges of the lists of many parents in one statement, in the order of their numbers. The other fields of a range
 * identify the parent.
 */
export const findNumbered = async <
  P extends object,
  F extends string,
  N extends P & Record<F, number>,
>(
  model: Pick<Model<N>, 'findMany'>,
  field: F,
  ranges: (Range & P)[],
): Promise<N[][]> => {
  const lists = ranges.map(({ from, to, ...parent }) => ({ from, to, parent }))
  const names = Object.keys(lists[0]?.parent ?? {})
  const nameOf = (row: object) => names.map((name) => Reflect.get(row, name)).join(' ')
  const rows = await model.findMany({
    where: {
      OR: lists.map(({ from, to, parent }) => ({ ...parent, [field]: { gte: from, lte: to } })),
    },
  })
  const byParent = Map.groupBy(rows, nameOf)
  return lists.map(({ from, to, parent }) =>
    (byParent.get(nameOf(parent)) ?? [])
      .filter((row) => row[field] >= from && row[field] <= to)
      .sort((a, b) => a[field] - b[field]),
  )
}
