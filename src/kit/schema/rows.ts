/** Lists of rows of a model or a raw statement, by keyset pagination. */

import type { Model } from '../database/model.ts'
import { countUpTo, exactly, type Source } from './connection.ts'
import type { Place } from './cursor.ts'

type Direction = 'asc' | 'desc'

/** Where the rows without a value are: before all others in ascending order, or after them. */
export type Nulls = 'LOWEST' | 'HIGHEST'

/** Fields with directions. The last one is unique within the list. A nullable one says where its nulls are. */
export type Order = readonly (readonly [field: string, direction: Direction, nulls?: Nulls])[]

/** The order as a text. */
export const nameOf = (order: Order) => order.map((by) => by.join(' ')).join(', ')

const turned = (direction: Direction, backward: boolean): Direction =>
  (direction === 'asc') === backward ? 'desc' : 'asc'

/** The rows after a position in a nullable field, and at it. */
const beyondNullable = (
  field: string,
  value: Place[number],
  isUp: boolean,
  nulls: Nulls,
  tied: object,
): object => {
  const isNullNext = isUp === (nulls === 'HIGHEST')
  const same = { [field]: value, AND: tied }
  if (value === null) return isNullNext ? same : { OR: [{ [field]: { not: null } }, same] }
  const past = { [field]: { [isUp ? 'gt' : 'lt']: value } }
  return { OR: [past, same, ...(isNullNext ? [{ [field]: null }] : [])] }
}

/** The rows after a position. The condition on the first field makes an index usable. */
const beyond = (
  [by, ...rest]: Order,
  [value = null, ...others]: Place,
  backward: boolean,
): object => {
  if (!by) return {}
  const [field, direction, nulls] = by
  const isUp = turned(direction, backward) === 'asc'
  if (nulls) return beyondNullable(field, value, isUp, nulls, beyond(rest, others, backward))
  const past = { [field]: { [isUp ? 'gt' : 'lt']: value } }
  if (rest.length === 0) return past
  const tied = beyond(rest, others, backward)
  return { [field]: { [isUp ? 'gte' : 'lte']: value }, OR: [past, tied] }
}

/** The order of one field as Prisma takes it. */
const sorted = ([field, direction, nulls]: Order[number], backward: boolean): object => {
  const sort = turned(direction, backward)
  const isNullLast = (sort === 'asc') === (nulls === 'HIGHEST')
  return { [field]: nulls ? { sort, nulls: isNullLast ? 'last' : 'first' } : sort }
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
 * @param query what Prisma reads with the rows, as `list` gives it: the relations that the request selects
 * @param counting AT_LEAST stops at 10,000; a function returns the number without counting
 */
export const rows = <N extends object>(
  model: Model<N>,
  {
    where = {},
    order,
    query,
    counting = 'EXACT',
  }: { where?: object; order: Order; query?: object; counting?: Counting },
): Source<N> => ({
  order: nameOf(order),
  placeOf: (row) => order.map(([field]) => (row as Record<string, Place[number]>)[field]) as Place,
  count: countRows(model, where, counting),
  fetch: async ({ take, skip, backward, from }) =>
    model.findMany({
      ...query,
      where: from ? { AND: [where, beyond(order, from, backward)] } : where,
      orderBy: order.map((by) => sorted(by, backward)),
      take,
      skip,
    }),
})

/** A list of nothing, in an order. */
export const noRows = <N>(order: Order): Source<N> => ({
  order: nameOf(order),
  placeOf: () => [],
  count: () => exactly(0),
  fetch: async () => [],
})

/** Whether the first of two places is after the second, in ascending order. */
const isAfter = (first: Place, other: Place): boolean => {
  const n = first.findIndex((value, i) => value !== other[i])
  return n >= 0 && (first[n] ?? '') > (other[n] ?? '')
}

/**
 * A list that is read as a whole.
 * @param items in ascending order of their places
 */
export const wholeList = <N>(items: readonly N[], placeOf: (item: N) => Place): Source<N> => ({
  order: 'whole asc',
  placeOf,
  count: () => exactly(items.length),
  fetch: async ({ take, skip, backward, from }) => {
    const next = items.filter((item) => {
      if (!from) return true
      return backward ? isAfter(from, placeOf(item)) : isAfter(placeOf(item), from)
    })
    if (backward) next.reverse()
    return next.slice(skip, skip + take)
  },
})

/** The same list with each item replaced by one that keeps the fields of the order. */
export const mapped = <R, N extends R>(
  source: Source<R>,
  shown: (items: R[]) => Promise<N[]> | N[],
): Source<N> => ({
  ...source,
  fetch: async (part) => shown(await source.fetch(part)),
})
