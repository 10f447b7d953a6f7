import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'

/** What works less well than it should at this node, while requests are answered all the same. */
export type Degraded = {
  /**
   * Says why a part is degraded, or with null that it is well again. The reason is shown to everybody;
   * `detail` (names, addresses) is for the log alone.
   */
  set(part: string, reason: string | null, detail?: string): void
  /** Looks at something, and sets it, whenever somebody asks for the list. */
  check(look: () => Promise<void>): void
  list(): Promise<{ part: string; reason: string }[]>
}

/** Who asks for the list waits no longer than this for checks. */
const longestCheckMs = 500

/** Changes are logged; what stays as it is is not said again. */
export const createDegraded = (log: Logger): Degraded => {
  const reasons = new Map<string, string>()
  const checks: (() => Promise<void>)[] = []
  return {
    set: (part, reason, detail = '') => {
      if (reason === (reasons.get(part) ?? null)) return
      if (reason === null) {
        reasons.delete(part)
        log.info({ part }, 'works again')
      } else {
        reasons.set(part, reason)
        log.warn({ part }, detail ? `${reason}: ${detail}` : reason)
      }
    },
    check: (look) => checks.push(look),
    list: async () => {
      const checked = Promise.allSettled(checks.map((look) => look()))
      await Promise.race([checked, sleep(longestCheckMs, undefined, { ref: false })])
      return Array.from(reasons, ([part, reason]) => ({ part, reason }))
    },
  }
}
