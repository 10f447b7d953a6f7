/** Lists: one connection type each, positioned by cursor (`first`, `after`) or by page (`page`, `limit`). */
import type { ObjectRef } from '@pothos/core'
import { builder, type Types } from './builder.ts'
import type { Config } from './config.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { type FieldError, TesseraError } from './errors.ts'
import { isStorable, isUuid } from './validation.ts'

const defaultLimit = 20
const maxLimit = 100
/** The largest GraphQL Int. */
const maxInt = 2_147_483_647

export type ListArgs = {
  first?: number | null | undefined
  after?: string | null | undefined
  page?: number | null | undefined
  limit?: number | null | undefined
}

/** Arguments of every list field. */
export const listArgs = builder.args((t) => ({
  first: t.int({ description: `How many, 1 to ${maxLimit}; ${defaultLimit} when left out.` }),
  after: t.string({ description: 'The cursor after which to go on.' }),
  page: t.int({ description: 'Page number, from 1: the other way to move, without cursors.' }),
  limit: t.int({ description: `Items of a page, 1 to ${maxLimit}; more is cut to that.` }),
}))

/** What a list costs: each item as much as its fields. (The plugin takes 10 items for `nodes` and for `edges`.) */
export const listComplexity = ({ first, limit }: ListArgs) => ({
  field: 1,
  multiplier: Math.min(Math.max(first ?? limit ?? defaultLimit, 1), maxLimit) / 10,
})

type Keyed = { config: Pick<Config, 'masterKeys'> }

/** A part of a list: `take` items after a cursor, or after `skip` items. */
export type Slice<C> = { take: number; skip: number; after: C | undefined; page: number | null }

export type Connection<N> = {
  edges: { cursor: string; node: N }[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  page: number | null
  limit: number
  total(): Promise<number> | number
}

/** What is wrong with the numbers of a list; REST hands in `NaN` for what is no number. */
export const listFaults = (args: ListArgs): FieldError[] =>
  (['page', 'limit', 'first'] as const)
    .filter((field) => args[field] != null && !(args[field] >= 1 && args[field] <= maxInt))
    .map((field) => ({
      field,
      code: 'invalid',
      message: `${field} must be an integer of at least 1`,
    }))

/**
 * Which part of the list is asked for.
 * @throws TesseraError INVALID_PARAMETERS that names all bad arguments
 */
const sliceOf = <C>(
  { config }: Keyed,
  args: ListArgs,
  { list, isCursor }: { list: string; isCursor(value: unknown): value is C },
): Slice<C> => {
  const errors = listFaults(args)
  const refuse = (field: string, message: string) =>
    errors.push({ field, code: 'invalid', message: `${field} ${message}` })
  const byCursor = args.after != null || args.first != null
  if (byCursor && (args.page != null || args.limit != null))
    refuse('page', 'and limit cannot be combined with first and after')
  const place = args.after == null ? undefined : openCursor(config.masterKeys, list, args.after)
  const after = isCursor(place) ? place : undefined
  if (args.after != null && after === undefined) refuse('after', 'is not a cursor of this list')
  if (errors.length > 0) throw new TesseraError('INVALID_PARAMETERS', { errors })
  const take = Math.min((byCursor ? args.first : args.limit) ?? defaultLimit, maxLimit)
  const page = byCursor ? null : (args.page ?? 1)
  return { take, after, page, skip: page ? (page - 1) * take : 0 }
}

/**
 * Reads a part of a list. `fetch` gives one item more than `slice.take` when there are more;
 * `cursorOf` gives what `fetch` needs to go on after an item.
 */
export const listConnection = async <N, C>(
  ctx: Keyed,
  args: ListArgs,
  options: {
    /** Name of the list: a cursor of another is refused. */
    list: string
    isCursor(value: unknown): value is C
    cursorOf(node: N): C
    fetch(slice: Slice<C>): Promise<N[]>
    total(): Promise<number> | number
  },
): Promise<Connection<N>> => {
  const slice = sliceOf(ctx, args, options)
  const isBeyondAll = slice.skip > maxInt
  const found = isBeyondAll ? [] : await options.fetch({ ...slice, take: slice.take + 1 })
  const { masterKeys } = ctx.config
  // Cursors are made when they are read: most clients page by number and ask for none.
  const edges = found.slice(0, slice.take).map((node) => ({
    node,
    get cursor() {
      return sealCursor(masterKeys, options.list, options.cursorOf(node))
    },
  }))
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > slice.take,
      hasPreviousPage: slice.skip > 0 || slice.after !== undefined,
      get startCursor() {
        return edges[0]?.cursor ?? null
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null
      },
    },
    page: slice.page,
    limit: slice.take,
    total: options.total,
  }
}

const Pagination = builder
  .objectRef<{ page: number | null; limit: number; total: number }>('Pagination')
  .implement({
    description: 'Where a page stands in its list.',
    fields: (t) => ({
      page: t.exposeInt('page', {
        nullable: true,
        description: 'Page number, from 1; null when the list is positioned by cursor.',
      }),
      limit: t.exposeInt('limit', { description: 'Items of a page.' }),
      total: t.expose('total', { type: 'SafeInt', description: 'Items of the whole list.' }),
      totalPages: t.int({
        description: 'Pages of the whole list.',
        resolve: ({ total, limit }) => Math.ceil(total / limit),
      }),
    }),
  })

/** The connection type of a list of `node`s. */
export const connectionType = <N>(name: string, node: ObjectRef<Types, N>) => {
  const edge = builder.edgeObject({
    name: `${name}Edge`,
    type: node as never,
    description: 'An item of a list, with its position.',
  })
  return builder.connectionObject(
    {
      type: node as never,
      name: `${name}Connection`,
      description: 'A part of a list.',
      fields: (t) => ({
        totalCount: t.field({
          type: 'SafeInt',
          description: 'Items of the whole list.',
          resolve: (connection) => (connection as unknown as Connection<N>).total(),
        }),
        page: t.int({
          nullable: true,
          description: 'Page number, from 1; null when the list is positioned by cursor.',
          resolve: (connection) => (connection as unknown as Connection<N>).page,
        }),
        limit: t.int({
          description: 'Items of a page.',
          resolve: (connection) => (connection as unknown as Connection<N>).limit,
        }),
        pagination: t.field({
          type: Pagination,
          description: 'The same as page numbers.',
          resolve: async (connection) => {
            const { page, limit, total } = connection as unknown as Connection<N>
            return { page, limit, total: await total() }
          },
        }),
      }),
    },
    edge as never,
  ) as unknown as ObjectRef<Types, Connection<N>>
}

/** Cursor of a list that is numbered 1, 2, 3, … and shown newest first: the number. */
export const isNumberCursor = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= maxInt

/** Cursor of a list in alphabetical order: the word. */
export const isTextCursor = (value: unknown): value is string =>
  typeof value === 'string' && isStorable(value)

/** Cursor of a list in the order of ids: the id. */
export const isIdCursor = (value: unknown): value is string =>
  typeof value === 'string' && isUuid(value)

/** A model of Prisma, as far as a list needs it. */
type Model<N> = {
  count(args: { where: never }): PromiseLike<number>
  findMany(args: never): PromiseLike<N[]>
}

/** A part of a user's list that is numbered 1, 2, 3, … without a gap: so many before a number. */
export type NumberedPart = { userId: string; below: number; take: number }

/** Reads parts of the lists of many users in one statement, each newest first. */
export const findNumbered = async <
  F extends string,
  N extends { userId: string } & Record<F, number>,
>(
  model: Model<N>,
  number: F,
  parts: NumberedPart[],
): Promise<N[][]> => {
  const ranges = parts.map(({ userId, below, take }) => ({
    userId,
    [number]: { lt: below, gte: Math.max(1, below - take) },
  }))
  const rows = await model.findMany({
    where: { OR: ranges },
    orderBy: { [number]: 'desc' },
  } as never)
  const byUser = Map.groupBy(rows, ({ userId }) => userId)
  return parts.map(({ userId, below, take }) =>
    (byUser.get(userId) ?? []).filter((row) => row[number] < below && row[number] >= below - take),
  )
}

/** Reads a part of the rows of a model in the order of their ids, which is that of time. */
export const listById = <N extends { id: string }>(
  ctx: Keyed,
  list: string,
  args: ListArgs,
  model: Model<N>,
  where: object,
  order: 'oldest first' | 'newest first',
  include?: object,
): Promise<Connection<N>> => {
  const [direction, beyond] = order === 'oldest first' ? ['asc', 'gt'] : ['desc', 'lt']
  return listConnection<N, string>(ctx, args, {
    list,
    isCursor: isIdCursor,
    cursorOf: ({ id }) => id,
    total: async () => model.count({ where: where as never }),
    fetch: async ({ take, skip, after }) =>
      model.findMany({
        where: { ...where, ...(after && { id: { [beyond as string]: after } }) },
        orderBy: { id: direction },
        ...(include && { include }),
        take,
        skip,
      } as never),
  })
}

/** Cursor of a list in the order of moments: milliseconds, and the id where several share one. */
export const isMomentCursor = (value: unknown): value is [number, string] =>
  Array.isArray(value) &&
  value.length === 2 &&
  Number.isInteger(value[0]) &&
  Math.abs(value[0]) < 8e15 &&
  isIdCursor(value[1])
