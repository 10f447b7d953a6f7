/** Fields that are lists: a connection with a filter and an order. */

import type { InputFieldMap, InputRef, InputShapeFromFields } from '@pothos/core'
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import { type Access, type CallerOf, type Context, requireCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { TesseraError } from '../errors.ts'
import { onStandby } from '../runtime.ts'
import type { Tenant } from '../tenant.ts'
import { check } from '../validation.ts'
import { addFields, builder, type Fields, isRoot } from './builder.ts'
import { connectionType, type NodeRef, readConnection, type Source } from './connection.ts'
import { isGiven, type ListArgs, pageArgs, windowArgs } from './cursor.ts'
import { capital, enumType, inputType } from './input.ts'
import { ofPage } from './list-size.ts'
import { orError } from './null-with-error.ts'
import type { Nulls, Order } from './rows.ts'

const DirectionRef = enumType('OrderDirection', 'The direction of an order.', {
  ASC: 'Ascending: smallest, oldest or A first.',
  DESC: 'Descending: largest, newest or Z first.',
})

type OrderOf = {
  /** Fields of the model, the last one unique. */
  by: readonly string[]
  /** Where the rows are that have no value in the first field. Omitted: it is not nullable. */
  nulls?: Nulls
  description: string
}

/** The orders of a list. */
type Orders<O extends string> = Record<O, OrderOf>

type Direction = 'ASC' | 'DESC'
type OrderBy<O extends string> = { field: O; direction: Direction }

const orderInputs = new Map<string, InputRef<OrderBy<string>>>()

/** `CREATED_AT` as a part of the name of a type. */
const pascal = (word: string) => word.toLowerCase().split('_').map(capital).join('')

/** The input of an order. Lists with the same fields share it, and one with a single field is named after that. */
const orderInput = <O extends string>(name: string, orders: Orders<O>) => {
  const fields = Object.entries<{ description: string }>(orders)
  const values = Object.fromEntries(fields.map(([word, { description }]) => [word, description]))
  const identity = JSON.stringify(Object.entries(values).sort())
  const known = orderInputs.get(identity)
  if (known) return known
  const [[first] = ['']] = fields
  const prefix = fields.length === 1 ? pascal(first) : name
  const field = enumType(`${prefix}OrderField`, 'What to order by.', values)
  const ref = builder.inputType(`${prefix}Order`, {
    description: 'The order of a list.',
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to order by.' }),
      direction: t.field({
        type: DirectionRef,
        required: true,
        description: 'Whether the least or the greatest value comes first.',
      }),
    }),
  })
  orderInputs.set(identity, ref)
  return ref
}

/** @throws TesseraError INVALID_PARAMETERS that names all invalid fields of the filter */
const checkFilter = <S extends z.ZodObject>(schema: S, filter: unknown): z.output<S> => {
  try {
    return check(schema, filter ?? {})
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error
    const errors = error.errors?.map(({ field, code, message }) => ({
      field: `filter.${field}`,
      code,
      message: `filter.${message}`,
    }))
    throw new TesseraError('INVALID_PARAMETERS', { errors: errors ?? [] })
  }
}

type Request<P, A extends Access, F, X extends InputFieldMap> = {
  parent: P
  /** The caller; null for a list that requires no access. */
  caller: CallerOf<A>
  filter: F
  order: Order
  /** Whether the caller asked for this order. */
  isOrdered: boolean
  args: InputShapeFromFields<X>
  /** The relations (`t.relation`) that the request selects of the nodes, for `rows`. */
  query: object
  ctx: Context
}

/** Raw arguments. */
type Given<O extends string> = ListArgs & {
  filter?: unknown
  orderBy?: OrderBy<O> | null
  [arg: string]: unknown
}

type NoFilter = Record<never, never>

type ListOptions<
  P,
  N,
  A extends Access,
  S extends z.ZodObject,
  O extends string,
  X extends InputFieldMap,
> = {
  description: string
  /** The access required. Omitted: none beyond that of the parent. */
  key?: A
  /** The right required with `key`; READ by default. */
  right?: Right
  /** Whether it requires READ of its owner, to whom the answer to a change shows the parent without it. */
  needsRead?: true
  /** Whether it may read the standby. */
  onStandby?: boolean
  of: NodeRef<N>
  /** The prefix of the names of the filter and the order; by default the type of the nodes. */
  name?: string
  /** The filter, as a Zod object. */
  filter?: S
  orders?: Orders<O>
  /** The prefix of the name of an order that lists of other nodes share; `name` by default. */
  orderName?: string
  /** The default order. */
  order?: readonly [NoInfer<O>, Direction]
  /** Arguments in addition to those of every list. */
  args?: X
  /** Whether the list is for this caller. If given, the list is null to others. */
  isFor?(ctx: Context, parent: NoInfer<P>): boolean
  from(request: Request<P, A, z.output<S>, X>): Source<N> | Promise<Source<N>>
}

/** The fields of an order with their direction. */
const directed = ({ by, nulls }: OrderOf, direction: 'asc' | 'desc'): Order =>
  by.map((name, i) => (i === 0 && nulls ? [name, direction, nulls] : [name, direction]))

/** A cursor is only valid in this list of this parent and tenant. */
const scopeOf = (
  listName: string,
  caller: Tenant | null,
  parent: { id?: string; userId?: string } | undefined,
) => [listName, caller?.partnerId, caller?.environment, parent?.id ?? parent?.userId].join(' ')

/** The description of a list, and when it is null. */
const shownAs = (
  {
    description,
    key,
    order,
    isFor,
    needsRead,
  }: {
    description: string
    key?: Access
    order?: readonly string[]
    isFor?: unknown
    needsRead?: true
  },
  type: { name: string } | undefined,
) => {
  const described = order ? `${description} Default order: ${order.join(' ')}.` : description
  const extensions = { ...ofPage, ...(needsRead && { needsRead }) }
  if (isFor) return { description: described, nullable: true, extensions }
  // An invalid cursor is an error, too. It takes no other root field away.
  if (!isRoot(type) && !key) return { description: described, nullable: false, extensions }
  const shown = orError(described)
  return { ...shown, extensions: { ...shown.extensions, ...extensions } }
}

type Listed = {
  filter?: z.ZodObject | undefined
  orders?: Orders<string> | undefined
  order?: readonly [string, Direction] | undefined
  orderName?: string | undefined
  args?: InputFieldMap | undefined
}

/** The arguments of a list: its window, filter and order, and those that are its own. */
const argsOfList = ({ filter, orders, order, orderName, args }: Listed, name: string) => ({
  ...windowArgs,
  ...(filter && {
    filter: builder.args((t) => ({
      filter: t.field({
        type: inputType(`${name}Filter`, filter),
        description: 'Which items the list has. Omitted or null: all.',
      }),
    })).filter,
  }),
  ...(orders && {
    orderBy: builder.args((t) => ({
      orderBy: t.field({
        type: orderInput(orderName ?? name, orders),
        description: 'The order of the list.',
        ...(order && { defaultValue: { field: order[0], direction: order[1] } }),
      }),
    })).orderBy,
  }),
  ...args,
})

/**
 * A list field of the query root or of a type.
 * @param place its name, or its type and its name
 */
export const list = <
  P,
  N,
  A extends Access = 'anyone',
  S extends z.ZodObject = z.ZodObject<NoFilter>,
  O extends string = never,
  X extends InputFieldMap = NoFilter,
>(
  place: string | readonly [NodeRef<P>, string],
  options: ListOptions<P, N, A, S, O, X>,
): void => {
  const { key, right = 'READ', of, filter, orders, order: standard } = options
  const [type, field] = typeof place === 'string' ? [undefined, place] : place
  const listName = `${type?.name ?? 'Query'}.${field}`
  const resolve = async (
    parent: { id?: string; userId?: string } | undefined,
    { first, after, last, before, filter: requested, orderBy, ...args }: Given<O>,
    ctx: Context,
    info: GraphQLResolveInfo,
  ) => {
    if (options.isFor && !options.isFor(ctx, parent as P)) return null
    if (options.needsRead) requireCaller(ctx, 'secret')
    const caller = key ? requireCaller(ctx, key, right) : null
    const checked = filter ? checkFilter(filter, requested) : {}
    const by = orderBy ?? (standard && { field: standard[0], direction: standard[1] })
    const chosen = by && orders?.[by.field]
    const source = await options.from({
      parent: parent as P,
      caller: caller as CallerOf<A>,
      filter: checked as z.output<S>,
      order: chosen ? directed(chosen, by.direction === 'DESC' ? 'desc' : 'asc') : [],
      isOrdered: orderBy != null && isGiven(info, 'orderBy'),
      args: args as InputShapeFromFields<X>,
      get query() {
        return queryFromInfo({ context: ctx, info, paths: [['nodes'], ['edges', 'node']] })
      },
      ctx: options.onStandby ? onStandby(ctx) : ctx,
    })
    const which = { list: scopeOf(listName, caller, parent), filter: [checked, args] }
    return readConnection(ctx, pageArgs({ first, after, last, before }, info), which, source)
  }
  const fields: Fields = (t) => ({
    [field]: t.field({
      type: connectionType(of),
      ...shownAs(options, type),
      ...(key && { authScopes: { key: [key, right] } }),
      args: argsOfList(options, options.name ?? of.name),
      resolve,
    }),
  })
  addFields(type, fields)
}
