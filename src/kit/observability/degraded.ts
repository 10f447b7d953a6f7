import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'
import { exportGauge, type Metrics } from './metrics.ts'

/** Degraded parts of this node, which still answers requests. */
export type Degraded = {
  /**
   * Sets why a part is degraded; null when it has recovered. The reason is public; `detail` (names, addresses)
   * is for the log only.
   */
  set(part: string, reason: string | null, detail?: string): void
  /** Adds a check that runs whenever the list is requested. */
  check(look: () => Promise<unknown>): void
  list(): Promise<{ part: string; reason: string }[]>
}

/** How long a request for the list waits for checks. */
const longestCheckMs = 500

/** Logs changes only. */
export const createDegraded = (log: Logger): Degraded => {
  const reasons = new Map<string, string>()
  const checks: (() => Promise<unknown>)[] = []
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

/** Exports the degraded parts as a metric. */
export const measureDegraded = (degraded: Degraded, { registry }: Metrics): void =>
  exportGauge(
    registry,
    {
      name: 'tessera_degraded',
      help: '1 for each part of this node that is impaired, as in /readyz?verbose',
      labelNames: ['part'],
    },
    async () => (await degraded.list()).map(({ part }) => [{ part }, 1]),
  )
