/** Connections: a part of a list with cursors and page info. */
import type { InterfaceRef, ObjectRef } from '@pothos/core'
import { refused } from '../errors.ts'
import type { Keys } from '../runtime.ts'
import { builder, type FieldMaker, type Types, untypedBuilder } from './builder.ts'
import { cursorsOf, type ListArgs, type Place, windowOf } from './cursor.ts'
import { enumType } from './input.ts'
import { defaultItems, maxItems } from './list-size.ts'

/** How many items a list has, or at least how many. */
export type Count = { value: number; precision: 'EXACT' | 'AT_LEAST' }

export const exactly = (value: number): Count => ({ value, precision: 'EXACT' })

/** Counts of potentially large lists stop here. */
export const countLimit = 10_000

/** Counts a potentially large list. */
export const countUpTo = async (count: (limit: number) => PromiseLike<number>): Promise<Count> => {
  const value = await count(countLimit + 1)
  return value > countLimit ? { value: countLimit, precision: 'AT_LEAST' } : exactly(value)
}

/**
 * Items after a position, or before it when `backward`. Without a position: from the beginning, or from the
 * end. `skip` is 0 if there is a position.
 */
export type Part = { take: number; skip: number; backward: boolean; from: Place | undefined }

/** The source of a list. */
export type Source<N> = {
  /** The order. Cursors of another order are refused. */
  order: string
  placeOf(node: N): Place
  /** Reads a part. The item closest to the position comes first. */
  fetch(part: Part): Promise<N[]>
  count(): Promise<Count> | Count
}

export type Connection<N> = {
  edges: { cursor: string; node: N }[]
  pageInfo: {
    hasNextPage: Promise<boolean> | boolean
    hasPreviousPage: Promise<boolean> | boolean
    startCursor: string | null
    endCursor: string | null
  }
  totalCount(): Promise<Count> | Count
}

/** The largest row count that PostgreSQL and Prisma accept. */
const maxInt = 2_147_483_647

/** A part that begins at a position, or before or after item number `place`. */
const partOf = (place: Place | number | undefined, take: number, backward: boolean): Part => {
  if (typeof place !== 'number') return { take, skip: 0, backward, from: place }
  const skip = backward ? Math.max(0, place - 1 - take) : place
  const length = backward ? Math.min(take, place - 1) : take
  return { take: length, skip, backward: false, from: undefined }
}

/**
 * Reads a part of a list. The count, and whether there are items before the part, cost a statement each and are
 * only read when selected.
 * @param list unique name of the list
 * @param filter decides which items it has
 */
export const readConnection = async <N>(
  { keys }: { keys: Pick<Keys, 'master'> },
  args: ListArgs,
  { list, filter }: { list: string; filter: object },
  source: Source<N>,
): Promise<Connection<N>> => {
  const { take, backward, cursor } = windowOf(args)
  const cursors = cursorsOf(keys.master, { list, order: source.order, filter })
  const place = cursor === null ? undefined : cursors.open(cursor)
  if (typeof place === 'object' && 'fault' in place)
    throw refused(backward ? 'before' : 'after', place.fault, 'INVALID_PARAMETERS')
  const part = partOf(place, take, backward)
  const isBeyondAll = part.skip > maxInt
  const found = isBeyondAll ? [] : await source.fetch({ ...part, take: part.take + 1 })
  const nodes = found.slice(0, part.take)
  const hasMore = found.length > part.take
  if (part.backward) nodes.reverse()
  // Cursors are created lazily, because many clients select none.
  const edges = nodes.map((node) => ({
    node,
    get cursor() {
      return cursors.make(source.placeOf(node))
    },
  }))

  /** Whether there is an item after the part. If the part is empty, all items are before it. */
  const isBeyond = async (backward: boolean): Promise<boolean> => {
    const edge = backward ? nodes[0] : nodes.at(-1)
    const from = edge && source.placeOf(edge)
    return (await source.fetch({ take: 1, skip: 0, backward, from })).length > 0
  }

  /** Whether there are items before the part, in reading direction. */
  const hasLeft = (): Promise<boolean> | boolean => {
    if (typeof place !== 'number') return place !== undefined && isBeyond(!backward)
    return part.skip > 0 && (nodes.length > 0 || isBeyond(true))
  }

  return {
    edges,
    pageInfo: {
      get hasNextPage() {
        return part.backward ? hasLeft() : hasMore
      },
      get hasPreviousPage() {
        return part.backward ? hasMore : hasLeft()
      },
      get startCursor() {
        return edges[0]?.cursor ?? null
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null
      },
    },
    totalCount: source.count,
  }
}

const CountPrecisionRef = enumType('CountPrecision', 'How exact a count is.', {
  EXACT: 'The list has exactly `value` items.',
  AT_LEAST: '`value` or more. Counting stopped there.',
})

export const CountRef = builder.objectRef<Count>('Count').implement({
  description: 'The number of items in a list. Counted only when requested.',
  fields: (t) => ({
    value: t.expose('value', {
      type: 'SafeInt',
      description: `The number. Counting of a long list stops at ${countLimit.toLocaleString('en')}.`,
    }),
    precision: t.expose('precision', {
      type: CountPrecisionRef,
      description: 'Whether the list has exactly so many items, or at least.',
    }),
  }),
})

/** The type of the nodes of a list. */
export type NodeRef<N> = ObjectRef<Types, N> | InterfaceRef<Types, N>

const connections = new Map<string, object>()

/** The connection type of a type of nodes, shared by all lists of these nodes. */
export const connectionType = <N>(node: NodeRef<N>): ObjectRef<Types, Connection<N>> => {
  const known = connections.get(node.name)
  if (known) return known as ObjectRef<Types, Connection<N>>
  const edge = untypedBuilder.edgeObject({
    name: `${node.name}Edge`,
    type: node,
    description: 'An item of a page.',
  })
  const connection = untypedBuilder.connectionObject<Connection<N>>(
    {
      type: node,
      name: `${node.name}Connection`,
      description: `A page of a list: ${defaultItems} items, or what \`first\` or \`last\` says, up to ${maxItems}.`,
      fields: (t: FieldMaker) => ({
        totalCount: t.field({
          type: CountRef,
          description: 'The number of items in the whole list, with its filter.',
          resolve: (connection: Connection<N>) => connection.totalCount(),
        }),
      }),
    },
    edge,
  )
  connections.set(node.name, connection)
  return connection
}

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
