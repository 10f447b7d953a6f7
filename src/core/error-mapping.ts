import { isUnavailable } from './db.ts'
import { type ErrorCode, TesseraError } from './errors.ts'

/** Faults that the HTTP server finds in a request before a route sees it. */
const httpFaults: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
}

/** The error a caller is shown for whatever was thrown: never a stack, SQL or the code of a library. */
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
