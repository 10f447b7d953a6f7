/** Errors for callers, each with the data of its kind. */
import type { DataOf, FieldError, KindOf } from './error-kinds.ts'
import { type ErrorCode, errorTable } from './error-table.ts'

export type { FieldError } from './error-kinds.ts'
export type { ErrorCode } from './error-table.ts'
export { errorTable } from './error-table.ts'

type Details<C extends ErrorCode> = {
  /** Replaces the message in the table. */
  message?: string
  /** Seconds after which to retry. */
  retryAfter?: number
  /** The cell of the credential. */
  cell?: string
  /** The underlying error, for our log only. */
  cause?: unknown
} & DataOf[KindOf<C>]

type Arguments<C extends ErrorCode> =
  Record<never, never> extends DataOf[KindOf<C>] ? [details?: Details<C>] : [details: Details<C>]

/** An error for the caller. Anything else that is thrown is a server fault: 500, and logged. */
export class TesseraError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode
  /** The data of its kind. */
  readonly data: object
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined
  /** The cell of the credential, if that is another. */
  readonly cell: string | undefined

  constructor(code: C, ...[details]: Arguments<C>) {
    const row: { message: string; retryAfter?: number } = errorTable[code]
    const { message, retryAfter, cell, cause, ...data } = (details ?? {}) as Details<ErrorCode>
    super(message ?? row.message, { cause })
    this.name = 'TesseraError'
    this.code = code
    this.data = data
    this.retryAfter = retryAfter ?? row.retryAfter
    this.cell = cell
  }

  /** An error whose code is only known at run time. */
  static of(
    code: ErrorCode,
    details: { message: string; errors: FieldError[]; retryAfter?: number },
  ): TesseraError {
    return new TesseraError<ErrorCode>(code, details as Details<ErrorCode>)
  }

  get status(): number {
    return errorTable[this.code].status
  }

  /** All refused fields, if known. */
  get errors(): FieldError[] | undefined {
    const { errors = [] } = this.data as Partial<DataOf['Validation']>
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
