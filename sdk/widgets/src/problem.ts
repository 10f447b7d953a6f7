/** Why something did not work, by the code of the API (docs/errors.md) or one of the widgets' own. */
export class Problem extends Error {
  readonly code: string
  /** The status of HTTP; 0 if there was no answer. */
  readonly status: number
  /** Seconds to wait before another try, if the server said so. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, status = 0, retryAfter?: number) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** There was no answer: no connection, or none in time. */
export const isConnection = (problem: unknown): boolean =>
  problem instanceof Problem && problem.code === 'NO_CONNECTION'

const passing = new Set([
  'NO_CONNECTION',
  'RATE_LIMITED',
  'OVERLOADED',
  'UNAVAILABLE',
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
])

/** The same request may succeed a moment later. */
export const isPassing = (problem: unknown): problem is Problem =>
  problem instanceof Problem &&
  (passing.has(problem.code) ||
    (problem.status === 503 && problem.code !== 'IDEMPOTENT_OUTCOME_UNKNOWN'))

/** The token is missing or no longer valid. A new one may help. */
export const isAboutToken = (problem: unknown): boolean =>
  problem instanceof Problem &&
  (problem.code === 'INVALID_USER_TOKEN' || problem.code === 'MISSING_USER_TOKEN')

/** The user is not known yet: they have no points and no plays. */
export const isUnknownUser = (problem: unknown): boolean =>
  problem instanceof Problem && problem.code === 'USER_NOT_FOUND'
