/** The errors of the schema: an enum of all codes, and a type for each kind of data they carry. */
import type { ObjectRef } from '@pothos/core'
import {
  type DataOf,
  type ErrorKind,
  type FieldError,
  kindOf,
  pathOf,
  type Thing,
  things,
} from '../error-kinds.ts'
import { type ErrorCode, errorTable, type TesseraError } from '../errors.ts'
import { builder, type Types } from './builder.ts'
import { enumType } from './input.ts'

/** An expected error as a result. It is not an `Error`, because GraphQL would throw that. */
export class Problem<K extends ErrorKind = ErrorKind> {
  readonly code: ErrorCode
  readonly message: string
  readonly data: DataOf[K]
  readonly retryAfter: number | null

  constructor({ code, message, data, retryAfter }: TesseraError) {
    this.code = code
    this.message = message
    this.data = data as DataOf[K]
    this.retryAfter = retryAfter ?? null
  }
}

export const ErrorCodeRef = enumType(
  'ErrorCode',
  'Stable names of all errors: `code` of the error types and of `extensions`; `errorCode` in REST.',
  Object.fromEntries(
    Object.entries(errorTable).map(([code, { message }]) => [code, `${message}.`]),
  ) as Record<ErrorCode, string>,
)

const ThingRef = enumType(
  'Thing',
  'What was not found.',
  Object.fromEntries(
    Object.entries(things).map(([code, thing]) => [thing, `Error code \`${code}\`.`]),
  ) as Record<Thing, string>,
)

const ErrorInterface = builder.interfaceRef<Pick<Problem, 'code' | 'message'>>('Error').implement({
  description: 'An expected error, with a stable code and a readable message.',
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCodeRef }),
    message: t.exposeString('message'),
  }),
})

const FieldErrorRef = builder.objectRef<FieldError>('FieldError').implement({
  description: 'A field of the input that is invalid.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Path of the field in the input; empty for the input as a whole.',
      resolve: ({ field }) => pathOf(field),
    }),
    code: t.exposeString('code', { description: 'The kind of error: `required`, `too_big`, …' }),
    message: t.exposeString('message'),
  }),
})

const problemRef = <K extends ErrorKind>(kind: K, description: string) =>
  builder
    .objectRef<Problem<K>>(`${kind}Error`)
    .implement({ description, interfaces: [ErrorInterface] })

/** Errors of the whole request and server faults are not results. */
type ResultKind = Exclude<ErrorKind, 'Request' | 'Server'>

const errorRefs: { [K in ResultKind]: ObjectRef<Types, Problem<K>> } = {
  Validation: problemRef('Validation', 'The input is invalid.'),
  NotFound: problemRef('NotFound', 'Something that the input names was not found.'),
  InsufficientPoints: problemRef('InsufficientPoints', 'The user has too few points.'),
  DuplicateReference: problemRef(
    'DuplicateReference',
    'The reference was used before. Nothing was done.',
  ),
  AlreadyReversed: problemRef(
    'AlreadyReversed',
    'The ledger entry was reversed before. Nothing was done.',
  ),
  Limit: problemRef('Limit', 'A limit would be exceeded.'),
  NotActive: problemRef('NotActive', 'The operation is not possible in the current status.'),
  Taken: problemRef('Taken', 'The value is already taken.'),
  AlreadyDone: problemRef('AlreadyDone', 'It can be done only once, and has already been done.'),
  InvalidCode: problemRef('InvalidCode', 'The code is not valid, or no longer valid.'),
  Conflict: problemRef('Conflict', 'Somebody else has changed the object. Nothing was done.'),
  Outdated: problemRef('Outdated', 'The object has changed since the caller read it.'),
  NotAllowed: problemRef('NotAllowed', 'The caller may not do this.'),
  Authentication: problemRef('Authentication', 'The credentials are wrong or insufficient.'),
}

/** The type of the errors of a kind. Domains add fields with their entities. */
export const errorType = <K extends ResultKind>(kind: K): (typeof errorRefs)[K] => errorRefs[kind]

/** The distinct types of some errors. */
export const errorTypes = (codes: Iterable<ErrorCode>) => [
  ...new Set(
    [...codes].map((code) => errorRefs[kindOf(code) as ResultKind] as ObjectRef<Types, unknown>),
  ),
]

export const errorTypeName = ({ code }: Problem): string => `${kindOf(code)}Error`

builder.objectFields(errorRefs.Validation, (t) => ({
  errors: t.field({
    type: [FieldErrorRef],
    description: 'All invalid fields.',
    resolve: ({ data }) => data.errors,
  }),
}))

builder.objectFields(errorRefs.NotFound, (t) => ({
  what: t.field({
    type: ThingRef,
    description: 'What was not found.',
    resolve: ({ code, data }) => data.what ?? things[code as keyof typeof things],
  }),
}))

builder.objectFields(errorRefs.InsufficientPoints, (t) => ({
  balance: t.field({
    type: 'SafeInt',
    description: "The user's balance.",
    resolve: ({ data }) => data.balance,
  }),
  price: t.field({
    type: 'SafeInt',
    description: 'What it would have cost.',
    resolve: ({ data }) => data.price,
  }),
}))

builder.objectFields(errorRefs.Limit, (t) => ({
  limit: t.field({
    type: 'SafeInt',
    nullable: true,
    description: 'The limit; null if the caller may not see it.',
    resolve: ({ data }) => data.limit,
  }),
  current: t.field({
    type: 'SafeInt',
    nullable: true,
    description: 'The current count; null if unknown.',
    resolve: ({ data }) => data.current,
  }),
  retryAfter: t.int({
    nullable: true,
    description: 'Seconds to wait before retrying; null if waiting does not help.',
    resolve: ({ retryAfter }) => retryAfter,
  }),
}))

builder.objectFields(errorRefs.NotActive, (t) => ({
  status: t.string({
    nullable: true,
    description: 'The status, as a value of its enum; null if the object does not exist.',
    resolve: ({ data }) => data.status,
  }),
  since: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it took this status; null if unknown.',
    resolve: ({ data }) => data.since,
  }),
}))

builder.objectFields(errorRefs.Taken, (t) => ({
  field: t.string({
    description: 'The field that must be unique.',
    resolve: ({ data }) => data.field,
  }),
  value: t.string({ description: 'The value that is taken.', resolve: ({ data }) => data.value }),
}))

builder.objectFields(errorRefs.AlreadyDone, (t) => ({
  doneAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it was done; null if unknown.',
    resolve: ({ data }) => data.doneAt,
  }),
}))

builder.objectFields(errorRefs.InvalidCode, (t) => ({
  since: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it stopped being valid; null if it never was.',
    resolve: ({ data }) => data.since,
  }),
}))
