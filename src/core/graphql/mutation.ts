import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import { type Access, type CallerOf, type Context, requireCaller } from '../context.ts'
import { asOneCall } from '../db/outage.ts'
import { throwUnknownOutcome } from '../error-mapping.ts'
import { type ErrorCode, TesseraError } from '../errors.ts'
import { check } from '../validation.ts'
import { errorTypeName, errorTypes, Problem } from './error-types.ts'
import { inputType } from './input.ts'
import { type Entities, type PayloadOf, payloadType } from './payload.ts'
import { untypedBuilder } from './untyped-builder.ts'

type NoInput = z.ZodObject<Record<never, never>>

type Options<A extends Access, S extends z.ZodObject, P extends Entities> = {
  description: string
  /** The access required. */
  key: A
  /** Omitted: the mutation takes no argument. */
  input?: S
  payload: P
  errors: ErrorCode[]
  resolve(
    input: z.output<S>,
    ctx: Context,
    caller: CallerOf<A>,
    info: GraphQLResolveInfo,
  ): Promise<PayloadOf<P>>
}

/**
 * A mutation with one validated `input`. Its result is a payload of the changed entities or an expected error.
 * Missing access and server faults are top-level GraphQL errors.
 */
export const mutation = <
  A extends Access,
  const P extends Entities,
  S extends z.ZodObject = NoInput,
>(
  name: string,
  options: Options<A, S, P>,
): void => {
  const { input: schema } = options
  const expected = new Set<ErrorCode>([
    ...(schema ? (['VALIDATION_FAILED'] as const) : []),
    ...options.errors,
  ])
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const input = schema && inputType(`${Name}Input`, schema)
  const payload = payloadType(`${Name}Payload`, options.payload)
  const codes = [...expected].map((code) => `\`${code}\``).join(', ')
  const result = untypedBuilder.unionType(`${Name}Result`, {
    description: `The result of \`${name}\`.${codes && ` Errors: ${codes}.`}`,
    types: [payload, ...errorTypes(expected)],
    resolveType: (value: unknown) =>
      value instanceof Problem ? errorTypeName(value) : payload.name,
  })
  untypedBuilder.mutationFields((t) => ({
    [name]: t.field({
      type: result,
      description: options.description,
      authScopes: { key: options.key },
      // REST documents these with each route.
      extensions: { errors: options.errors },
      args: input ? { input: t.arg({ type: input, required: true }) } : {},
      resolve: async (
        _: unknown,
        args: Record<string, unknown>,
        ctx: Context,
        info: GraphQLResolveInfo,
      ) => {
        try {
          const caller = requireCaller(ctx, options.key)
          const checked = (schema ? check(schema, args.input) : {}) as z.output<S>
          return await asOneCall(() => options.resolve(checked, ctx, caller, info)).catch(
            throwUnknownOutcome,
          )
        } catch (error) {
          if (error instanceof TesseraError && expected.has(error.code)) return new Problem(error)
          throw error
        }
      },
    }),
  }))
}
