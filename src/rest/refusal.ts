/** An error that a mutation gave as its result. */
import { type ErrorCode, TesseraError } from '../core/errors.ts'

/** What the fragment `Problem` selects. */
export type Refusal = {
  problem: ErrorCode
  message: string
  errors?: { path: string[]; code: string; message: string }[]
  retryAfter?: number | null
}

/** The same as an error to answer with. */
export const refusalOf = ({ problem, message, errors = [], retryAfter }: Refusal): TesseraError =>
  TesseraError.of(problem, {
    message,
    errors: errors.map(({ path, ...fault }) => ({ field: path.join('.'), ...fault })),
    ...(retryAfter != null && { retryAfter }),
  })
