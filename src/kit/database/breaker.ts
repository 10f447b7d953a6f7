/**
 * A circuit breaker. It regularly probes on a separate connection whether the server is writable. While the server is
 * unreachable, calls are refused at once instead of queueing. The first successful probe accepts calls again.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Counter, Gauge } from 'prom-client'
import type { TimeLimits } from '../config/time-limits.ts'
import type { Degraded } from '../observability/degraded.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Database } from './db.ts'
import { ServerPool } from './server-pool.ts'

/** `broken`: the connection of an earlier probe was lost. The server itself may be available. */
type Found = 'writable' | 'read-only' | 'full' | 'unreachable' | 'broken'

/** Also false if the user of the database lacks the privilege to write. */
const question = `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  AND has_table_privilege('ledger_entry', 'INSERT') AS "isWritable"`

const tooManyConnections = '53300'

/** The finding of a failed probe. */
const foundBy = (
  { code, severity }: pg.DatabaseError,
  { isNew, pool }: { isNew: boolean; pool: ServerPool },
): Found => {
  if (code === tooManyConnections) return pool.size > 0 ? 'writable' : 'full'
  if (severity === 'ERROR') return 'read-only'
  return isNew ? 'unreachable' : 'broken'
}

/** Creates an observer. Its connection stays open between probes. */
const createObserver = (pool: ServerPool) => {
  let kept: pg.Client | undefined
  let isStale = false
  let host = pool.options.connectionString
  let why = ''
  /** How many probes were abandoned. */
  let abandoned = 0
  const drop = (client: pg.Client | undefined) => {
    client?.connection.stream.destroy()
    if (kept === client) kept = undefined
  }
  const probeHost = async (): Promise<Found> => {
    if (isStale) drop(kept)
    isStale = false
    if (!kept) host = pool.options.connectionString
    const client = kept ?? new pg.Client(pool.options)
    const isNew = client !== kept
    kept = client
    try {
      if (isNew) await client.on('error', () => {}).connect()
      const { rows } = await client.query(question)
      if (rows[0].isWritable) return 'writable'
      drop(client) // a new session may accept writes
      return 'read-only'
    } catch (error) {
      drop(client)
      why = (error as Error).message
      return foundBy(error as pg.DatabaseError, { isNew, pool })
    }
  }
  /** Probes the hosts in turn until one accepts writes. */
  const probe = async (): Promise<Found> => {
    const before = abandoned
    let best: Found = 'unreachable'
    for (let left = pool.hosts; left > 0 && abandoned === before; left--) {
      const found = await probeHost()
      if (found !== 'read-only' && found !== 'unreachable') return found
      if (found === 'read-only') best = found
      if (abandoned === before) pool.moveOnFrom(host)
    }
    return best
  }
  return {
    probe,
    /** The reason of the last failure. */
    why: () => why,
    /** Abandons the current probe. The next one goes to the next host. */
    abandon: () => {
      abandoned++
      drop(kept)
      why = 'it does not answer'
      pool.moveOnFrom(host)
    },
    /** Makes the next probe open a new session, which may have other privileges and settings. */
    reconnect: () => {
      isStale = true
    },
  }
}

/** `silent`: a probe has no answer yet. After `unreachableAfterMs` the server counts as unreachable. */
type State = Exclude<Found, 'broken'> | 'silent'

export type Breaker = {
  /** Whether the database accepts writes now. */
  isWritable(): boolean
  close(): Promise<void>
}

const probeEveryMs = 500
/** The interval while the database is not writable. */
const probeSoonMs = 250
/** The shortest interval, however many calls fail. */
const shortestIntervalMs = 50
const probeTimeoutMs = 800
/** A server without an answer for this long is unreachable. Statements that wait this long are then abandoned. */
const unreachableAfterMs = 3_000
/** Answers are read from the kernel between ticks, so a busy process does not take its own delay for silence. */
const tickMs = 50
const fewestTicks = 5

const reasons: Record<Exclude<State, 'writable'>, string> = {
  'read-only': 'The database accepts no writes',
  full: 'The database accepts no more connections',
  silent: 'The database does not answer',
  unreachable: 'The database is unreachable; requests are refused until it is back',
}

/** Waits for an answer, at most as long as a probe may take. */
const waitFor = async (answer: Promise<unknown>): Promise<undefined> => {
  let isOver = false
  void answer.then(() => {
    isOver = true
  })
  const end = performance.now() + probeTimeoutMs
  for (let ticks = 0; !isOver && (ticks < fewestTicks || performance.now() < end); ticks++)
    await sleep(tickMs, undefined, { ref: false })
}

/** Returns the function that probes the server, or says how long there has been no answer. */
const createProbe = (observer: ReturnType<typeof createObserver>, signal: AbortSignal) => {
  /** The probe that has no answer yet. */
  let pending: { since: number; answer: Promise<Found> } | undefined
  return async function probe(before: State): Promise<State> {
    pending ??= { since: performance.now(), answer: observer.probe() }
    const { since, answer } = pending
    const found = await Promise.race([answer, waitFor(answer)])
    if (!found && performance.now() - since < unreachableAfterMs)
      return before === 'unreachable' ? 'unreachable' : 'silent'
    pending = undefined
    if (!found) observer.abandon()
    return found === 'broken' && !signal.aborted
      ? probe(before)
      : ((found ?? 'unreachable') as State)
  }
}

/** Exports the state as metrics. */
const measure = ({ registry }: Metrics, pools: ServerPool[], stateNow: () => State): void => {
  new Gauge({
    name: 'tessera_database_writable',
    help: '1 while the database accepts writes',
    registers: [registry],
    collect() {
      this.set(stateNow() === 'writable' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tessera_database_breaker_open',
    help: '1 while calls are refused because the database is unreachable',
    registers: [registry],
    collect() {
      this.set(stateNow() === 'unreachable' ? 1 : 0)
    },
  })
  new Counter({
    name: 'tessera_database_refused_total',
    help: 'Calls refused because the database was unreachable',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(pools.reduce((sum, { refused }) => sum + refused, 0))
    },
  })
}

/** Starts probing. The result is exported as a metric and, unless writable, listed as degraded. */
export const startBreaker = (
  { pool, direct, batches }: Database,
  { degraded, metrics }: { degraded: Degraded; metrics: Metrics },
  { answerMs }: TimeLimits,
): Breaker => {
  if (!(pool instanceof ServerPool)) {
    measure(metrics, [], () => 'writable')
    return { isWritable: () => true, close: async () => {} }
  }
  const pools = [...new Set([pool, direct as ServerPool, ...(batches ? [batches.pool] : [])])]
  const observer = createObserver(pool)
  const closing = new AbortController()
  const { signal } = closing
  const probe = createProbe(observer, signal)
  let state: State = 'writable'
  let wake = () => {}
  const act = (found: State) => {
    state = found
    const isUnreachable = found === 'unreachable'
    for (const pool of pools) {
      pool.refuse(isUnreachable)
      pool.endSilent(isUnreachable ? unreachableAfterMs : answerMs, { idle: isUnreachable })
    }
    degraded.set('database', found === 'writable' ? null : reasons[found], observer.why())
  }
  const run = async () => {
    while (!signal.aborted) {
      const found = await probe(state)
      if (signal.aborted) return
      act(found)
      if (state === 'silent') continue
      await sleep(shortestIntervalMs, undefined, { ref: false })
      const pause = state === 'writable' ? probeEveryMs : probeSoonMs
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, sleep(pause - shortestIntervalMs, undefined, { ref: false })])
    }
  }

  for (const pool of pools)
    pool.onTrouble = ({ isReadOnly }) => {
      if (isReadOnly && state === 'writable') observer.reconnect()
      wake()
    }
  measure(metrics, pools, () => state)
  const running = run()
  return {
    isWritable: () => state === 'writable',
    close: async () => {
      closing.abort()
      wake()
      observer.abandon()
      await running
      observer.abandon()
    },
  }
}
