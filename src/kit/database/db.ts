/** The database: one Prisma client, over the embedded database or a PostgreSQL server. */
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import type { Config } from '../config/config.ts'
import { batchLimits, defaultLimits } from '../config/time-limits.ts'
import { lockDataDir, type Waiting } from '../embedded/data-dir.ts'
import { copyEmptyDatabase, EmbeddedPool } from '../embedded/embedded-pool.ts'
import { setDriver, statementName } from './driver.ts'
import { sqlState } from './outage.ts'
import { checkPooler } from './pooler.ts'
import { createServerPool, openServerPool, type ServerPool } from './server-pool.ts'
import type { TenantModel } from './tenant-client.ts'

/** The database. Rows of tenants are reached through `ofTenant`. */
export type Db = Omit<PrismaClient, TenantModel>

/** Runs statements: the database itself, or a transaction. */
export type Queries = Omit<Db, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

declare const isOpen: unique symbol

/** A transaction. Only `inTransaction` gives one. */
export type Tx = Queries & { readonly [isOpen]: true }

export type Database = {
  db: Db
  pool: pg.Pool
  /** Keeps sessions, for LISTEN and migrations. The same pool unless DATABASE_DIRECT_URL is set. */
  direct: pg.Pool
  /** For group commit: gives up the wait for a lock soon. Undefined if the database is embedded or keeps no limits. */
  batches: { db: Db; pool: ServerPool } | undefined
  embedded: boolean
  /** Whether connections keep prepared statements. Some poolers do not. */
  keepsNames: boolean
  /** Whether the server accepts our time limits. Some poolers do not. */
  keepsLimits: boolean
  close(): Promise<void>
}

/** Connections for LISTEN and migrations, if DATABASE_DIRECT_URL is set. */
const directConnections = 4

type Place = Pick<Config, 'dataDir' | 'databaseUrl'> & {
  /** Start a new embedded database as a copy of the one that was built. */
  fromBuild?: boolean
} & Partial<Pick<Config, 'databaseDirectUrl' | 'databasePool' | 'databaseLimits'>> &
  Waiting

/** The share of the connections that is for group commit. */
const batchShare = 0.4

const openServer = async (url: string, place: Place) => {
  const { databaseDirectUrl, databasePool = 10, databaseLimits = defaultLimits } = place
  const forBatches = Math.floor(databasePool * batchShare)
  const { pool, keepsLimits } = await openServerPool(url, databasePool - forBatches, databaseLimits)
  if (!keepsLimits) pool.options.max = databasePool
  const direct = databaseDirectUrl
    ? (await openServerPool(databaseDirectUrl, directConnections, databaseLimits)).pool
    : pool
  const batchPool = keepsLimits
    ? createServerPool(url, forBatches, batchLimits(databaseLimits))
    : undefined
  const close = async () =>
    void (await Promise.all([...new Set([pool, direct, batchPool])].map((item) => item?.end())))
  try {
    const { keepsNames } = await checkPooler(pool, direct)
    const batches = batchPool && { db: createClient(batchPool, keepsNames), pool: batchPool }
    return { ...wrapPool(pool, keepsNames), direct, batches, keepsLimits, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens an embedded database. This process must have locked the DATA_DIR of the folder. */
export const openFolder = async (folder: string): Promise<Database> => {
  const pool = await EmbeddedPool.open(folder)
  const close = () => pool.end()
  return { ...wrapPool(pool, true), direct: pool, batches: undefined, keepsLimits: true, close }
}

const openEmbedded = async ({ dataDir, fromBuild, ...waiting }: Place): Promise<Database> => {
  const unlock = await lockDataDir(dataDir, waiting)
  try {
    const folder = join(dataDir, 'db')
    if (fromBuild) copyEmptyDatabase(folder)
    const database = await openFolder(folder)
    return { ...database, close: () => database.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens the database of the configuration. It does not migrate it.
 * @throws DataDirLockError when another process keeps the same folder.
 * @throws PoolerError when a pooler breaks what the service relies on.
 */
export const openDatabase = (place: Place): Promise<Database> =>
  place.databaseUrl ? openServer(place.databaseUrl, place) : openEmbedded(place)

/** @param keepsNames whether connections keep prepared statements */
export const createClient = (pool: pg.Pool, keepsNames: boolean): Db => {
  const client = new PrismaClient({
    adapter: new PrismaPg(
      pool,
      // The name may be undefined, for a statement that is not prepared.
      keepsNames ? { statementNameGenerator: ({ sql }) => statementName(sql) as string } : {},
    ),
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  })
  setDriver(client, { pool, keepsNames })
  return client
}

const wrapPool = (pool: pg.Pool, keepsNames: boolean) => {
  const db = createClient(pool, keepsNames)
  return { db, pool, keepsNames, embedded: pool instanceof EmbeddedPool }
}

/** Open transactions, each with the effects to run after its commit. */
const transactions = new WeakMap<Queries, (() => void)[]>()

/** Runs an effect after the transaction commits, never if it rolls back, and at once outside of a transaction. */
export const afterCommit = (queries: Queries, effect: () => void): void => {
  const waiting = transactions.get(queries)
  if (waiting) waiting.push(effect)
  else effect()
}

/** Serialization failure and deadlock: the database has aborted the transaction because of a concurrent one. */
const aborted = new Set(['40001', '40P01'])
/** The same, and a unique key that a concurrent transaction took. */
const retryable = new Set([...aborted, '23505'])

/** Errors of last attempts. */
const final = new WeakSet<object>()

/** Runs a function until it fails with none of these SQLSTATEs, up to five times. */
const attempt = async <T>(run: () => Promise<T>, states: ReadonlySet<string>): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    try {
      return await run()
    } catch (error) {
      if (!states.has(sqlState(error) ?? '') || final.has(error as object)) throw error
      if (attempts < 5) continue
      final.add(error as object)
      throw error
    }
  }
}

/**
 * Retries a write that the database refused because of concurrent transactions, up to five attempts. `run` must start its
 * own transaction, or be one statement.
 */
export const retrying = <T>(run: () => Promise<T>): Promise<T> => attempt(run, retryable)

/**
 * Runs a function in the caller's transaction, or in a new one if there is none. A new one that the database aborts
 * because of concurrent ones is retried, up to five attempts.
 */
export const inTransaction = async <W extends { tx: Queries }, T>(
  work: W,
  run: (work: W & { tx: Tx }) => Promise<T>,
): Promise<T> => {
  const runOn = (tx: Queries) => run({ ...work, tx: tx as Tx })
  // Prisma would open a nested transaction with a savepoint.
  if (transactions.has(work.tx)) return runOn(work.tx)
  return attempt(async () => {
    const waiting: (() => void)[] = []
    const result = await (work.tx as Db).$transaction((tx) => {
      transactions.set(tx, waiting)
      return runOn(tx)
    })
    for (const effect of waiting) effect()
    return result
  }, aborted)
}
