import { callOutcomeOf, isUnavailable, Outage } from '../database/outage.ts'
import { type ErrorCode, TesseraError } from '../errors.ts'

/** Errors that the HTTP server finds before a route runs. */
const httpFaults: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
}

const unknownOutcome =
  'The connection to the database broke; the outcome of this request is unknown'

/**
 * Maps errors at the end of a write. Only an outage with an unknown outcome says so; after any other outage the
 * caller is told that nothing was done.
 */
export const throwUnknownOutcome = (error: unknown): never => {
  if (callOutcomeOf(error) !== 'unknown') throw error
  throw new TesseraError('UNAVAILABLE', { message: unknownOutcome, cause: error })
}

/** Whether the caller was told that the outcome is unknown. */
export const isUnknown = ({ message }: Pick<Error, 'message'>): boolean =>
  message === unknownOutcome

/** The log level of an error of a request. Outages are logged once, by the watcher of the database. */
export const faultLevel = (error: unknown, { code }: TesseraError): 'error' | 'warn' | 'debug' => {
  if (code !== 'UNAVAILABLE') return 'error'
  return error instanceof Outage && error.cause === undefined ? 'debug' : 'warn'
}

/** The error shown to a caller. It never reveals a stack, SQL or the code of a library. */
export const toTesseraError = (error: unknown): TesseraError => {
  if (error instanceof TesseraError) return error
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  const fault = httpFaults[code ?? '']
  if (fault) return new TesseraError(fault)
  if (isUnavailable(error)) return new TesseraError('UNAVAILABLE')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new TesseraError('BAD_REQUEST')
  return new TesseraError('INTERNAL')
}
