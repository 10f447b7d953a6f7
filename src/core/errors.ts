/** Every error a caller can get: one table for REST, GraphQL and the documentation. */

export const errorTable = {
  VALIDATION_FAILED: { status: 400, message: 'Invalid request body' },
  INVALID_PARAMETERS: { status: 400, message: 'Invalid request parameters' },
  MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON' },
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  INVALID_NODE_ID: { status: 400, message: 'The id is not one that this API gave' },
  CREDENTIALS_MISMATCH: {
    status: 400,
    message: 'X-API-Key and X-API-Secret belong to different partners or environments',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  },
  MISSING_API_KEY: { status: 401, message: 'Missing X-API-Key header' },
  MISSING_API_SECRET: { status: 401, message: 'Missing X-API-Secret header' },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key' },
  INSUFFICIENT_POINTS: { status: 402, message: 'Insufficient points' },
  API_KEY_REVOKED: { status: 403, message: 'API key has been revoked' },
  APPLICATION_NOT_ACTIVE: { status: 403, message: 'Application is not active' },
  PARTNER_NOT_FOUND: { status: 403, message: 'Partner account not found' },
  ROUTE_NOT_FOUND: { status: 404, message: 'Route not found' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  GAME_MECHANIC_NOT_FOUND: { status: 404, message: 'Game mechanic not found' },
  REWARD_RULE_NOT_FOUND: { status: 404, message: 'No reward rule found for event type' },
  API_KEY_NOT_FOUND: { status: 404, message: 'API key not found' },
  DUPLICATE_REFERENCE: {
    status: 409,
    message: 'Duplicate reference; points already awarded for this reference',
  },
  OWN_API_KEY: { status: 409, message: 'The key that makes this request cannot be revoked' },
  IDEMPOTENT_REQUEST_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running',
    retryAfter: 1,
  },
  IDEMPOTENT_OUTCOME_UNKNOWN: {
    status: 409,
    message:
      'The first request with this Idempotency-Key was broken off and its outcome is unknown; read the state, then use a new key',
  },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used with another request',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  INTERNAL: { status: 500, message: 'Internal server error' },
  OVERLOADED: {
    status: 503,
    message: 'The server is too busy; try again shortly',
    retryAfter: 1,
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The database cannot be reached; the outcome of this request is unknown',
    retryAfter: 2,
  },
} as const satisfies Record<string, { status: number; message: string; retryAfter?: number }>

export type ErrorCode = keyof typeof errorTable

/** A field that was refused: its path (`metadata.tags.0`), what kind of fault, and what to do. */
export type FieldError = { field: string; code: string; message: string }

/** An error for the caller. Anything else that is thrown is a fault of ours: 500, and logged. */
export class TesseraError extends Error {
  readonly code: ErrorCode
  /** All refused fields, for validation errors. */
  readonly errors: FieldError[] | undefined

  constructor(code: ErrorCode, details: { message?: string; errors?: FieldError[] } = {}) {
    super(details.message ?? errorTable[code].message)
    this.name = 'TesseraError'
    this.code = code
    this.errors = details.errors
  }

  get status(): number {
    return errorTable[this.code].status
  }

  /** Seconds after which another try makes sense. */
  get retryAfter(): number | undefined {
    const row: { status: number; retryAfter?: number } = errorTable[this.code]
    return row.retryAfter
  }
}
