/** Every error that a caller can get, for REST, GraphQL and the documentation. */
import type { ErrorKind } from './error-kinds.ts'

type More = {
  /** Seconds after which to retry. */
  retryAfter?: number
  /** The message in GraphQL, if that of REST speaks of routes or has words of its own. */
  inGraphql?: string
  /** Whether only routes give it. GraphQL does not list it. */
  isOfRest?: true
}

type Missing = { resource: string } | { isOfRest: true }

/** The HTTP status, the kind, the documented message; of `NotFound` also the type of what was not found. */
type Row =
  | readonly [status: number, kind: 'NotFound', message: string, more: Missing]
  | readonly [status: number, kind: Exclude<ErrorKind, 'NotFound'>, message: string, more?: More]

const rows = {
  VALIDATION_FAILED: [400, 'Validation', 'Invalid request body'],
  INVALID_PARAMETERS: [400, 'Validation', 'Invalid request parameters'],
  MALFORMED_JSON: [400, 'Request', 'The request body is not valid JSON'],
  BAD_REQUEST: [400, 'Request', 'Bad request'],
  INVALID_NODE_ID: [400, 'Request', 'The id was not issued by this API'],
  CREDENTIALS_MISMATCH: [
    400,
    'Request',
    'The credentials that were sent belong to different partners or environments',
  ],
  INVALID_ENVIRONMENT: [400, 'Request', 'X-Environment must be TEST or LIVE'],
  IDEMPOTENCY_KEY_INVALID: [
    400,
    'Request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  ],
  IDEMPOTENCY_KEY_NOT_ALLOWED: [400, 'Request', 'Idempotency-Key is for mutations only'],
  SELF_REFERRAL: [400, 'NotAllowed', 'Self-referral not allowed'],
  ALREADY_REFERRED: [400, 'AlreadyDone', 'User has already been referred'],
  INVALID_REFERRAL_CODE: [400, 'InvalidCode', 'Invalid referral code'],
  REFERRALS_NOT_ENABLED: [400, 'NotAllowed', 'This campaign has no referrals'],
  INVALID_WIN_CODE: [400, 'InvalidCode', 'Invalid or expired win code'],
  WIN_CODE_REDEEMED: [400, 'AlreadyDone', 'Win code has already been redeemed'],
  INVALID_CODE: [400, 'InvalidCode', 'Invalid code'],
  CODE_REDEEMED: [400, 'AlreadyDone', 'Code has already been redeemed'],
  CODE_EXPIRED: [400, 'InvalidCode', 'Code has expired'],
  CODE_REVOKED: [400, 'InvalidCode', 'Code has been revoked'],
  INVALID_INVITATION: [400, 'InvalidCode', 'The invitation is not valid, or no longer valid'],
  INVALID_PASSWORD_RESET: [
    400,
    'InvalidCode',
    'The link to choose a password is not valid, or no longer valid',
  ],
  LOTTERY_NOT_FOUND: [400, 'NotFound', 'Lottery not found', { resource: 'LOTTERY' }],
  LOTTERY_NOT_ACTIVE: [400, 'NotActive', 'Lottery is not active'],
  DRAW_NOT_AVAILABLE: [400, 'NotActive', 'No open draw available'],
  MAX_TICKETS_EXCEEDED: [400, 'Limit', 'Max tickets exceeded'],
  INVALID_NUMBER_LINES: [400, 'Validation', 'Invalid number lines'],
  OFFER_NOT_ACTIVE: [400, 'NotActive', 'Offer is no longer active'],
  OFFER_EXPIRED: [400, 'NotActive', 'Offer has expired'],
  MISSING_API_KEY: [401, 'Authentication', 'Missing X-API-Key header'],
  MISSING_API_SECRET: [401, 'Authentication', 'Missing X-API-Secret header'],
  INVALID_BEARER_TOKEN: [401, 'Authentication', 'Missing or invalid bearer token'],
  SECOND_FACTOR_REQUIRED: [401, 'Authentication', 'A code of the second factor is required'],
  INVALID_SECOND_FACTOR: [
    401,
    'Authentication',
    'The code of the second factor is wrong, or was used before',
  ],
  INVALID_CREDENTIALS: [401, 'Authentication', 'Invalid email or password'],
  INVALID_REFRESH_TOKEN: [401, 'Authentication', 'Invalid or expired refresh token'],
  INVALID_API_KEY: [401, 'Authentication', 'Invalid API key'],
  WRONG_CELL: [401, 'Authentication', 'The credential belongs to another cell'],
  INVALID_USER_TOKEN: [401, 'Authentication', 'Invalid or expired user token'],
  MISSING_USER_TOKEN: [401, 'Authentication', 'Missing X-User-Token header'],
  INSUFFICIENT_POINTS: [402, 'InsufficientPoints', 'Insufficient points'],
  API_KEY_REVOKED: [403, 'Authentication', 'API key has been revoked'],
  APPLICATION_NOT_ACTIVE: [403, 'Authentication', 'Application is not active'],
  PARTNER_NOT_FOUND: [403, 'Authentication', 'Partner account not found'],
  API_KEY_EXPIRED: [403, 'Authentication', 'API key has expired'],
  API_KEY_NETWORK_NOT_ALLOWED: [
    403,
    'Authentication',
    'API key may not be used from this network address',
  ],
  USER_BLOCKED: [403, 'NotActive', 'The user is blocked'],
  USER_TOKEN_OF_ANOTHER: [403, 'Authentication', 'The user token is for another user'],
  ADMIN_REQUIRED: [
    403,
    'NotAllowed',
    'Administrator role required',
    { inGraphql: 'This is for operators of the service' },
  ],
  RIGHT_REQUIRED: [
    403,
    'RightRequired',
    'The role of the member, or the scopes of the key, lack a right',
  ],
  LIVE_ONLY: [403, 'NotAllowed', 'The arena is live only; use a live key'],
  INVALID_SESSION_TOKEN: [403, 'Authentication', 'Missing or invalid session token'],
  SESSION_OF_ONE_PARTNER: [
    403,
    'NotAllowed',
    'A session with a prize pool takes users of several partners only when each partner has accepted the game as it is, and its result policy is QUORUM or SERVER',
  ],
  WRONG_REPORTER: [
    403,
    'NotAllowed',
    'The result policy of the session does not let this caller report its result',
  ],
  NOT_IN_SESSION: [
    403,
    'NotAllowed',
    'Only the partner who created the session or has a player in it may do this',
  ],
  ROUTE_NOT_FOUND: [404, 'NotFound', 'Route not found', { isOfRest: true }],
  USER_NOTE_NOT_FOUND: [404, 'NotFound', 'Note not found', { resource: 'USER_NOTE' }],
  USER_NOT_FOUND: [404, 'NotFound', 'User not found', { resource: 'USER' }],
  PLAY_NOT_FOUND: [404, 'NotFound', 'Play not found', { isOfRest: true }],
  PLAY_NOT_VERIFIABLE: [
    404,
    'NotFound',
    'The play cannot be verified, because its user was erased',
    { isOfRest: true },
  ],
  GAME_MECHANIC_NOT_FOUND: [404, 'NotFound', 'Game mechanic not found', { resource: 'GAME' }],
  REWARD_RULE_NOT_FOUND: [
    404,
    'NotFound',
    'No reward rule found for event type',
    { resource: 'REWARD_RULE' },
  ],
  REWARD_NOT_FOUND: [404, 'NotFound', 'Reward not found', { resource: 'REWARD' }],
  GOAL_NOT_FOUND: [404, 'NotFound', 'Goal not found', { resource: 'GOAL' }],
  GRANT_NOT_FOUND: [404, 'NotFound', 'Grant not found', { resource: 'GRANT' }],
  PARTNER_UNKNOWN: [404, 'NotFound', 'There is no such partner', { resource: 'PARTNER' }],
  APPLICATION_NOT_FOUND: [404, 'NotFound', 'Application not found', { resource: 'APPLICATION' }],
  LEDGER_ENTRY_NOT_FOUND: [404, 'NotFound', 'Ledger entry not found', { resource: 'LEDGER_ENTRY' }],
  LEDGER_ENTRY_REVERSED: [409, 'AlreadyReversed', 'The ledger entry has already been reversed'],
  LEDGER_ENTRY_NOT_REVERSIBLE: [
    409,
    'NotAllowed',
    'Reversals, and entries of prize pools, agents and rewards, cannot be reversed',
  ],
  EXPORT_LINK_INVALID: [403, 'Request', 'The link to the export is not valid', { isOfRest: true }],
  EXPORT_LINK_EXPIRED: [410, 'Request', 'The link to the export has expired', { isOfRest: true }],
  EXPORT_LINK_REVOKED: [410, 'Request', 'The link to the export was revoked', { isOfRest: true }],
  EXPORT_NOT_FOUND: [404, 'NotFound', 'Export not found', { resource: 'EXPORT' }],
  EXPORT_LIMIT_REACHED: [409, 'Limit', 'Five exports are open already; wait until one has ended'],
  EXPORT_ENDED: [409, 'NotActive', 'The export has ended'],
  USER_BATCH_NOT_FOUND: [404, 'NotFound', 'Batch not found', { resource: 'USER_BATCH' }],
  USER_BATCH_ENDED: [409, 'NotActive', 'The batch has ended'],
  OFFER_NOT_FOUND: [404, 'NotFound', 'Offer not found', { resource: 'OFFER' }],
  OFFER_RULE_NOT_FOUND: [404, 'NotFound', 'Offer rule not found', { resource: 'OFFER_RULE' }],
  SEGMENT_NOT_FOUND: [404, 'NotFound', 'Segment not found', { resource: 'SEGMENT' }],
  API_KEY_NOT_ACTIVE: [409, 'NotActive', 'The key has been revoked or replaced, or it has expired'],
  API_KEY_NOT_FOUND: [404, 'NotFound', 'API key not found', { resource: 'API_KEY' }],
  WEBHOOK_NOT_FOUND: [
    404,
    'NotFound',
    'Webhook endpoint not found',
    { resource: 'WEBHOOK_ENDPOINT' },
  ],
  WEBHOOK_DELIVERY_NOT_FOUND: [
    404,
    'NotFound',
    'Webhook delivery not found',
    { resource: 'WEBHOOK_DELIVERY' },
  ],
  EVENT_NOT_FOUND: [
    404,
    'NotFound',
    'Event not found; old events are deleted',
    { resource: 'EVENT' },
  ],
  AGENT_NOT_FOUND: [404, 'NotFound', 'Agent not found', { resource: 'ARENA_AGENT' }],
  MATCH_NOT_FOUND: [404, 'NotFound', 'Match not found', { resource: 'ARENA_MATCH' }],
  AGENT_NAME_TAKEN: [409, 'Taken', 'An agent with this name already exists'],
  AGENT_LIMIT_REACHED: [409, 'Limit', 'There are 50 agents already; retire one first'],
  AGENT_NOT_READY: [409, 'NotActive', 'Both agents must be active'],
  AGENT_STATUS_CONFLICT: [409, 'NotActive', 'The status of the agent does not allow this'],
  RANKED_NEEDS_PARTNERS: [
    409,
    'NotAllowed',
    'Only the matchmaker schedules ranked matches between agents of one partner',
  ],
  MATCH_LIMIT_REACHED: [
    409,
    'Limit',
    'Too many matches are open: 50, or 10 against this agent; wait until one has ended',
  ],
  MATCH_ENDED: [409, 'NotActive', 'The match has ended'],
  WEBHOOK_LIMIT_REACHED: [409, 'Limit', 'There are 50 webhook endpoints already; delete one first'],
  WEBHOOK_DISABLED: [409, 'NotActive', 'The webhook endpoint is disabled; activate it first'],
  CAMPAIGN_NOT_FOUND: [404, 'NotFound', 'Campaign not found', { resource: 'CAMPAIGN' }],
  CAMPAIGN_NOT_ACTIVE: [404, 'NotActive', 'Campaign not found or not active'],
  CAMPAIGN_OR_USER_NOT_FOUND: [404, 'NotFound', 'Campaign or user not found', { isOfRest: true }],
  CODE_BATCH_NOT_FOUND: [404, 'NotFound', 'Code batch not found', { resource: 'CODE_BATCH' }],
  CAMPAIGN_SLUG_TAKEN: [409, 'Taken', 'A campaign with this slug already exists'],
  CAMPAIGN_STATUS_CONFLICT: [409, 'NotActive', 'The status of the campaign does not allow this'],
  CAMPAIGN_IN_USE: [
    409,
    'NotAllowed',
    'The campaign has participants or codes: it can be ended, but not deleted',
  ],
  PRIZE_TIER_WON: [
    409,
    'NotAllowed',
    'The prize tier has wins: it cannot be removed, and its stock cannot be less than its wins',
  ],
  MAX_PLAYS_EXCEEDED: [409, 'Limit', 'User has exceeded maximum plays'],
  MEMBER_NOT_FOUND: [404, 'NotFound', 'Member not found', { resource: 'MEMBER' }],
  SIGN_IN_NOT_FOUND: [404, 'NotFound', 'Sign-in not found', { resource: 'SIGN_IN' }],
  INVITATION_NOT_FOUND: [404, 'NotFound', 'Invitation not found', { resource: 'INVITATION' }],
  ARENA_ACCEPTANCE_NOT_FOUND: [
    404,
    'NotFound',
    'The partner has not accepted this game',
    { resource: 'ARENA_ACCEPTANCE' },
  ],
  ARENA_GAME_NOT_FOUND: [404, 'NotFound', 'Game not found', { resource: 'ARENA_GAME' }],
  SESSION_NOT_FOUND: [404, 'NotFound', 'Session not found', { resource: 'ARENA_SESSION' }],
  PLAYER_NOT_FOUND: [
    404,
    'NotFound',
    'The user is not in this session',
    { resource: 'ARENA_PLAYER' },
  ],
  DRAW_NOT_FOUND: [404, 'NotFound', 'Draw not found', { resource: 'LOTTERY_DRAW' }],
  TICKET_NOT_FOUND: [404, 'NotFound', 'Ticket not found', { resource: 'LOTTERY_TICKET' }],
  LOTTERY_SLUG_TAKEN: [409, 'Taken', 'A lottery with this slug already exists'],
  LOTTERY_OVER: [409, 'NotActive', 'The lottery has ended'],
  LOTTERY_IN_USE: [
    409,
    'NotAllowed',
    'A draw of the lottery has opened: it can be ended, but not deleted',
  ],
  DRAW_NOT_OPEN: [409, 'NotActive', 'The draw is not open'],
  DRAW_ALREADY_EXECUTED: [409, 'NotActive', 'The draw has already been executed'],
  TICKET_NOT_ACTIVE: [409, 'NotActive', 'The ticket has been cancelled, or its draw has closed'],
  DUPLICATE_REFERENCE: [
    409,
    'DuplicateReference',
    'Duplicate reference; points already awarded for this reference',
  ],
  REWARD_SLUG_TAKEN: [409, 'Taken', 'A reward with this slug already exists'],
  REWARD_ARCHIVED: [409, 'NotActive', 'The reward is archived'],
  REWARD_NOT_FOR_SALE: [409, 'NotActive', 'The reward is not for sale now'],
  REWARD_WITHOUT_CODES: [409, 'NotAllowed', 'The kind of the reward has no codes'],
  OUT_OF_STOCK: [409, 'Limit', 'The reward is out of stock'],
  LIMIT_REACHED: [409, 'Limit', 'The user has bought the reward as often as allowed'],
  NOT_ELIGIBLE: [409, 'NotAllowed', 'The reward is not for this user'],
  GOAL_SLUG_TAKEN: [409, 'Taken', 'A goal with this slug already exists'],
  GOAL_STATUS_CONFLICT: [409, 'NotActive', 'The status of the goal does not allow this'],
  GOAL_NOT_ACTIVE: [409, 'NotActive', 'Nobody can join the goal now'],
  GOAL_NOT_OPEN: [409, 'NotAllowed', 'The user does not meet the conditions of the goal'],
  GOAL_JOINED: [409, 'AlreadyDone', 'The user takes part in the goal, or cannot join it again'],
  STREAK_PAUSED: [409, 'AlreadyDone', 'The streak is paused'],
  STREAK_NOT_PAUSED: [409, 'NotAllowed', 'The streak is not paused'],
  STREAK_NOT_BROKEN: [409, 'NotAllowed', 'The streak did not break, or too long ago to restore it'],
  TOO_MANY_MEASURES: [
    409,
    'Limit',
    'Too many active goals count the same facts; end others first, or limit this one to event types',
  ],
  SEGMENT_IN_USE: [409, 'NotAllowed', 'Goals or rewards use the segment: change them first'],
  GRANT_NOT_ACTIVE: [409, 'NotActive', 'The status of the grant does not allow this'],
  GRANT_NOT_FULFILLABLE: [409, 'NotAllowed', 'Only items and codes are handed out'],
  GRANT_USED: [409, 'NotAllowed', 'The grant was used: paid, played with, or its code was shown'],
  GRANT_NOT_GIVEN: [409, 'NotAllowed', 'Only a grant that was given by a call can be revoked'],
  INVITATION_ACCEPTED: [409, 'AlreadyDone', 'The invitation has already been accepted'],
  EMAIL_TAKEN: [409, 'Taken', 'A member with this email address already exists'],
  PARTNER_SLUG_TAKEN: [409, 'Taken', 'A partner with this slug already exists'],
  OWN_PARTNER: [409, 'NotAllowed', 'Operators cannot close their own partner'],
  OWN_PASSWORD: [
    409,
    'NotAllowed',
    'Members change their own password with POST /dashboard/auth/password',
    { inGraphql: 'Members change their own password with `changePassword`' },
  ],
  OWN_MEMBER: [409, 'NotAllowed', 'Members cannot remove themselves or change their own role'],
  SECOND_FACTOR_ACTIVE: [409, 'NotAllowed', 'The second factor is active; disable it first'],
  SECOND_FACTOR_INACTIVE: [409, 'NotAllowed', 'There is no second factor; start one first'],
  NO_MAIL: [
    409,
    'NotAllowed',
    'This service sends no mail; a member who may change members can make a link',
  ],
  LAST_OWNER: [409, 'NotAllowed', 'The partner has no other owner; make one first'],
  GAME_NOT_PENDING: [409, 'NotActive', 'The game is not pending review'],
  GAME_NOT_PUBLIC: [409, 'NotActive', 'The game has no approved build'],
  CONFLICT: [409, 'Conflict', 'It has changed since you read it'],
  ARENA_TERMS_CHANGED: [409, 'Conflict', 'The terms of the game have changed since'],
  BUILD_REPLACED: [409, 'Conflict', 'A newer build has been submitted; review that one'],
  SESSION_NOT_OPEN: [409, 'NotActive', 'The session is no longer open'],
  SESSION_FULL: [409, 'Limit', 'The session is full'],
  POINT_CAP_REACHED: [
    409,
    'Limit',
    'A daily cap of a partner on points to or from other partners in this game would be exceeded',
  ],
  SESSION_NEEDS_PLAYERS: [409, 'TooFew', 'The session has too few players to start'],
  SESSION_NOT_IN_PROGRESS: [409, 'NotActive', 'The session is not in progress'],
  MOVE_LIMIT_REACHED: [409, 'Limit', 'The session has had all the moves that it may have'],
  RESULT_ALREADY_REPORTED: [409, 'AlreadyDone', 'Another result has already been reported'],
  OFFER_LIMIT_REACHED: [409, 'Limit', 'The user has three active offers already'],
  SEGMENT_NAME_TAKEN: [409, 'Taken', 'A segment with this name already exists'],
  IDEMPOTENT_REQUEST_IN_PROGRESS: [
    409,
    'Request',
    'The first request with this Idempotency-Key is still running',
    { retryAfter: 1 },
  ],
  IDEMPOTENT_ANSWER_NOT_KEPT: [
    409,
    'Request',
    'The first request with this Idempotency-Key was carried out, but its answer is not stored: it was larger than 64 KB, or your daily storage for answers is used up; read the state, then use a new key',
  ],
  IDEMPOTENT_OUTCOME_UNKNOWN: [
    409,
    'Request',
    'The first request with this Idempotency-Key was interrupted and its outcome is unknown; read the state, then use a new key',
  ],
  GRAPHQL_PARSE_FAILED: [400, 'Request', 'The document is not valid GraphQL'],
  GRAPHQL_VALIDATION_FAILED: [400, 'Request', 'The document is not valid for the schema'],
  OPERATION_RESOLUTION_FAILURE: [
    400,
    'Request',
    'The request does not say which operation of the document to execute',
  ],
  DOCUMENT_TOO_COMPLEX: [400, 'Request', 'The document exceeds a limit'],
  PERSISTED_QUERY_MISMATCH: [400, 'Request', 'The hash does not match the document'],
  DOCUMENT_NOT_TRUSTED: [
    403,
    'Request',
    'This server executes only the documents that its operator has listed',
  ],
  INTROSPECTION_REFUSED: [
    403,
    'Request',
    'Introspection is for members only; the schema is at /schema.graphql',
  ],
  // Clients depend on this message.
  PERSISTED_QUERY_NOT_FOUND: [404, 'Request', 'PersistedQueryNotFound'],
  METHOD_NOT_ALLOWED: [405, 'Request', 'Use GET or POST'],
  NOT_ACCEPTABLE: [
    406,
    'Request',
    'Accept must allow application/graphql-response+json or application/json; for a subscription text/event-stream',
  ],
  BODY_TOO_LARGE: [413, 'Request', 'The request body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Request', 'Content-Type must be application/json'],
  EXPECTATION_FAILED: [417, 'Request', 'The only expectation that is met is 100-continue'],
  IDEMPOTENCY_KEY_REUSED: [422, 'Request', 'This Idempotency-Key was used with another request'],
  HEADERS_TOO_LARGE: [431, 'Request', 'The request headers are too large', { isOfRest: true }],
  REQUEST_TIMEOUT: [408, 'Request', 'The request did not arrive in time', { isOfRest: true }],
  ACCOUNT_LOCKED: [
    429,
    'Limit',
    'Too many failed sign-ins to this account from your address; wait before trying again',
    { retryAfter: 60 },
  ],
  RATE_LIMITED: [429, 'Limit', 'Too many requests', { retryAfter: 1 }],
  TRACK_USER_FAILED: [500, 'Server', 'Failed to track user', { isOfRest: true }],
  TRACK_EVENT_FAILED: [500, 'Server', 'Failed to track event', { isOfRest: true }],
  TIMELINE_FAILED: [500, 'Server', 'Failed to fetch timeline', { isOfRest: true }],
  INTERNAL: [500, 'Server', 'Internal server error'],
  OVERLOADED: [503, 'Server', 'The server is too busy; try again shortly', { retryAfter: 1 }],
  UNAVAILABLE: [503, 'Server', 'The database is unavailable; nothing was done', { retryAfter: 2 }],
} as const satisfies Record<string, Row>

type Rows = typeof rows

export type ErrorCode = keyof Rows

export type KindOf<C extends ErrorCode> = Rows[C][1]

/** The codes of some kinds. */
export type CodeOf<K extends ErrorKind> = {
  [C in ErrorCode]: KindOf<C> extends K ? C : never
}[ErrorCode]

type MoreIn<R> = R extends readonly [number, string, string, infer M] ? M : never

/** What an error of the kind `NotFound` did not find. */
export type ResourceType = Extract<MoreIn<Rows[ErrorCode]>, { resource: string }>['resource']

type ErrorRow = More & {
  status: number
  kind: ErrorKind
  message: string
  resource?: ResourceType
}

export const errorTable = Object.fromEntries(
  Object.entries<Row>(rows).map(([code, [status, kind, message, more]]) => [
    code,
    { status, kind, message, ...more },
  ]),
) as Record<ErrorCode, ErrorRow>
