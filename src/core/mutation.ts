import type { ObjectRef } from '@pothos/core'
import type { z } from 'zod'
import { builder, type Types } from './builder.ts'
import { type Caller, type Context, type KeyKind, requireCaller } from './context.ts'
import { type ErrorCode, errorTable, type FieldError, TesseraError } from './errors.ts'
import { inputType } from './input.ts'
import { check } from './validation.ts'

/** An expected error as a result: GraphQL would throw whatever is an `Error`. */
class Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly errors: FieldError[]

  constructor({ code, message, errors = [] }: TesseraError) {
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
        code === 'VALIDATION_FAILED'
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

/**
 * A mutation of one checked `input`. Its result is the payload or one of the errors that its caller
 * should expect; who may not call it, and faults of the server, are top-level GraphQL errors.
 */
export const mutation = <S extends z.ZodObject, R>(
  name: string,
  options: {
    description: string
    /** The kind of key the caller needs. */
    key: KeyKind
    input: S
    payload: ObjectRef<Types, R>
    errors: ErrorCode[]
    resolve(input: z.output<S>, ctx: Context, caller: Caller): Promise<R>
  },
): void => {
  const expected = new Set<ErrorCode>(['VALIDATION_FAILED', ...options.errors])
  const Name = pascal(name[0] + name.slice(1).replace(/[A-Z]/g, '_$&'))
  const input = inputType(`${Name}Input`, options.input)
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
      args: { input: t.arg({ type: input as never, required: true, description: 'What to do.' }) },
      resolve: async (_: unknown, args: Record<string, unknown>, ctx: Context) => {
        try {
          const caller = requireCaller(ctx, options.key)
          return await options.resolve(check(options.input, args.input), ctx, caller)
        } catch (error) {
          if (error instanceof TesseraError && expected.has(error.code)) return new Problem(error)
          throw error
        }
      },
    } as never),
  )
}
