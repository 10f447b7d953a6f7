/** A hot standby for statistics, exports and public lists. Everything else reads the primary. */

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Degraded } from '../observability/degraded.ts'
import type { Logger } from '../observability/log.ts'
import { exportGauge, type Metrics } from '../observability/metrics.ts'
import { createClient, type Database, type Db } from './db.ts'
import { codeOf } from './outage.ts'
import { createServerPool, type ServerPool } from './server-pool.ts'

/** The standby cancelled a statement that took too long. The primary would take as long. */
const tookTooLong = '57014'

type Targets = {
  primary: pg.Pool
  standby: pg.Pool
  isUsable(): boolean
  /** Called when a statement failed on the standby, before it runs on the primary. */
  onFailure(error: Error): void
}

/** It has no connections of its own. Transactions run on the primary. */
class ReadPool extends pg.Pool {
  readonly #targets: Targets

  constructor(targets: Targets) {
    super({ max: 1 })
    this.#targets = targets
  }

  override connect = ((done?: never) =>
    this.#targets.primary.connect(done as never)) as pg.Pool['connect']

  override query = (async (config: string | pg.QueryConfig, values?: unknown[]) => {
    const { primary, standby, isUsable, onFailure } = this.#targets
    if (!isUsable()) return primary.query(config, values)
    try {
      return await standby.query(config, values)
    } catch (error) {
      if (codeOf(error) === tookTooLong) throw error
      onFailure(error as Error)
      return primary.query(config, values)
    }
  }) as pg.Pool['query']
}

export type Standby = {
  db: Db
  pool: ServerPool
  isUsable(): boolean
  close(): Promise<void>
}

/** A standby that is further behind is not read. */
const maxLagMs = 10_000
const probeEveryMs = 1_000
const probeTimeoutMs = 2_000
/** The most samples that are kept while the standby does not catch up. */
const maxSamples = 1_000

const reasons = {
  unreachable: 'The standby is unreachable: all reads go to the primary',
  promoted: 'DATABASE_READ_URL leads to no standby: all reads go to the primary',
  foreign: 'DATABASE_READ_URL leads to another database: all reads go to the primary',
  behind: 'The standby is too far behind: all reads go to the primary',
}
type Reason = keyof typeof reasons

/** Identifies the cluster and the database. */
export const identity = `(SELECT system_identifier FROM pg_control_system())::text || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS id`

/** What the server has flushed, or replayed if it is a standby. */
const selectPosition = `SELECT ${identity}, pg_is_in_recovery() AS "isStandby",
  ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END)
    - '0/0')::float8 AS lsn`
type Position = { id: string; isStandby: boolean; lsn: number }

/** The position of a server; null if it does not answer in time. */
const readPosition = async (pool: pg.Pool): Promise<Position | null> => {
  const answer = pool.query<Position>(selectPosition).then(({ rows }) => rows[0] ?? null)
  const found = answer.catch(() => null)
  return Promise.race([found, sleep(probeTimeoutMs, null, { ref: false })])
}

/**
 * Compares the standby with the primary. Its lag is the age of the last position of the primary that it is known to have
 * replayed, so clocks are not compared, and an idle primary causes no lag. NaN if it is not known.
 */
const createComparison = (primary: pg.Pool, standby: pg.Pool) => {
  /** The first is the last one that was replayed, if any was. */
  let samples: { at: number; lsn: number }[] = []
  let primaryId: string | undefined
  return async (): Promise<{ reason: Reason | null; lagMs: number }> => {
    const at = performance.now()
    const expected = await readPosition(primary)
    if (expected) {
      primaryId = expected.id
      samples.push({ at, lsn: expected.lsn })
    }
    if (samples.length > maxSamples) samples = samples.filter((_, n) => n % 2 === 0)
    const found = await readPosition(standby)
    if (!found) return { reason: 'unreachable', lagMs: Number.NaN }
    if (!found.isStandby) return { reason: 'promoted', lagMs: Number.NaN }
    if (found.id !== primaryId) return { reason: 'foreign', lagMs: Number.NaN }
    const replayed = samples.findLastIndex(({ lsn }) => lsn <= found.lsn)
    samples.splice(0, replayed)
    const lagMs = replayed < 0 ? Number.NaN : performance.now() - (samples[0]?.at as number)
    return { reason: lagMs <= maxLagMs ? null : 'behind', lagMs }
  }
}

const measure = ({ registry }: Metrics, usable: () => number, lagSeconds: () => number): void => {
  exportGauge(
    registry,
    {
      name: 'tessera_standby_usable',
      help: '1 while statistics, exports and public lists may read from the standby; NaN without DATABASE_READ_URL',
    },
    () => [[{}, usable()]],
  )
  exportGauge(
    registry,
    {
      name: 'tessera_standby_lag_seconds',
      help: 'The longest time that the standby may be behind the primary; NaN while that is not known, and without DATABASE_READ_URL',
    },
    () => [[{}, lagSeconds()]],
  )
}

type Services = { config: Config; log: Logger; metrics: Metrics; degraded: Degraded }

/** A connection of its own, so that a full pool does not look like a standby that does not answer. */
const openProbes = (connectionString: string) =>
  new pg.Pool({
    connectionString,
    application_name: 'tessera',
    max: 1,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  }).on('error', () => {})

/** Opens the standby of DATABASE_READ_URL; undefined if there is none. It need not be reachable yet. */
export const openStandby = async (
  { pool: primary, keepsNames, embedded }: Database,
  { config, log, metrics, degraded }: Services,
): Promise<Standby | undefined> => {
  const { databaseReadUrl, databasePool, databaseLimits } = config
  let state: { reason: Reason | null; lagMs: number } | undefined
  measure(
    metrics,
    () => (state ? Number(state.reason === null) : Number.NaN),
    () => (state?.lagMs ?? Number.NaN) / 1_000,
  )
  if (!databaseReadUrl || embedded) return undefined
  const pool = createServerPool(databaseReadUrl, databasePool, databaseLimits)
  const probes = openProbes(databaseReadUrl)
  const compare = createComparison(primary, probes)
  const closing = new AbortController()
  const { signal } = closing
  const probe = async () => {
    state = await compare()
    if (signal.aborted) return
    const { reason } = state
    const isReachable = reason !== 'unreachable'
    pool.endSilent(isReachable ? databaseLimits.answerMs : probeTimeoutMs, { idle: !isReachable })
    degraded.set('standby', reason && reasons[reason])
  }
  const run = async () => {
    while (!signal.aborted) {
      await sleep(probeEveryMs, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) await probe()
    }
  }
  await probe()
  const running = run()
  const isUsable = () => state?.reason === null
  const reads = new ReadPool({
    primary,
    standby: pool,
    isUsable,
    onFailure: (err) => {
      log.warn({ err }, 'a statement failed on the standby and is sent to the primary')
      state = { reason: 'unreachable', lagMs: Number.NaN }
    },
  })
  return {
    db: createClient(reads, keepsNames),
    pool,
    isUsable,
    close: async () => {
      closing.abort()
      await running
      await Promise.all([probes.end(), pool.end()])
    },
  }
}
