import type { ObjectRef } from '@pothos/core'
import { z } from 'zod'
import { builder, type Types } from './builder.ts'
import { type Access, type CallerOf, type Context, requireCaller } from './context.ts'
import { type ErrorCode, errorTable, type FieldError, TesseraError } from './errors.ts'
import { inputType } from './input.ts'
import { check } from './validation.ts'

/** An expected error as a result: GraphQL would throw whatever is an `Error`. */
class Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly errors: FieldError[]
  readonly retryAfter: number | null

  constructor({ code, message, errors = [], retryAfter }: TesseraError) {
    this.retryAfter = retryAfter ?? null
    this.code = code
    this.message = message
    this.errors = errors
  }
}

const ErrorInterface = builder.interfaceRef<Problem>('Error').implement({
  description: 'Why something was not done.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'Stable name of the error; REST answers the same as `errorCode`.',
    }),
    message: t.exposeString('message', { description: 'The error in words, for a person.' }),
    retryAfter: t.exposeInt('retryAfter', {
      nullable: true,
      description: 'Seconds after which another try makes sense, if any.',
    }),
  }),
})

const FieldErrorRef = builder.objectRef<FieldError>('FieldError').implement({
  description: 'A field of an input that was refused.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Path of the field, with dots.' }),
    code: t.exposeString('code', { description: 'What kind of fault: `required`, `too_big`, …' }),
    message: t.exposeString('message', { description: 'The fault in words.' }),
  }),
})

const pascal = (code: string) =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const typeName = (code: ErrorCode) => `${pascal(code)}Error`

/** Errors that name what was refused, field by field. */
const withFields = new Set<ErrorCode>(['VALIDATION_FAILED', 'INVALID_NUMBER_LINES'])

const errorRefs = new Map<ErrorCode, ObjectRef<Types, Problem>>()

/** The GraphQL type of an error of the table. */
const errorRef = (code: ErrorCode): ObjectRef<Types, Problem> => {
  let ref = errorRefs.get(code)
  if (!ref) {
    ref = builder.objectRef<Problem>(typeName(code))
    errorRefs.set(code, ref)
    builder.objectType(ref, {
      description: `${errorTable[code].message}. REST: status ${errorTable[code].status}.`,
      interfaces: [ErrorInterface],
      fields: (t) =>
        withFields.has(code)
          ? {
              errors: t.expose('errors', {
                type: [FieldErrorRef],
                description: 'All fields that were refused.',
              }),
            }
          : ({} as never),
    })
  }
  return ref
}

const nothing = z.object({}).optional() as unknown as z.ZodObject<Record<never, never>>

/**
 * A mutation of one checked `input`. Its result is the payload or one of the errors that its caller
 * should expect; who may not call it, and faults of the server, are top-level GraphQL errors.
 */
export const mutation = <A extends Access, R, S extends z.ZodObject = typeof nothing>(
  name: string,
  options: {
    description: string
    /** What the caller needs. */
    key: A
    /** Left out: the mutation takes no argument. */
    input?: S
    payload: ObjectRef<Types, R>
    errors: ErrorCode[]
    resolve(input: z.output<S>, ctx: Context, caller: CallerOf<A>): Promise<R>
  },
): void => {
  const { input: schema } = options
  const expected = new Set<ErrorCode>([
    ...(schema ? (['VALIDATION_FAILED'] as const) : []),
    ...options.errors,
  ])
  const Name = pascal(name[0] + name.slice(1).replace(/[A-Z]/g, '_$&'))
  const input = schema && inputType(`${Name}Input`, schema)
  const result = builder.unionType(`${Name}Result`, {
    description: `What became of \`${name}\`.`,
    types: [options.payload as ObjectRef<Types, unknown>, ...[...expected].map(errorRef)] as never,
    resolveType: (value: unknown) =>
      value instanceof Problem ? typeName(value.code) : (options.payload.name as never),
  })
  builder.mutationField(name, (t) =>
    t.field({
      type: result as never,
      description: options.description,
      authScopes: { key: options.key },
      args: input
        ? { input: t.arg({ type: input as never, required: true, description: 'What to do.' }) }
        : {},
      resolve: async (_: unknown, args: Record<string, unknown>, ctx: Context) => {
        try {
          const caller = requireCaller(ctx, options.key)
          return await options.resolve(check(schema ?? (nothing as never), args.input), ctx, caller)
        } catch (error) {
          if (error instanceof TesseraError && expected.has(error.code)) return new Problem(error)
          throw error
        }
      },
    } as never),
  )
}
