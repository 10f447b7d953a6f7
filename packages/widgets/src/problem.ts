/** An error with a code of the API (docs/errors.md) or of the widgets. */
export class Problem extends Error {
  readonly code: string
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** Seconds to wait before the next attempt, if the server gave them. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, status = 0, retryAfter?: number) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}

const passing = new Set([
  'NO_CONNECTION',
  'RATE_LIMITED',
  'OVERLOADED',
  'UNAVAILABLE',
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
])

/** The same request may succeed later. */
export const isPassing = (problem: unknown): problem is Problem =>
  problem instanceof Problem &&
  (passing.has(problem.code) ||
    (problem.status === 503 && problem.code !== 'IDEMPOTENT_OUTCOME_UNKNOWN'))

/** The token provider of the page threw an error. */
export const isProviderFailure = (problem: unknown): boolean =>
  problem instanceof Problem && problem.code === 'TOKEN_PROVIDER_FAILED'

/** The token is missing or no longer valid. A new one may help. */
export const isAboutToken = (problem: unknown): boolean =>
  problem instanceof Problem &&
  (problem.code === 'INVALID_USER_TOKEN' || problem.code === 'MISSING_USER_TOKEN')

/** The user does not exist yet, so has no points and no plays. */
export const isUnknownUser = (problem: unknown): boolean =>
  problem instanceof Problem && problem.code === 'USER_NOT_FOUND'
