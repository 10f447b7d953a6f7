import type { Logger } from './log.ts'

/** A continuing failure is logged again after this long. */
const logEveryMs = 60_000

/** Returns the function that logs a failure, unless one was logged less than a minute ago. */
export const createFailureLog = (log: Pick<Logger, 'warn'>, text: string) => {
  let loggedAt = Number.NEGATIVE_INFINITY
  let omitted = 0
  return (err: unknown): void => {
    if (performance.now() - loggedAt < logEveryMs) {
      omitted++
      return
    }
    log.warn({ err, ...(omitted > 0 && { omitted }) }, text)
    loggedAt = performance.now()
    omitted = 0
  }
}
