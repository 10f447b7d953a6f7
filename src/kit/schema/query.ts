import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import { type Access, type CallerOf, type Context, requireCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { TesseraError } from '../errors.ts'
import { onStandby } from '../runtime.ts'
import { check } from '../validation.ts'
import { addFields, type Fields, isRoot } from './builder.ts'
import { argsOf } from './input.ts'
import { costByArgs } from './list-size.ts'
import { nullIfNotFound, orError } from './null-with-error.ts'
import type { ShapeOf } from './payload.ts'

/** @throws TesseraError INVALID_PARAMETERS that names all invalid arguments */
const checkArgs = <S extends z.ZodObject>(schema: S, args: unknown): z.output<S> => {
  try {
    return check(schema, args)
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error
    throw new TesseraError('INVALID_PARAMETERS', { errors: error.errors ?? [] })
  }
}

type NoArgs = z.ZodObject<Record<never, never>>

/** The value of a field of a declared type. */
type Given<T> = T extends readonly [infer One] ? readonly ShapeOf<One>[] : ShapeOf<T>

type Shown = {
  description: string
  nullable?: boolean
  key?: Access
  right?: Right | null
  needsRead?: true
  args?: z.ZodObject
}

/** A lookup that can be refused: its null means one or the other. */
const orRefused = (description: string, isLookup: boolean) => ({
  description: `${description} ${isLookup ? nullIfNotFound : 'Null also with an error at its path.'}`,
  nullable: true,
  extensions: { description },
})

/** The description of a field, when it is null, and its arguments. */
const shownAs = (
  field: string,
  { description, nullable = false, key, right, needsRead, args }: Shown,
  parentType: { name: string } | undefined,
) => {
  const canBeRefused = key !== undefined && (isRoot(parentType) || right !== null)
  const isAlone = !nullable && (canBeRefused || (isRoot(parentType) && args !== undefined))
  const isRefusable = nullable && ((canBeRefused && key !== 'anyone') || needsRead)
  const { extensions, ...shown } = isAlone
    ? orError(description)
    : isRefusable
      ? orRefused(description, isRoot(parentType))
      : { description, nullable, extensions: {} }
  return {
    ...shown,
    ...(args && { args: argsOf(field, args) }),
    // REST takes the arguments from the body of a POST and validates them.
    extensions: { ...extensions, ...(args && { args }), ...(needsRead && { needsRead }) },
  }
}

type QueryOptions<T, P, A extends Access, S extends z.ZodObject, N extends boolean> = {
  description: string
  /** The access required. Omitted: none beyond that of the parent. */
  key?: A
  /** The right required with `key`: READ by default; null for none. */
  right?: Right | null
  /** Whether it requires READ of its owner, to whom the answer to a change shows the parent without it. */
  needsRead?: true
  /** Whether it may read the standby. */
  onStandby?: boolean
  args?: S
  type: T
  nullable?: N
  /** Its cost in addition to the selected fields; 1 by default. Arguments are as GraphQL coerces them. */
  complexity?: number | ((args: z.input<S>) => { field: number; multiplier: number })
  /** What the schema says of a cost that depends on the arguments: the least of it, and the most items. */
  knownComplexity?: { field: number; multiplier: number }
  resolve(
    args: z.output<S>,
    ctx: Context,
    caller: CallerOf<A>,
    parent: P,
    info: GraphQLResolveInfo,
  ):
    | Given<T>
    | (N extends true ? null : never)
    | Promise<Given<T> | (N extends true ? null : never)>
}

/**
 * A query field of the root or of a type. A lookup is nullable: null for something that does not exist or
 * belongs to another partner or environment. So is a field with a right of its own: null with an error without it.
 * @param place its name, or its type and its name
 */
export const query = <
  const T,
  P = undefined,
  A extends Access = 'anyone',
  S extends z.ZodObject = NoArgs,
  N extends boolean = false,
>(
  place: string | readonly [{ $inferType: P; name: string }, string],
  options: QueryOptions<T, P, A, S, N>,
): void => {
  const { key, right = 'READ', args: schema, type, knownComplexity } = options
  const complexity =
    knownComplexity && typeof options.complexity === 'function'
      ? costByArgs(knownComplexity, options.complexity)
      : options.complexity
  const [parentType, field] = typeof place === 'string' ? [undefined, place] : place
  const resolve = (parent: unknown, args: unknown, ctx: Context, info: GraphQLResolveInfo) => {
    if (options.needsRead) requireCaller(ctx, 'secret')
    const caller = (key ? requireCaller(ctx, key, right) : null) as CallerOf<A>
    const checked = schema ? checkArgs(schema, args) : {}
    return options.resolve(
      checked as z.output<S>,
      options.onStandby ? onStandby(ctx) : ctx,
      caller,
      parent as P,
      info,
    )
  }
  const fields: Fields = (t) => ({
    [field]: t.field({
      type,
      ...shownAs(field, options, parentType),
      ...(key && { authScopes: { key: [key, right] } }),
      ...(complexity !== undefined && { complexity }),
      resolve,
    }),
  })
  addFields(parentType, fields)
}
