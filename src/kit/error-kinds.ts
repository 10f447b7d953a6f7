/** The data of errors. Each kind is one GraphQL type: `Limit` is `LimitError`. */
import type { ErrorCode } from './error-table.ts'

/** A refused field: its path (`metadata.tags.0`), the kind of problem, and what to do. */
export type FieldError = { field: string; code: string; message: string }

/** The path of a field in the GraphQL input; empty for the input as a whole. */
export const pathOf = (field: string): string[] => (field === '' ? [] : field.split('.'))

type Nothing = Record<never, never>

/** The data of each kind. */
export type DataOf = {
  /** All fields that were refused. */
  Validation: { errors: FieldError[] }
  /** `what` is given where the code could mean several things. */
  NotFound: { what?: Thing }
  InsufficientPoints: { balance: number; price: number }
  /** The ledger entry that has the reference. */
  DuplicateReference: { ledgerEntryId: string }
  /** The ledger entry of the reversal. */
  AlreadyReversed: { ledgerEntryId: string }
  /** The limit that would be exceeded, and the current count; null if it is not public. */
  Limit: { limit: number | null; current: number | null }
  /** The conflicting status, and since when; null if there is none or the time was not recorded. */
  NotActive: { status: string | null; since: Date | null }
  /** The field of the input whose value is taken. */
  Taken: { field: string; value: string }
  /** When it was done; null if it was in the same batch or not recorded. */
  AlreadyDone: { doneAt: Date | null }
  /** Since when a code is no longer valid; null if it never was. */
  InvalidCode: { since: Date | null }
  /** The version that the caller saw, the one before the refused change, and what was to be changed. */
  Conflict: {
    expectedVersion: number
    currentVersion: number
    target: { type: string; id: string | null } | null
  }
  Outdated: Nothing
  NotAllowed: Nothing
  Authentication: Nothing
  Request: Nothing
  Server: Nothing
}

export type ErrorKind = keyof DataOf

/** The kind of thing that was not found, by error code. */
export const things = {
  ROUTE_NOT_FOUND: 'ROUTE',
  USER_NOT_FOUND: 'USER',
  GAME_MECHANIC_NOT_FOUND: 'GAME',
  PLAY_NOT_FOUND: 'PLAY',
  PLAY_NOT_VERIFIABLE: 'PLAY_PROOF',
  REWARD_RULE_NOT_FOUND: 'REWARD_RULE',
  PARTNER_UNKNOWN: 'PARTNER',
  APPLICATION_NOT_FOUND: 'APPLICATION',
  LEDGER_ENTRY_NOT_FOUND: 'LEDGER_ENTRY',
  EXPORT_NOT_FOUND: 'EXPORT',
  OFFER_NOT_FOUND: 'OFFER',
  OFFER_RULE_NOT_FOUND: 'OFFER_RULE',
  SEGMENT_NOT_FOUND: 'SEGMENT',
  API_KEY_NOT_FOUND: 'API_KEY',
  WEBHOOK_NOT_FOUND: 'WEBHOOK_ENDPOINT',
  WEBHOOK_DELIVERY_NOT_FOUND: 'WEBHOOK_DELIVERY',
  EVENT_NOT_FOUND: 'EVENT',
  AGENT_NOT_FOUND: 'ARENA_AGENT',
  MATCH_NOT_FOUND: 'ARENA_MATCH',
  CAMPAIGN_NOT_FOUND: 'CAMPAIGN',
  CAMPAIGN_OR_USER_NOT_FOUND: 'CAMPAIGN',
  CODE_BATCH_NOT_FOUND: 'CODE_BATCH',
  MEMBER_NOT_FOUND: 'MEMBER',
  SIGN_IN_NOT_FOUND: 'SIGN_IN',
  INVITATION_NOT_FOUND: 'INVITATION',
  ARENA_ACCEPTANCE_NOT_FOUND: 'ARENA_ACCEPTANCE',
  ARENA_GAME_NOT_FOUND: 'ARENA_GAME',
  SESSION_NOT_FOUND: 'ARENA_SESSION',
  PLAYER_NOT_FOUND: 'ARENA_PLAYER',
  LOTTERY_NOT_FOUND: 'LOTTERY',
  DRAW_NOT_FOUND: 'DRAW',
  TICKET_NOT_FOUND: 'TICKET',
} as const satisfies { [C in ErrorCode]?: string }

export type Thing = (typeof things)[keyof typeof things]

const codes = {
  Validation: ['VALIDATION_FAILED', 'INVALID_PARAMETERS', 'INVALID_NUMBER_LINES'],
  NotFound: Object.keys(things) as (keyof typeof things)[],
  InsufficientPoints: ['INSUFFICIENT_POINTS'],
  DuplicateReference: ['DUPLICATE_REFERENCE'],
  AlreadyReversed: ['LEDGER_ENTRY_REVERSED'],
  Limit: [
    'MAX_TICKETS_EXCEEDED',
    'AGENT_LIMIT_REACHED',
    'MATCH_LIMIT_REACHED',
    'WEBHOOK_LIMIT_REACHED',
    'EXPORT_LIMIT_REACHED',
    'MAX_PLAYS_EXCEEDED',
    'SESSION_FULL',
    'SESSION_NEEDS_PLAYERS',
    'POINT_CAP_REACHED',
    'MOVE_LIMIT_REACHED',
    'OFFER_LIMIT_REACHED',
    'ACCOUNT_LOCKED',
    'RATE_LIMITED',
  ],
  NotActive: [
    'LOTTERY_NOT_ACTIVE',
    'LOTTERY_OVER',
    'DRAW_NOT_AVAILABLE',
    'DRAW_NOT_OPEN',
    'DRAW_ALREADY_EXECUTED',
    'TICKET_NOT_ACTIVE',
    'OFFER_NOT_ACTIVE',
    'OFFER_EXPIRED',
    'CAMPAIGN_NOT_ACTIVE',
    'CAMPAIGN_STATUS_CONFLICT',
    'WEBHOOK_DISABLED',
    'EXPORT_ENDED',
    'API_KEY_NOT_ACTIVE',
    'AGENT_NOT_READY',
    'AGENT_STATUS_CONFLICT',
    'MATCH_ENDED',
    'GAME_NOT_PENDING',
    'GAME_NOT_PUBLIC',
    'SESSION_NOT_OPEN',
    'SESSION_NOT_IN_PROGRESS',
  ],
  Taken: [
    'AGENT_NAME_TAKEN',
    'CAMPAIGN_SLUG_TAKEN',
    'LOTTERY_SLUG_TAKEN',
    'PARTNER_SLUG_TAKEN',
    'SEGMENT_NAME_TAKEN',
    'EMAIL_TAKEN',
  ],
  AlreadyDone: [
    'ALREADY_REFERRED',
    'WIN_CODE_REDEEMED',
    'CODE_REDEEMED',
    'RESULT_ALREADY_REPORTED',
    'INVITATION_ACCEPTED',
  ],
  InvalidCode: [
    'INVALID_REFERRAL_CODE',
    'INVALID_WIN_CODE',
    'INVALID_CODE',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'INVALID_INVITATION',
    'INVALID_PASSWORD_RESET',
  ],
  Conflict: ['CONFLICT'],
  Outdated: ['ARENA_TERMS_CHANGED', 'BUILD_REPLACED'],
  NotAllowed: [
    'SELF_REFERRAL',
    'REFERRALS_NOT_ENABLED',
    'ADMIN_REQUIRED',
    'RIGHT_REQUIRED',
    'LIVE_ONLY',
    'SESSION_OF_ONE_PARTNER',
    'WRONG_REPORTER',
    'NOT_IN_SESSION',
    'RANKED_NEEDS_PARTNERS',
    'PRIZE_TIER_WON',
    'OWN_PARTNER',
    'OWN_PASSWORD',
    'OWN_MEMBER',
    'LEDGER_ENTRY_NOT_REVERSIBLE',
    'LAST_OWNER',
    'NO_MAIL',
    'SECOND_FACTOR_ACTIVE',
    'SECOND_FACTOR_INACTIVE',
  ],
  Authentication: [
    'MISSING_API_KEY',
    'MISSING_API_SECRET',
    'INVALID_BEARER_TOKEN',
    'SECOND_FACTOR_REQUIRED',
    'INVALID_SECOND_FACTOR',
    'INVALID_CREDENTIALS',
    'INVALID_REFRESH_TOKEN',
    'INVALID_SESSION_TOKEN',
    'INVALID_API_KEY',
    'INVALID_USER_TOKEN',
    'MISSING_USER_TOKEN',
    'USER_TOKEN_OF_ANOTHER',
    'API_KEY_REVOKED',
    'API_KEY_EXPIRED',
    'API_KEY_NETWORK_NOT_ALLOWED',
    'APPLICATION_NOT_ACTIVE',
    'PARTNER_NOT_FOUND',
    'WRONG_CELL',
  ],
  Request: [
    'MALFORMED_JSON',
    'BAD_REQUEST',
    'EXPORT_LINK_INVALID',
    'EXPORT_LINK_EXPIRED',
    'EXPORT_LINK_REVOKED',
    'INVALID_NODE_ID',
    'CREDENTIALS_MISMATCH',
    'INVALID_ENVIRONMENT',
    'IDEMPOTENCY_KEY_INVALID',
    'IDEMPOTENCY_KEY_NOT_ALLOWED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENT_REQUEST_IN_PROGRESS',
    'IDEMPOTENT_ANSWER_NOT_KEPT',
    'IDEMPOTENT_OUTCOME_UNKNOWN',
    'GRAPHQL_PARSE_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'OPERATION_RESOLUTION_FAILURE',
    'DOCUMENT_TOO_COMPLEX',
    'PERSISTED_QUERY_MISMATCH',
    'PERSISTED_QUERY_NOT_FOUND',
    'DOCUMENT_NOT_TRUSTED',
    'INTROSPECTION_REFUSED',
    'METHOD_NOT_ALLOWED',
    'NOT_ACCEPTABLE',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'EXPECTATION_FAILED',
    'HEADERS_TOO_LARGE',
    'REQUEST_TIMEOUT',
  ],
  Server: [
    'TRACK_USER_FAILED',
    'TRACK_EVENT_FAILED',
    'TIMELINE_FAILED',
    'INTERNAL',
    'OVERLOADED',
    'UNAVAILABLE',
  ],
} as const satisfies Record<ErrorKind, readonly ErrorCode[]>

type Codes = typeof codes

export type KindOf<C extends ErrorCode> = {
  [K in ErrorKind]: C extends Codes[K][number] ? K : never
}[ErrorKind]

const kinds = new Map<ErrorCode, ErrorKind>(
  Object.entries(codes).flatMap(([kind, list]) => list.map((code) => [code, kind as ErrorKind])),
)

export const kindOf = (code: ErrorCode): ErrorKind => kinds.get(code) ?? 'Server'
