/** When a delivery is tried again, and when an endpoint is given up (decisions §11). */

/** Seconds before each attempt, from the end of the one before: ten attempts in about three days. */
export const defaultRetrySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** So long may nothing be accepted before an endpoint is disabled. */
export const disableAfterMs = 120 * 3600 * 1000

const longestRetryAfterSeconds = 86_400

/** What became of one attempt. */
export type AttemptResult = {
  /** Null when there was no answer. */
  responseStatus: number | null
  /** Seconds that the receiver asked for. */
  retryAfterSeconds: number | null
}

export type Verdict =
  | { status: 'DELIVERED' }
  | { status: 'FAILED'; gone: boolean }
  | { status: 'PENDING'; delaySeconds: number }

/**
 * What follows from an attempt. `tries` counts the attempts since the delivery was queued, this one
 * included; `chance` in [0, 1) spreads the delay by ±20 %.
 */
export const judgeAttempt = (
  { responseStatus, retryAfterSeconds }: AttemptResult,
  tries: number,
  schedule: number[],
  chance: number,
): Verdict => {
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { status: 'DELIVERED' }
  if (responseStatus === 410) return { status: 'FAILED', gone: true }
  const seconds = schedule[tries]
  if (seconds === undefined) return { status: 'FAILED', gone: false }
  const spread = seconds * (0.8 + 0.4 * chance)
  const asked = Math.min(retryAfterSeconds ?? 0, longestRetryAfterSeconds)
  return { status: 'PENDING', delaySeconds: Math.max(spread, asked) }
}

/** The three forms of a date in HTTP (RFC 9110, 5.6.7). `Date.parse` alone takes `soon 5` for one. */
const httpDate =
  /^[A-Z][a-z]{2,8},? (\d\d [A-Z][a-z]{2} \d{4}|\d\d-[A-Z][a-z]{2}-\d\d|[A-Z][a-z]{2} [ \d]\d) \d\d:\d\d:\d\d (GMT|\d{4})$/

/** `Retry-After` as seconds from now: a number, or a date; null when it is neither. */
export const readRetryAfter = (text: string | undefined, now: Date): number | null => {
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return Number(text)
  if (!httpDate.test(text)) return null
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}
