/** The errors of the schema: an enum of all codes, and a type for each kind of data they carry. */
import type { ObjectRef } from '@pothos/core'
import type { Right } from '../access/rights.ts'
import { errorKinds, type Field, type ResultKind } from '../error-kinds.ts'
import {
  type CodeOf,
  type DataOf,
  type ErrorCode,
  errorTable,
  type FieldError,
  fieldErrorCodes,
  nameOfFieldErrorCode,
  pathOf,
  type ResourceType,
  type TesseraError,
} from '../errors.ts'
import { builder, type FieldMaker, type Types, untypedBuilder } from './builder.ts'
import { enumType, RightRef } from './input.ts'

/** A code that a mutation can have as a result. */
export type ResultCode = CodeOf<ResultKind>

/** An expected error as a result. It is not an `Error`, because GraphQL would throw that. */
export class Problem<K extends ResultKind = ResultKind> {
  readonly code: ErrorCode
  readonly message: string
  readonly data: DataOf<K>
  readonly path: string[] | null
  readonly retryAfter: number | null

  constructor(error: TesseraError, path: string[] | null) {
    const { code, data, retryAfter } = error
    this.code = code
    this.message = error.messageInGraphql
    this.path = path
    this.data = data as DataOf<K>
    this.retryAfter = retryAfter ?? null
  }
}

export const ErrorCodeRef = enumType(
  'ErrorCode',
  'Stable names of all errors: `code` of the error types and of `extensions`; `errorCode` in REST. The HTTP status is that of REST; GraphQL has it at most for an answer without data.',
  Object.fromEntries(
    Object.entries(errorTable).flatMap(
      ([code, { status, message, inGraphql = message, isOfRest }]) =>
        isOfRest ? [] : [[code, `${inGraphql}. HTTP status ${status}.`]],
    ),
  ) as Record<ErrorCode, string>,
)

const codesOfResources = Map.groupBy(
  Object.entries(errorTable).flatMap(([code, { resource }]) =>
    resource ? { code, resource } : [],
  ),
  ({ resource }) => resource,
)

const ResourceTypeRef = enumType(
  'ResourceType',
  'The type of what was not found.',
  Object.fromEntries(
    [...codesOfResources].map(([resource, codes]) => [
      resource,
      `The \`code\` of its error is ${codes.map(({ code }) => `\`${code}\``).join(' or ')}.`,
    ]),
  ) as Record<ResourceType, string>,
)

const ErrorInterface = builder
  .interfaceRef<Pick<Problem, 'code' | 'message' | 'path'>>('Error')
  .implement({
    description: 'An expected error, with a stable code and a readable message.',
    fields: (t) => ({
      code: t.expose('code', {
        type: ErrorCodeRef,
        description: 'The stable code of the error, which clients compare.',
      }),
      message: t.exposeString('message', {
        description: 'What is wrong, in English, for developers. The wording can change.',
      }),
      path: t.exposeStringList('path', {
        nullable: true,
        description:
          'Path of the field of the input that caused it. Null if it is not one field, or not known.',
      }),
    }),
  })

const FieldErrorCodeRef = enumType(
  'FieldErrorCode',
  'Kinds of problems with a field. REST has them in lower case.',
  fieldErrorCodes,
  { nameOf: nameOfFieldErrorCode },
)

const FieldErrorRef = builder.objectRef<FieldError>('FieldError').implement({
  description: 'A field of the input that is invalid.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Path of the field in the input; empty for the input as a whole.',
      resolve: ({ field }) => pathOf(field),
    }),
    code: t.expose('code', { type: FieldErrorCodeRef, description: 'The kind of problem.' }),
    message: t.exposeString('message', {
      description: 'What is wrong with the field, in English, for developers.',
    }),
  }),
})

/** The type of the errors of a kind. */
const createType = (kind: ResultKind): ObjectRef<Types, Problem> => {
  const { description, fields } = errorKinds[kind]
  const fieldOf = (t: FieldMaker, name: string, [type, description]: Field) =>
    t.field({
      type: type.replace('?', ''),
      nullable: type.endsWith('?'),
      description,
      resolve: ({ data }: Problem) => Reflect.get(data, name),
    })
  return untypedBuilder.objectRef<Problem>(`${kind}Error`).implement({
    description,
    interfaces: [ErrorInterface],
    fields: (t: FieldMaker) =>
      Object.fromEntries(
        Object.entries<Field>(fields).map(([name, field]) => [name, fieldOf(t, name, field)]),
      ),
  })
}

const errorRefs = Object.fromEntries(
  Object.keys(errorKinds).map((kind) => [kind, createType(kind as ResultKind)]),
) as { [K in ResultKind]: ObjectRef<Types, Problem<K>> }

/** The type of the errors of a kind. Domains add fields with their entities. */
export const errorType = <K extends ResultKind>(kind: K): (typeof errorRefs)[K] => errorRefs[kind]

/** The distinct types of some errors. */
export const errorTypes = (codes: Iterable<ResultCode>) => [
  ...new Set([...codes].map((code) => errorRefs[errorTable[code].kind as ResultKind])),
]

export const errorTypeName = ({ code }: Problem): string => `${errorTable[code].kind}Error`

builder.objectFields(errorRefs.Validation, (t) => ({
  errors: t.field({
    type: [FieldErrorRef],
    description: 'All invalid fields of the input, not only the first.',
    resolve: ({ data }) => data.errors,
  }),
}))

builder.objectFields(errorRefs.NotFound, (t) => ({
  resource: t.field({
    type: ResourceTypeRef,
    description: 'The type of what was not found.',
    resolve: ({ code, data }) => data.resource ?? (errorTable[code].resource as ResourceType),
  }),
}))

builder.objectFields(errorRefs.RightRequired, (t) => ({
  right: t.field({
    type: RightRef,
    nullable: true,
    description:
      'The right that the caller lacks. Null if it depends on more than one right, or on who owns the object.',
    resolve: ({ data }) => (data.right as Right | undefined) ?? null,
  }),
}))

builder.objectFields(errorRefs.Limit, (t) => ({
  retryAfterSeconds: t.int({
    nullable: true,
    description: 'How long to wait before retrying; null if waiting does not help.',
    resolve: ({ retryAfter }) => retryAfter,
  }),
}))
