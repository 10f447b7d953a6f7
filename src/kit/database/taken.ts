import type { KindOf } from '../error-kinds.ts'
import type { ErrorCode } from '../error-table.ts'
import { TesseraError } from '../errors.ts'
import { sqlState } from './outage.ts'

type TakenCode = { [C in ErrorCode]: KindOf<C> extends 'Taken' ? C : never }[ErrorCode]

/** For the `catch` of a write: throws the error for the caller if the value of a unique key is taken. */
export const refuseTaken =
  (code: TakenCode, field: string, value: string) =>
  (error: unknown): never => {
    throw sqlState(error) === '23505' ? new TesseraError(code, { field, value }) : error
  }
