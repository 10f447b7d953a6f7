/** Reads on a hot standby: queries of callers whose writes it has replayed. Everything else stays on the primary. */
import { Counter } from 'prom-client'
import type { Config } from '../config.ts'
import { createClient, type Database, type Db } from '../db/db.ts'
import { findKept } from '../db/pooler.ts'
import { createServerPool, openServerPool, type ServerPool } from '../db/server-pool.ts'
import type { Degraded } from '../degraded.ts'
import type { Logger } from '../log.ts'
import { exportGauge, type Metrics } from '../metrics.ts'
import { createAsker } from './asker.ts'
import { ReadPool } from './read-pool.ts'
import { type Author, openRecentWrites, type RecentWrites } from './recent-writes.ts'
import { Standby } from './standby.ts'

export type Replica = {
  /** Sends statements to the standby, and to the primary if the standby fails. Transactions go to the primary. */
  db: Db
  pool: ServerPool
  /** Whether a query of these may use the standby. Waits briefly until it has replayed what they have just written. */
  admits(authors: Author[]): Promise<boolean>
  /** Must be awaited before a mutation of these is answered. */
  noteWrite(authors: Author[]): Promise<void>
  /** Whether the primary is unreachable and the standby serves reads without it. */
  isAlone(): boolean
  close(): Promise<void>
}

type Parts = { config: Config; log: Logger; metrics: Metrics; degraded: Degraded }

/** A standby that is unreachable at the start is used once it can be reached. */
const openStandbyPool = async (url: string, config: Config) => {
  const { databasePool, databaseLimits } = config
  try {
    const { pool } = await openServerPool(url, databasePool, databaseLimits)
    const kept = await findKept(pool).catch(() => 'names' as const)
    return { pool, keepsNames: kept !== 'nothing' }
  } catch {
    return { pool: createServerPool(url, databasePool, databaseLimits), keepsNames: true }
  }
}

type Counters = ReturnType<typeof createCounters>

const createCounters = ({ registry }: Metrics) => ({
  queries: new Counter({
    name: 'tessera_queries_total',
    help: 'Queries by where they read: standby, or primary because the standby is not used (unused) or had not yet replayed what the caller wrote (behind)',
    labelNames: ['target', 'reason'],
    registers: [registry],
  }),
  fallbacks: new Counter({
    name: 'tessera_standby_failures_total',
    help: 'Statements that failed on the standby and were sent to the primary',
    registers: [registry],
  }),
})

const measure = ({ registry }: Metrics, find: () => Standby | undefined): void => {
  exportGauge(
    registry,
    {
      name: 'tessera_standby_usable',
      help: '1 while queries may use the standby; NaN without DATABASE_READ_URL',
    },
    () => [[{}, Number(find()?.isUsable() ?? Number.NaN)]],
  )
  exportGauge(
    registry,
    {
      name: 'tessera_standby_lag_seconds',
      help: 'How long the standby has been behind the primary; NaN while it is unreachable, and without DATABASE_READ_URL',
    },
    () => [[{}, find()?.lagSeconds() ?? Number.NaN]],
  )
}

const admission =
  (standby: Standby, writes: RecentWrites, { queries }: Counters) =>
  async (authors: Author[]): Promise<boolean> => {
    if (!standby.isUsable()) {
      queries.inc({ target: 'primary', reason: 'unused' })
      return false
    }
    const last = await writes.lastOf(authors)
    if (last !== undefined && !(await standby.hasReplayed(last))) {
      queries.inc({ target: 'primary', reason: 'behind' })
      return false
    }
    queries.inc({ target: 'standby', reason: '' })
    return true
  }

/** Opens the standby of DATABASE_READ_URL; undefined if there is none. */
export const openReplica = async (
  { pool: primary, keepsNames, embedded }: Database,
  { config, log, metrics, degraded }: Parts,
): Promise<Replica | undefined> => {
  const { databaseReadUrl, databaseLimits, readReplica } = config
  const counters = createCounters(metrics)
  let opened: Standby | undefined
  measure(metrics, () => opened)
  if (!databaseReadUrl || embedded) return undefined
  const { pool, keepsNames: keepsNamesToo } = await openStandbyPool(databaseReadUrl, config)
  const writes = await openRecentWrites(config, { log, metrics })
  const standby = new Standby(
    createAsker(() => ({ ...primary.options })),
    createAsker(() => ({ ...pool.options })),
    {
      ...readReplica,
      onState: ({ reason, isReachable }) => {
        pool.refuse(!isReachable)
        pool.endSilent(isReachable ? databaseLimits.answerMs : 0, { idle: !isReachable })
        degraded.set('standby', reason)
      },
    },
  )
  opened = standby
  const reads = new ReadPool({
    primary,
    standby: pool,
    isUsable: () => standby.isUsable(),
    onFailure: (err) => {
      counters.fallbacks.inc()
      log.warn({ err }, 'a statement failed on the standby and is sent to the primary')
      standby.suspend()
    },
  })
  await standby.ready
  return {
    db: createClient(reads, keepsNames && keepsNamesToo),
    pool,
    admits: admission(standby, writes, counters),
    noteWrite: async (authors) => {
      // Other nodes may not know of the write, so the answer waits for the standby.
      if (!(await writes.note(authors)) && standby.isUsable())
        await standby.hasReplayed(performance.now())
    },
    isAlone: () => standby.isAlone(),
    close: async () => {
      await standby.close()
      writes.close()
      await pool.end()
    },
  }
}
