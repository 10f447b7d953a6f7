/** Fields that are lists: a connection with a filter and an order. */

import type { InputFieldMap, InputRef, InputShapeFromFields, ObjectRef } from '@pothos/core'
import type { z } from 'zod'
import { type Access, type CallerOf, type Context, requireCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { TesseraError } from '../errors.ts'
import { onStandby } from '../runtime.ts'
import { check } from '../validation.ts'
import { builder, type Fields, type Types, untypedBuilder } from './builder.ts'
import { connectionType, readConnection, type Source } from './connection.ts'
import { type ListArgs, listComplexity, windowArgs } from './cursor.ts'
import { enumType, inputType } from './input.ts'
import type { Order } from './rows.ts'

const DirectionRef = enumType('OrderDirection', 'The direction of an order.', {
  ASC: 'Ascending: smallest, oldest or A first.',
  DESC: 'Descending: largest, newest or Z first.',
})

/** The orders of a list: for each, fields of the model, the last one unique, and a description. */
type Orders<O extends string> = Record<O, { by: readonly string[]; description: string }>

type Direction = 'ASC' | 'DESC'
type OrderBy<O extends string> = { field: O; direction: Direction }

const orderInputs = new Map<object, InputRef<OrderBy<string>>>()

const orderInput = <O extends string>(name: string, orders: Orders<O>) => {
  const known = orderInputs.get(orders)
  if (known) return known
  const words = Object.entries<{ description: string }>(orders)
  const field = enumType(
    `${name}OrderField`,
    'What to order by.',
    Object.fromEntries(words.map(([word, { description }]) => [word, description])),
  )
  const ref = builder.inputType(`${name}Order`, {
    description: 'The order of a list.',
    fields: (t) => ({
      field: t.field({ type: field, required: true }),
      direction: t.field({ type: DirectionRef, required: true }),
    }),
  })
  orderInputs.set(orders, ref)
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
  /** Whether it may read the standby. */
  onStandby?: boolean
  of: ObjectRef<Types, N>
  /** The prefix of the names of the filter and the order; by default the type of the nodes. */
  name?: string
  /** The filter, as a Zod object. */
  filter?: S
  orders?: Orders<O>
  /** The default order. */
  order?: readonly [NoInfer<O>, Direction]
  /** Arguments in addition to those of every list. */
  args?: X
  /** Whether the list is for this caller. If given, the list is null to others. */
  isFor?(ctx: Context, parent: NoInfer<P>): boolean
  from(request: Request<P, A, z.output<S>, X>): Source<N> | Promise<Source<N>>
}

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
  place: string | readonly [ObjectRef<Types, P>, string],
  options: ListOptions<P, N, A, S, O, X>,
): void => {
  const { description, key, right = 'READ', of, filter, orders, order: standard } = options
  const [type, field] = typeof place === 'string' ? [undefined, place] : place
  const name = options.name ?? of.name
  const listName = `${type?.name ?? 'Query'}.${field}`
  const resolve = async (
    parent: { id?: string; userId?: string } | undefined,
    { first, after, last, before, filter: asked, orderBy, ...args }: Given<O>,
    ctx: Context,
  ) => {
    if (options.isFor && !options.isFor(ctx, parent as P)) return null
    const caller = key ? requireCaller(ctx, key, right) : null
    const checked = filter ? checkFilter(filter, asked) : {}
    const by = orderBy ?? (standard && { field: standard[0], direction: standard[1] })
    const direction = by?.direction === 'DESC' ? 'desc' : 'asc'
    const source = await options.from({
      parent: parent as P,
      caller: caller as CallerOf<A>,
      filter: checked as z.output<S>,
      order: (by && orders?.[by.field].by.map((name) => [name, direction] as const)) ?? [],
      isOrdered: orderBy != null,
      args: args as InputShapeFromFields<X>,
      ctx: options.onStandby ? onStandby(ctx) : ctx,
    })
    // A cursor is only valid in this list of this parent and tenant.
    const scope = [caller?.partnerId, caller?.environment, parent?.id ?? parent?.userId]
    const which = { list: [listName, ...scope].join(' '), filter: [checked, args] }
    return readConnection(ctx, { first, after, last, before }, which, source)
  }
  const fields: Fields = (t) => ({
    [field]: t.field({
      type: connectionType(of),
      description: standard ? `${description} Default order: ${standard.join(' ')}.` : description,
      nullable: options.isFor !== undefined,
      ...(key && { authScopes: { key: [key, right] } }),
      args: {
        ...windowArgs,
        ...(filter && { filter: t.arg({ type: inputType(`${name}Filter`, filter) }) }),
        ...(orders && { orderBy: t.arg({ type: orderInput(name, orders) }) }),
        ...options.args,
      },
      complexity: listComplexity,
      resolve,
    }),
  })
  if (type) untypedBuilder.objectFields(type, fields)
  else untypedBuilder.queryFields(fields)
}
