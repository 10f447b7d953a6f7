/** Every error a caller can get: one table for REST, GraphQL and the documentation. */

export const errorTable = {
  VALIDATION_FAILED: { status: 400, message: 'Invalid request body' },
  INVALID_PARAMETERS: { status: 400, message: 'Invalid request parameters' },
  MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON' },
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  INVALID_NODE_ID: { status: 400, message: 'The id is not one that this API gave' },
  CREDENTIALS_MISMATCH: {
    status: 400,
    message: 'The credentials that were sent belong to different partners or environments',
  },
  INVALID_ENVIRONMENT: { status: 400, message: 'X-Environment must be TEST or LIVE' },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  },
  IDEMPOTENCY_KEY_NOT_ALLOWED: {
    status: 400,
    message: 'An Idempotency-Key may be sent with mutations only',
  },
  SELF_REFERRAL: { status: 400, message: 'Self-referral not allowed' },
  ALREADY_REFERRED: { status: 400, message: 'User has already been referred' },
  INVALID_REFERRAL_CODE: { status: 400, message: 'Invalid referral code' },
  REFERRALS_NOT_ENABLED: { status: 400, message: 'This campaign has no referrals' },
  INVALID_WIN_CODE: { status: 400, message: 'Invalid or expired win code' },
  WIN_CODE_REDEEMED: { status: 400, message: 'Win code has already been redeemed' },
  INVALID_CODE: { status: 400, message: 'Invalid code' },
  CODE_REDEEMED: { status: 400, message: 'Code has already been redeemed' },
  CODE_EXPIRED: { status: 400, message: 'Code has expired' },
  CODE_REVOKED: { status: 400, message: 'Code has been revoked' },
  LOTTERY_NOT_FOUND: { status: 400, message: 'Lottery not found' },
  LOTTERY_NOT_ACTIVE: { status: 400, message: 'Lottery is not active' },
  DRAW_NOT_AVAILABLE: { status: 400, message: 'No open draw available' },
  MAX_TICKETS_EXCEEDED: { status: 400, message: 'Max tickets exceeded' },
  INVALID_NUMBER_LINES: { status: 400, message: 'Invalid number lines' },
  OFFER_NOT_ACTIVE: { status: 400, message: 'Offer is no longer active' },
  OFFER_EXPIRED: { status: 400, message: 'Offer has expired' },
  MISSING_API_KEY: { status: 401, message: 'Missing X-API-Key header' },
  MISSING_API_SECRET: { status: 401, message: 'Missing X-API-Secret header' },
  INVALID_BEARER_TOKEN: { status: 401, message: 'Missing or invalid bearer token' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password' },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'Invalid or expired refresh token' },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key' },
  INSUFFICIENT_POINTS: { status: 402, message: 'Insufficient points' },
  API_KEY_REVOKED: { status: 403, message: 'API key has been revoked' },
  APPLICATION_NOT_ACTIVE: { status: 403, message: 'Application is not active' },
  PARTNER_NOT_FOUND: { status: 403, message: 'Partner account not found' },
  API_KEY_EXPIRED: { status: 403, message: 'API key has expired' },
  API_KEY_NETWORK_NOT_ALLOWED: {
    status: 403,
    message: 'API key may not be used from this network address',
  },
  ADMIN_REQUIRED: { status: 403, message: 'Administrator role required' },
  LIVE_ONLY: { status: 403, message: 'The arena is live only; use a live key' },
  INVALID_SESSION_TOKEN: { status: 403, message: 'Missing or invalid session token' },
  SESSION_OF_ONE_PARTNER: {
    status: 403,
    message:
      'A session with a prize pool takes users of several partners only when each partner has accepted the game as it is, and its result policy is QUORUM or SERVER',
  },
  WRONG_REPORTER: {
    status: 403,
    message: 'The result policy of the session does not let this caller report its result',
  },
  NOT_IN_SESSION: {
    status: 403,
    message: 'Only the partner who made the session or has a player in it may do this',
  },
  ROUTE_NOT_FOUND: { status: 404, message: 'Route not found' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  GAME_MECHANIC_NOT_FOUND: { status: 404, message: 'Game mechanic not found' },
  REWARD_RULE_NOT_FOUND: { status: 404, message: 'No reward rule found for event type' },
  PARTNER_UNKNOWN: { status: 404, message: 'There is no such partner' },
  APPLICATION_NOT_FOUND: { status: 404, message: 'Application not found' },
  OFFER_NOT_FOUND: { status: 404, message: 'Offer not found' },
  OFFER_RULE_NOT_FOUND: { status: 404, message: 'Offer rule not found' },
  SEGMENT_NOT_FOUND: { status: 404, message: 'Segment not found' },
  API_KEY_NOT_FOUND: { status: 404, message: 'API key not found' },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'Webhook endpoint not found' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'Webhook delivery not found' },
  EVENT_NOT_FOUND: {
    status: 404,
    message: 'Event not found; events are kept for 30 days',
  },
  AGENT_NOT_FOUND: { status: 404, message: 'Agent not found' },
  MATCH_NOT_FOUND: { status: 404, message: 'Match not found' },
  AGENT_NAME_TAKEN: { status: 409, message: 'There is an agent with this name already' },
  AGENT_LIMIT_REACHED: { status: 409, message: 'There are 50 agents already; retire one first' },
  AGENT_NOT_READY: { status: 409, message: 'Both agents must be active' },
  AGENT_STATUS_CONFLICT: {
    status: 409,
    message: 'The status of the agent does not allow this',
  },
  RANKED_NEEDS_PARTNERS: {
    status: 409,
    message: 'Agents of one partner are ranked only in matches of the matchmaker',
  },
  MATCH_LIMIT_REACHED: {
    status: 409,
    message: 'Too many matches are open: 50, or 10 against this agent; wait until one has ended',
  },
  MATCH_ENDED: { status: 409, message: 'The match has ended' },
  WEBHOOK_LIMIT_REACHED: {
    status: 409,
    message: 'There are 50 webhook endpoints already; delete one first',
  },
  WEBHOOK_DISABLED: {
    status: 409,
    message: 'The webhook endpoint is disabled; activate it first',
  },
  CAMPAIGN_NOT_FOUND: { status: 404, message: 'Campaign not found' },
  CAMPAIGN_NOT_ACTIVE: { status: 404, message: 'Campaign not found or not active' },
  CAMPAIGN_OR_USER_NOT_FOUND: { status: 404, message: 'Campaign or user not found' },
  CODE_BATCH_NOT_FOUND: { status: 404, message: 'Code batch not found' },
  CAMPAIGN_SLUG_TAKEN: { status: 409, message: 'There is a campaign with this slug already' },
  CAMPAIGN_STATUS_CONFLICT: {
    status: 409,
    message: 'The campaign cannot go from its present status to that one',
  },
  PRIZE_TIER_WON: {
    status: 409,
    message: 'The prize tier has been won: it cannot be removed, nor its stock go below its wins',
  },
  MAX_PLAYS_EXCEEDED: { status: 409, message: 'User has exceeded maximum plays' },
  MEMBER_NOT_FOUND: { status: 404, message: 'Member not found' },
  ARENA_ACCEPTANCE_NOT_FOUND: { status: 404, message: 'The partner has not accepted this game' },
  ARENA_GAME_NOT_FOUND: { status: 404, message: 'Game not found' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  PLAYER_NOT_FOUND: { status: 404, message: 'The user is not in this session' },
  DRAW_NOT_FOUND: { status: 404, message: 'Draw not found' },
  TICKET_NOT_FOUND: { status: 404, message: 'Ticket not found' },
  LOTTERY_SLUG_TAKEN: { status: 409, message: 'There is a lottery of this slug' },
  LOTTERY_OVER: { status: 409, message: 'The lottery is over' },
  DRAW_NOT_OPEN: { status: 409, message: 'The draw is not open' },
  DRAW_ALREADY_EXECUTED: { status: 409, message: 'The draw has already been executed' },
  TICKET_NOT_ACTIVE: {
    status: 409,
    message: 'The ticket has been cancelled, or its draw has closed',
  },
  DUPLICATE_REFERENCE: {
    status: 409,
    message: 'Duplicate reference; points already awarded for this reference',
  },
  EMAIL_TAKEN: { status: 409, message: 'A member with this email address exists already' },
  PARTNER_SLUG_TAKEN: { status: 409, message: 'There is a partner with this slug already' },
  OWN_PARTNER: { status: 409, message: 'Administrators cannot close their own partner' },
  OWN_PASSWORD: {
    status: 409,
    message: 'Members change their own password with POST /dashboard/auth/password',
  },
  OWN_MEMBER: { status: 409, message: 'Members cannot remove themselves or change their own role' },
  GAME_NOT_PENDING: { status: 409, message: 'The game is not pending review' },
  GAME_NOT_PUBLIC: { status: 409, message: 'The game has no approved build' },
  ARENA_TERMS_CHANGED: { status: 409, message: 'The terms of the game have changed since' },
  BUILD_REPLACED: { status: 409, message: 'Another build has been submitted since; review that' },
  SESSION_NOT_OPEN: { status: 409, message: 'The session is not open any more' },
  SESSION_FULL: { status: 409, message: 'The session is full' },
  POINT_CAP_REACHED: {
    status: 409,
    message:
      'The points that a partner lets flow to or from other partners in this game per day would be exceeded',
  },
  SESSION_NEEDS_PLAYERS: { status: 409, message: 'The session has too few players to start' },
  SESSION_NOT_IN_PROGRESS: { status: 409, message: 'The session is not in progress' },
  RESULT_ALREADY_REPORTED: { status: 409, message: 'Another result has already been reported' },
  OFFER_LIMIT_REACHED: { status: 409, message: 'The user has three active offers already' },
  SEGMENT_NAME_TAKEN: { status: 409, message: 'Another segment has this name' },
  IDEMPOTENT_REQUEST_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running',
    retryAfter: 1,
  },
  IDEMPOTENT_ANSWER_NOT_KEPT: {
    status: 409,
    message:
      'The first request with this Idempotency-Key was carried out, but its answer is not kept: it was larger than 64 KB, or too much was kept for you today; read the state, then use a new key',
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
  ACCOUNT_LOCKED: {
    status: 429,
    message: 'Too many failed sign-ins to this account from here; wait before the next try',
    retryAfter: 60,
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  TRACK_USER_FAILED: { status: 500, message: 'Failed to track user' },
  TRACK_EVENT_FAILED: { status: 500, message: 'Failed to track event' },
  TIMELINE_FAILED: { status: 500, message: 'Failed to fetch timeline' },
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
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    details: {
      message?: string
      errors?: FieldError[]
      retryAfter?: number
      /** What went wrong underneath; for our log, never for the caller. */
      cause?: unknown
    } = {},
  ) {
    const row: { message: string; retryAfter?: number } = errorTable[code]
    super(details.message ?? row.message, { cause: details.cause })
    this.name = 'TesseraError'
    this.code = code
    this.errors = details.errors
    this.retryAfter = details.retryAfter ?? row.retryAfter
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

/**
 * The error for a field of an input that is wrong for what it is about, not by itself; for an argument of a
 * query with the code INVALID_PARAMETERS. The message goes on after the name of the field.
 */
export const refused = (
  field: string,
  message: string,
  code: 'VALIDATION_FAILED' | 'INVALID_PARAMETERS' = 'VALIDATION_FAILED',
): TesseraError =>
  new TesseraError(code, { errors: [{ field, code: 'invalid', message: `${field} ${message}` }] })
