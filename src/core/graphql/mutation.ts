import { ObjectRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { type Access, type CallerOf, type Context, requireCaller } from '../context.ts'
import { asOneCall } from '../db/outage.ts'
import { tellUnknown } from '../error-mapping.ts'
import { type ErrorCode, TesseraError } from '../errors.ts'
import { check } from '../validation.ts'
import { builder, type Types } from './builder.ts'
import { errorTypeName, errorTypes, Problem } from './error-types.ts'
import { inputType } from './input.ts'
import { type Entities, type PayloadOf, payloadType } from './payload.ts'

const nothing = z.object({}).optional() as unknown as z.ZodObject<Record<never, never>>

type Options<A extends Access, S extends z.ZodObject, P, R> = {
  description: string
  /** What the caller needs. */
  key: A
  /** Left out: the mutation takes no argument. */
  input?: S
  payload: P
  errors: ErrorCode[]
  resolve(
    input: z.output<S>,
    ctx: Context,
    caller: CallerOf<A>,
    info: GraphQLResolveInfo,
  ): Promise<R>
}

type Mutation = {
  /** Of a domain whose payloads are one type each. */
  <A extends Access, R, S extends z.ZodObject = typeof nothing>(
    name: string,
    options: Options<A, S, ObjectRef<Types, R>, R>,
  ): void
  <A extends Access, const P extends Entities, S extends z.ZodObject = typeof nothing>(
    name: string,
    options: Options<A, S, P, PayloadOf<P>>,
  ): void
}

/**
 * A mutation of one checked `input`. Its result is a payload of the entities that changed, or one of the
 * errors that its caller should expect; who may not call it, and faults of the server, are top-level
 * GraphQL errors.
 */
export const mutation: Mutation = (
  name: string,
  options: Options<Access, z.ZodObject, Entities | ObjectRef<Types, unknown>, unknown>,
): void => {
  const { input: schema } = options
  const expected = new Set<ErrorCode>([
    ...(schema ? (['VALIDATION_FAILED'] as const) : []),
    ...options.errors,
  ])
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const input = schema && inputType(`${Name}Input`, schema)
  const payload =
    options.payload instanceof ObjectRef
      ? options.payload
      : payloadType(`${Name}Payload`, options.payload)
  const codes = [...expected].map((code) => `\`${code}\``).join(', ')
  const result = builder.unionType(`${Name}Result`, {
    description: `What became of \`${name}\`.${codes && ` Its errors: ${codes}.`}`,
    types: [payload, ...errorTypes(expected)] as never,
    resolveType: (value: unknown) =>
      (value instanceof Problem ? errorTypeName(value) : payload.name) as never,
  })
  builder.mutationField(name, (t) =>
    t.field({
      type: result as never,
      description: options.description,
      authScopes: { key: options.key },
      // REST documents these with each route.
      extensions: { errors: options.errors },
      args: input ? { input: t.arg({ type: input as never, required: true }) } : {},
      resolve: async (
        _: unknown,
        args: Record<string, unknown>,
        ctx: Context,
        info: GraphQLResolveInfo,
      ) => {
        try {
          const caller = requireCaller(ctx, options.key)
          const checked = check(schema ?? (nothing as never), args.input)
          return await asOneCall(() => options.resolve(checked, ctx, caller, info)).catch(
            tellUnknown,
          )
        } catch (error) {
          if (error instanceof TesseraError && expected.has(error.code)) return new Problem(error)
          throw error
        }
      },
    } as never),
  )
}
