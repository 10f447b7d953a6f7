/** Lists of rows of a model or a raw statement, by keyset pagination. */

import type { Model } from '../database/model.ts'
import { countUpTo, exactly, type Source } from './connection.ts'
import type { Place } from './cursor.ts'

type Direction = 'asc' | 'desc'

/** Fields with directions. The last one is unique within the list. None is nullable. */
export type Order = readonly (readonly [field: string, direction: Direction])[]

/** The order as a text. */
const nameOf = (order: Order) => order.map((by) => by.join(' ')).join(', ')

const turned = (direction: Direction, backward: boolean): Direction =>
  (direction === 'asc') === backward ? 'desc' : 'asc'

/** The rows after a position. The condition on the first field makes an index usable. */
const beyond = ([by, ...rest]: Order, [value, ...others]: Place, backward: boolean): object => {
  if (!by) return {}
  const [field, direction] = by
  const isUp = turned(direction, backward) === 'asc'
  const past = { [field]: { [isUp ? 'gt' : 'lt']: value } }
  if (rest.length === 0) return past
  const tied = beyond(rest, others, backward)
  return { [field]: { [isUp ? 'gte' : 'lte']: value }, OR: [past, tied] }
}

type Counting = 'EXACT' | 'AT_LEAST' | (() => Promise<number> | number)

const countRows =
  <N>(model: Model<N>, where: object, counting: Counting) =>
  async () => {
    if (typeof counting === 'function') return exactly(await counting())
    if (counting === 'EXACT') return exactly(await model.count({ where }))
    return countUpTo((take) => model.count({ where, take }))
  }

/**
 * The rows of a model.
 * @param counting AT_LEAST stops at 10,000; a function returns the number without counting
 */
export const rows = <N extends object>(
  model: Model<N>,
  { where, order, counting = 'EXACT' }: { where: object; order: Order; counting?: Counting },
): Source<N> => ({
  order: nameOf(order),
  placeOf: (row) => order.map(([field]) => (row as Record<string, Place[number]>)[field]) as Place,
  count: countRows(model, where, counting),
  fetch: async ({ take, skip, backward, from }) =>
    model.findMany({
      where: from ? { AND: [where, beyond(order, from, backward)] } : where,
      orderBy: order.map(([field, direction]) => ({ [field]: turned(direction, backward) })),
      take,
      skip,
    }),
})

/** The same list with each item replaced by one that keeps the fields of the order. */
export const mapped = <R, N extends R>(
  source: Source<R>,
  shown: (items: R[]) => Promise<N[]> | N[],
): Source<N> => ({
  ...source,
  fetch: async (part) => shown(await source.fetch(part)),
})
