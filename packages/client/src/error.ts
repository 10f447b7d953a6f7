/** All errors of calls, as one union. */
import { type Common, Fault, type FieldFault, type ValidationCode } from './fault.ts'
import type { components } from './generated/paths.ts'

/** The codes of the API: https://…/docs, or docs/errors.md of Tessera. */
export type ServerErrorCode = NonNullable<components['schemas']['Error']['errorCode']>

/** Codes of this client, for calls without an answer from Tessera. */
export type ClientErrorCode =
  /** The server could not be reached, or the connection broke. */
  | 'CONNECTION_FAILED'
  /** There was no answer within the time limit. */
  | 'TIMED_OUT'
  /** `userToken` failed, or gave something else than a token; see `cause`. */
  | 'NO_USER_TOKEN'
  /** Something else answered, such as a proxy; see `status`. */
  | 'UNREADABLE_ANSWER'

/**
 * The errors that calls throw. Switch on `code`. For invalid requests, `fields` describes the problem of each field.
 * Later versions of the API may add codes, so keep a `default`.
 */
export type TesseraError = Common &
  (
    | { code: ValidationCode; fields: readonly FieldFault[] }
    | { code: Exclude<ServerErrorCode, ValidationCode> }
    | { code: ClientErrorCode }
  )

/** Whether a caught error is a Tessera error. */
export const isTesseraError = (error: unknown): error is TesseraError => error instanceof Fault
