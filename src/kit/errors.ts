/** Errors for callers, each with the data of its kind. */
import type { ErrorKind, FieldsOf } from './error-kinds.ts'
import { type ErrorCode, errorTable, type KindOf, type ResourceType } from './error-table.ts'

export { type CodeOf, type ErrorCode, errorTable, type ResourceType } from './error-table.ts'

/** The kinds of problems with a field, as REST names them. */
export const fieldErrorCodes = {
  required: 'The field is missing.',
  invalid_type: 'The value has another type.',
  invalid_format: 'The text does not have the required format.',
  invalid_value: 'The value is not one of those that are allowed.',
  too_small: 'The number is too small, or the text or list too short.',
  too_big: 'The number is too large, or the text or list too long.',
  wrong_count: 'The list must have another number of items.',
  out_of_range: 'The number is outside of its range.',
  not_whole: 'The number is not whole.',
  repeated: 'The value occurs twice.',
  invalid: 'The value cannot be used here.',
  custom: 'The value breaks a rule that `message` states.',
} as const

export type FieldErrorCode = keyof typeof fieldErrorCodes

/** The name of a kind of problem in GraphQL. */
export const nameOfFieldErrorCode = (code: FieldErrorCode): string =>
  code === 'custom' ? 'RULE_BROKEN' : code.toUpperCase()

const fieldErrorCodeOf = new Map(
  Object.keys(fieldErrorCodes).map((code) => [
    nameOfFieldErrorCode(code as FieldErrorCode),
    code as FieldErrorCode,
  ]),
)

/** The kind of problem of that name in GraphQL. */
export const readFieldErrorCode = (name: string): FieldErrorCode =>
  fieldErrorCodeOf.get(name) ?? 'invalid'

/** A refused field: its path (`metadata.tags.0`), the kind of problem, and what to do. */
export type FieldError = { field: string; code: FieldErrorCode; message: string }

/** The path of a field in the GraphQL input; empty for the input as a whole. */
export const pathOf = (field: string): string[] => (field === '' ? [] : field.split('.'))

/** Data from which the schema derives further fields of a kind. */
type SourcesOf = {
  /** All fields that were refused. */
  Validation: { errors: FieldError[] }
  /** `resource` is given where the code could mean several types. */
  NotFound: { resource?: ResourceType }
  /** The ledger entry that has the reference, or the grant. */
  DuplicateReference: { ledgerEntryId: string } | { grantId: string }
  /** The ledger entry of the reversal. */
  AlreadyReversed: { ledgerEntryId: string }
  /** The right that is missing, if it is one. */
  RightRequired: { right?: string }
  /** The field that must be unique. */
  Taken: { field: string }
  /** What was to be changed. */
  Conflict: { target: { type: string; id: string | null } | null }
}

/** What the errors of a kind carry. */
export type DataOf<K extends ErrorKind> = FieldsOf<K> &
  (K extends keyof SourcesOf ? SourcesOf[K] : Record<never, never>)

type Details<C extends ErrorCode> = {
  /** Replaces the message in the table. */
  message?: string
  /** The field of the input that caused it, if that does not follow from the code: `agent2Id`. */
  path?: string
  /** Seconds after which to retry. */
  retryAfter?: number
  /** The cell of the credential. */
  cell?: string
  /** What the caller may have meant to do instead. */
  hint?: string
  /** The underlying error, for our log only. */
  cause?: unknown
} & DataOf<KindOf<C>>

type Arguments<C extends ErrorCode> =
  Record<never, never> extends DataOf<KindOf<C>> ? [details?: Details<C>] : [details: Details<C>]

/** An error for the caller. Anything else that is thrown is a server fault: 500, and logged. */
export class TesseraError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode
  /** The data of its kind. */
  readonly data: object
  /** The field of the input that caused it, if the thrower knows. */
  readonly path: string | undefined
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined
  /** The cell of the credential, if that is another. */
  readonly cell: string | undefined
  /** What the caller may have meant to do instead. */
  readonly hint: string | undefined

  constructor(code: C, ...[details]: Arguments<C>) {
    const row = errorTable[code]
    const { message, path, retryAfter, cell, hint, cause, ...data } = (details ??
      {}) as Details<ErrorCode>
    super(message ?? row.message, { cause })
    this.name = 'TesseraError'
    this.code = code
    this.data = data
    this.path = path
    this.retryAfter = retryAfter ?? row.retryAfter
    this.cell = cell
    this.hint = hint
  }

  /** An error whose code is only known at run time. */
  static of(
    code: ErrorCode,
    details: { message: string; errors: FieldError[]; retryAfter?: number },
  ): TesseraError {
    return new TesseraError<ErrorCode>(code, details as unknown as Details<ErrorCode>)
  }

  get status(): number {
    return errorTable[this.code].status
  }

  /** The message in words of the schema. */
  get messageInGraphql(): string {
    const { message, inGraphql } = errorTable[this.code]
    return inGraphql !== undefined && this.message === message ? inGraphql : this.message
  }

  /** All refused fields, if known. */
  get errors(): FieldError[] | undefined {
    const { errors = [] } = this.data as Partial<DataOf<'Validation'>>
    return errors.length > 0 ? errors : undefined
  }
}

/**
 * The error for an input field that is well-formed but invalid in its context; for an argument of a query, with
 * the code INVALID_PARAMETERS. The message continues after the name of the field.
 */
export const refused = (
  field: string,
  message: string,
  code: 'VALIDATION_FAILED' | 'INVALID_PARAMETERS' = 'VALIDATION_FAILED',
): TesseraError =>
  new TesseraError(code, { errors: [{ field, code: 'invalid', message: `${field} ${message}` }] })
