/** Lists of the rows of a model, and of raw statements, by keyset. */

import { countUpTo, exactly, type Source } from './connection.ts'
import type { Place } from './cursor.ts'

type Direction = 'asc' | 'desc'

/** Fields with directions; the last of them tells all items of the list apart. None can be null. */
export type Order = readonly (readonly [field: string, direction: Direction])[]

/** A model of Prisma, as far as a list needs it. */
type Model<N> = {
  count(args: never): PromiseLike<number>
  findMany(args: never): PromiseLike<N[]>
}

/** The order as a text. */
const nameOf = (order: Order) => order.map((by) => by.join(' ')).join(', ')

const turned = (direction: Direction, backward: boolean): Direction =>
  (direction === 'asc') === backward ? 'desc' : 'asc'

/** The rows beyond a place. The condition on the first field finds the place in an index. */
const beyond = (
  [[field, direction], ...rest]: readonly [Order[number], ...Order],
  [value, ...others]: Place,
  backward: boolean,
): object => {
  const isUp = turned(direction, backward) === 'asc'
  const past = { [field]: { [isUp ? 'gt' : 'lt']: value } }
  const [next, ...last] = rest
  if (!next) return past
  const tied = beyond([next, ...last], others, backward)
  return { [field]: { [isUp ? 'gte' : 'lte']: value }, OR: [past, tied] }
}

type Counting = 'EXACT' | 'AT_LEAST' | (() => Promise<number> | number)

const countRows =
  <N>(model: Model<N>, where: object, counting: Counting) =>
  async () => {
    if (typeof counting === 'function') return exactly(await counting())
    if (counting === 'EXACT') return exactly(await model.count({ where } as never))
    return countUpTo((take) => model.count({ where, take } as never))
  }

/**
 * The rows of a model.
 * @param counting AT_LEAST stops at 10,000; a function knows the number without counting
 */
export const rows = <N extends object>(
  model: Model<N>,
  {
    where,
    order,
    include,
    counting = 'EXACT',
  }: { where: object; order: Order; include?: object; counting?: Counting },
): Source<N> => ({
  order: nameOf(order),
  placeOf: (row) => order.map(([field]) => (row as Record<string, Place[number]>)[field]) as Place,
  count: countRows(model, where, counting),
  fetch: async ({ take, skip, backward, from }) =>
    model.findMany({
      where: from ? { AND: [where, beyond(order as never, from, backward)] } : where,
      orderBy: order.map(([field, direction]) => ({ [field]: turned(direction, backward) })),
      ...(include && { include }),
      take,
      skip,
    } as never),
})

/** The same list with something else in the place of each item, which still has the fields of the order. */
export const mapped = <R, N extends object>(
  source: Source<R>,
  shown: (items: R[]) => Promise<N[]> | N[],
): Source<N> => ({
  ...source,
  placeOf: (node) => source.placeOf(node as never),
  fetch: async (part) => shown(await source.fetch(part)),
})
