/** The database: one Prisma client, over the embedded database or a PostgreSQL server. */
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import type { Config } from './config.ts'
import { lockDataDir } from './data-dir.ts'
import { EmbeddedPool } from './embedded-db.ts'

export type Db = PrismaClient
/** What a domain write takes: a transaction, or the database itself for a write of one statement. */
export type Tx = Omit<Db, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

export type Database = {
  db: Db
  pool: pg.Pool
  embedded: boolean
  close(): Promise<void>
}

/** A statement that starts with `/* name *​/` is prepared once on each connection, under that name. */
const statementName = (query: SqlQuery) =>
  (query.sql.startsWith('/*') ? query.sql.slice(3, query.sql.indexOf(' */')) : undefined) as string

const openPool = async ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) => {
  if (databaseUrl) {
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 10,
      application_name: 'tessera',
      connectionTimeoutMillis: 10_000,
    })
    return { pool, unlock: () => {} }
  }
  const unlock = lockDataDir(dataDir)
  try {
    return { pool: await EmbeddedPool.open(join(dataDir, 'db')), unlock }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens the database of the configuration. It does not migrate it.
 * @throws DataDirLockedError when another process serves from the same folder.
 */
export const openDatabase = async (
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<Database> => {
  const { pool, unlock } = await openPool(config)
  return {
    ...wrapPool(pool),
    close: async () => {
      await pool.end()
      unlock()
    },
  }
}

/** A database over a pool that somebody else has opened. */
const wrapPool = (pool: pg.Pool): Database => {
  pool.on('error', () => {}) // an idle connection broke: the pool has dropped it already
  const db = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: statementName }),
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  })
  return { db, pool, embedded: pool instanceof EmbeddedPool, close: () => pool.end() }
}

/** The SQLSTATE of a failed query, or undefined when the database did not answer with one. */
export const sqlState = (error: unknown): string | undefined => {
  const cause = (
    error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } } | null
  )?.meta?.driverAdapterError?.cause
  return (
    cause?.originalCode ?? (error as { cause?: { originalCode?: string } })?.cause?.originalCode
  )
}

/** Runs something in the caller's transaction, or in one of its own where there is none. */
export const inTransaction = <T>(tx: Tx, run: (tx: Tx) => Promise<T>): Promise<T> =>
  '$transaction' in tx ? (tx as Db).$transaction(run) : run(tx)

/** Serialization failure, deadlock, and a unique key that somebody else took at the same moment. */
const retryable = new Set(['40001', '40P01', '23505'])

/**
 * Runs a transaction again when the database broke it off because of others; five times at most.
 * `run` must start its own transaction, or be one statement.
 */
export const retrying = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === 5 || !retryable.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** Connection exceptions, too many connections, and a server that shuts down. */
const unavailableStates = /^(08|53|57P)/
const unavailableCodes = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'ECONNREFUSED',
  'ECONNRESET',
])

/** Whether a query failed because the database could not be reached or broke off; the outcome is unknown. */
export const isUnavailable = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return (
    unavailableCodes.has(code ?? '') ||
    unavailableStates.test(sqlState(error) ?? '') ||
    /connection terminated|timeout exceeded when trying to connect/i.test(message ?? '')
  )
}
