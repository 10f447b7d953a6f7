/** Decides when a delivery is retried, and when an endpoint is disabled. */

/** Seconds before each attempt, from the end of the previous one: ten attempts in about three days. */
export const defaultRetrySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** An endpoint without a success for this long is disabled. */
export const disableAfterMs = 120 * 3600 * 1000

const longestRetryAfterSeconds = 86_400

/** The result of one attempt. */
export type AttemptResult = {
  /** Null if there was no response. */
  responseStatus: number | null
  /** Seconds that the receiver requested. */
  retryAfterSeconds: number | null
}

export type AttemptVerdict =
  | { status: 'DELIVERED' }
  | { status: 'FAILED'; gone: boolean }
  | { status: 'PENDING'; delaySeconds: number }

/**
 * The consequence of an attempt. `tries` counts the attempts since the delivery was queued, including this one.
 * `chance` in [0, 1) spreads the delay by ±20 %.
 */
export const judgeAttempt = (
  { responseStatus, retryAfterSeconds }: AttemptResult,
  tries: number,
  schedule: number[],
  chance: number,
): AttemptVerdict => {
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { status: 'DELIVERED' }
  if (responseStatus === 410) return { status: 'FAILED', gone: true }
  const seconds = schedule[tries]
  if (seconds === undefined) return { status: 'FAILED', gone: false }
  const spread = seconds * (0.8 + 0.4 * chance)
  const requested = Math.min(retryAfterSeconds ?? 0, longestRetryAfterSeconds)
  return { status: 'PENDING', delaySeconds: Math.max(spread, requested) }
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). `Date.parse` alone accepts `soon 5`. */
const httpDate =
  /^[A-Z][a-z]{2,8},? (\d\d [A-Z][a-z]{2} \d{4}|\d\d-[A-Z][a-z]{2}-\d\d|[A-Z][a-z]{2} [ \d]\d) \d\d:\d\d:\d\d (GMT|\d{4})$/

/** `Retry-After` in seconds from now, from a number or a date; null if it is neither. */
export const readRetryAfter = (text: string | undefined, now: Date): number | null => {
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return Number(text)
  if (!httpDate.test(text)) return null
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}
