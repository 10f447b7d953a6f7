/**
 * Looks all the time whether the server can be written, on a connection of its own. While it is away, calls are
 * refused at once instead of queueing; the first look that finds it lets them in again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Gauge } from 'prom-client'
import type { Runtime } from '../runtime.ts'
import type { Database } from './db.ts'
import { createObserver, type Found } from './observer.ts'
import { ServerPool } from './server-pool.ts'
import type { TimeLimits } from './time-limits.ts'

/** `silent`: there is no answer yet; after a while it is away. */
type State = Exclude<Found, 'broken'> | 'silent'

export type Breaker = {
  /** Whether the database takes writes now. */
  isWritable(): boolean
  close(): Promise<void>
}

const lookEveryMs = 500
/** While the database is not well. */
const lookSoonMs = 250
/** However many calls are in trouble, it looks no more often than this. */
const lookAgainMs = 50
const longestLookMs = 800
/** Who is silent for so long is away; then statements that have had no answer for so long are given up, too. */
const awayAfterMs = 3_000
/** What waits in the kernel is read between two ticks: a busy process does not take itself for a silent database. */
const tickMs = 50
const fewestTicks = 5

const reasons: Record<Exclude<State, 'writable'>, string> = {
  'read-only': 'The database takes no writes',
  full: 'The database takes no more connections',
  silent: 'The database does not answer',
  away: 'The database is away: requests are refused until it is back',
}

/** Waits for an answer as long as a look may take. */
const patience = async (answer: Promise<unknown>): Promise<undefined> => {
  let isOver = false
  void answer.then(() => {
    isOver = true
  })
  const end = performance.now() + longestLookMs
  for (let ticks = 0; !isOver && (ticks < fewestTicks || performance.now() < end); ticks++)
    await sleep(tickMs, undefined, { ref: false })
}

/** Looks from now on; what it finds is a metric and, when it is bad, listed as degraded. */
export const startBreaker = (
  { pool, direct }: Database,
  { degraded, metrics: { registry } }: Pick<Runtime, 'degraded' | 'metrics'>,
  { answerMs }: TimeLimits,
): Breaker => {
  if (!(pool instanceof ServerPool)) return { isWritable: () => true, close: async () => {} }
  const pools = [...new Set([pool, direct as ServerPool])]
  const observer = createObserver(pool)
  const closing = new AbortController()
  const { signal } = closing
  let state: State = 'writable'
  let wake = () => {}

  /** Asked, and not answered yet. */
  let asked: { since: number; answer: Promise<Found> } | undefined

  const look = async (): Promise<State> => {
    asked ??= { since: performance.now(), answer: observer.ask() }
    const { since, answer } = asked
    const found = await Promise.race([answer, patience(answer)])
    if (!found && performance.now() - since < awayAfterMs)
      return state === 'away' ? 'away' : 'silent'
    asked = undefined
    if (!found) observer.forget()
    return found === 'broken' && !signal.aborted ? look() : ((found ?? 'away') as State)
  }
  const act = (found: State) => {
    state = found
    const isAway = found === 'away'
    for (const one of pools) {
      one.refuse(isAway)
      one.endSilent(isAway ? awayAfterMs : answerMs, { idle: isAway })
    }
    degraded.set('database', found === 'writable' ? null : reasons[found])
  }
  const run = async () => {
    while (!signal.aborted) {
      const found = await look()
      if (signal.aborted) return
      act(found)
      if (state === 'silent') continue
      await sleep(lookAgainMs, undefined, { ref: false })
      const pause = state === 'writable' ? lookEveryMs : lookSoonMs
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, sleep(pause - lookAgainMs, undefined, { ref: false })])
    }
  }

  for (const one of pools)
    one.onTrouble = ({ isReadOnly }) => {
      if (isReadOnly && state === 'writable') observer.renew()
      wake()
    }
  new Gauge({
    name: 'tessera_database_writable',
    help: '1 while the database takes writes',
    registers: [registry],
    collect() {
      this.set(state === 'writable' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tessera_database_breaker_open',
    help: '1 while calls are refused because the database is away',
    registers: [registry],
    collect() {
      this.set(state === 'away' ? 1 : 0)
    },
  })
  new Counter({
    name: 'tessera_database_refused_total',
    help: 'Calls that were refused because the database was away',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(pools.reduce((sum, { refused }) => sum + refused, 0))
    },
  })
  const running = run()
  return {
    isWritable: () => state === 'writable',
    close: async () => {
      closing.abort()
      wake()
      observer.forget()
      await running
      observer.forget()
    },
  }
}
