/** An error that a mutation returned as its result. */
import { type ErrorCode, errorTable, readFieldErrorCode, TesseraError } from '../errors.ts'

/** Selects the error of a mutation as `Refusal`, in operations that spread it. */
export const problemFragment = `
  fragment Problem on Error {
    problem: code
    message
    ... on ValidationError { errors { path code message } }
    ... on LimitError { retryAfter: retryAfterSeconds }
  }`

/** The selection of the fragment `Problem`. */
export type Refusal = {
  problem: ErrorCode
  message: string
  errors?: { path: string[]; code: string; message: string }[]
  retryAfter?: number | null
}

/** Converts it to an error. */
export const errorOfRefusal = ({
  problem,
  message,
  errors = [],
  retryAfter,
}: Refusal): TesseraError =>
  TesseraError.of(problem, {
    // Routes have words of their own.
    message: message === errorTable[problem].inGraphql ? errorTable[problem].message : message,
    errors: errors.map(({ path, code, message }) => ({
      field: path.join('.'),
      code: readFieldErrorCode(code),
      message,
    })),
    ...(retryAfter != null && { retryAfter }),
  })
