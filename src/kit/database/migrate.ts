/**
 * Applies migrations. The statements of a migration and the record that it was applied are one transaction, so an
 * interrupted migration has no effect. The records are those of Prisma (`_prisma_migrations`).
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { delayAfter, doubling } from '../backoff.ts'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import type { Logger } from '../observability/log.ts'
import {
  cancellable,
  inMigrationTurn,
  type Migration,
  MigrationError,
  type MigrationState,
  readMigration,
  readMigrationState,
  recordApplied,
  refuseUnusable,
  sessionLimits,
} from './migration-state.ts'
import { makeMonths } from './months.ts'
import { codeOf, isUnavailable } from './outage.ts'
import { applyTriggers, findChangedTriggers } from './triggers.ts'

type MigrateOptions = {
  log?: Pick<Logger, 'info' | 'warn'>
  /** The last migration to apply. Defaults to all. */
  to?: string
  /** Cancels the running statement in the database. */
  signal?: AbortSignal
  /** A folder of migrations to use instead of those of this version. It has no triggers. */
  folder?: string
}

/** How often a node checks whether another one has finished its migration. */
const turnMs = 200
/** Delays between attempts to get a lock. */
const lockDelays = doubling(1_000, 5_000)

const recordsTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** A migration that begins with this line runs its statements one by one, because some cannot run in a transaction. */
const outsideMark = '-- Outside a transaction'

/** The same migration for a database without other connections that could be blocked. */
export const inOneScript = (sql: string): string => sql.replaceAll(/\bCONCURRENTLY\b/gi, '')

/** Runs the statements one by one on a separate connection, while another connection holds the lock. */
const runOutside = async (pool: pg.Pool, sql: string, signal: AbortSignal | undefined) => {
  const client = await pool.connect()
  try {
    await client.query(sessionLimits('SESSION'))
    await cancellable(pool, client, signal, async () => {
      for (const statement of sql.split(/;[ \t]*$/m))
        if (statement.trim()) await client.query(statement)
    })
  } finally {
    client.release(true)
  }
}

/** Applies one migration. False if another node is migrating. */
const applyOne = async (
  pool: pg.Pool,
  migration: Migration,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const startedAt = new Date()
  const isDone = await inMigrationTurn(pool, async (client) => {
    await client.query(recordsTable)
    const done = `SELECT FROM _prisma_migrations
      WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`
    const isDone = (await client.query({ text: done, values: [migration.name] })).rows.length > 0
    if (isDone) return false
    if (!migration.sql.startsWith(outsideMark))
      await cancellable(pool, client, signal, () => client.query(migration.sql))
    else if (pool instanceof EmbeddedPool) await client.query(inOneScript(migration.sql))
    else {
      // Ends the snapshot of the previous query, for which CREATE INDEX CONCURRENTLY would wait.
      await client.query('SELECT')
      await runOutside(pool, migration.sql, signal)
    }
    await recordApplied(client, migration, startedAt)
    return true
  })
  return isDone ?? false
}

/** A table in use and a missing privilege count as outages elsewhere. A migration handles them itself. */
const handledHere = new Set(['55P03', '42501'])

/**
 * Retries a step while a table that it changes is in use. Each attempt waits only briefly for the lock, so that
 * requests are never blocked for long.
 * @param what the name of the step in messages
 */
const retryWhileInUse = async <T>(
  what: string,
  { log, signal }: MigrateOptions,
  step: () => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      signal?.throwIfAborted()
      return await step()
    } catch (error) {
      signal?.throwIfAborted()
      const code = codeOf(error) ?? ''
      if (isUnavailable(error) && !handledHere.has(code)) throw error
      if (code !== '55P03')
        throw new MigrationError(
          `${what} failed and was rolled back: ${(error as Error).message}`,
          { cause: error },
        )
      log?.warn({ step: what, tries }, 'waiting for a table that is in use')
      await sleep(delayAfter(lockDelays, tries), undefined, { ...(signal && { signal }) })
    }
  }
}

/** The triggers to replace: none if a newer version has migrated the database. */
const changedTriggers = async (pool: pg.Pool, { newer }: MigrationState) =>
  newer.length > 0 ? [] : await findChangedTriggers(pool)

/**
 * Applies pending migrations, then changed functions and triggers, and creates the partitions of months ahead. Returns
 * the names of the applied migrations, functions and triggers. If several nodes start together, one migrates and the
 * others wait.
 * @throws MigrationError
 * @throws the reason of the signal
 */
export const migrate = async (pool: pg.Pool, options: MigrateOptions = {}): Promise<string[]> => {
  const { log, to, signal, folder } = options
  const applied: string[] = []
  const pause = () => sleep(turnMs, undefined, { ...(signal && { signal }) })
  for (;;) {
    signal?.throwIfAborted()
    const state = await readMigrationState(pool, folder)
    refuseUnusable(state, folder)
    const [next] = state.pending
    if (next !== undefined && to !== undefined && next > to) return applied
    if (next !== undefined) {
      const apply = () => applyOne(pool, readMigration(next, folder), signal)
      if (await retryWhileInUse(`Migration ${next}`, options, apply)) {
        applied.push(next)
        log?.info({ step: next }, 'applied a migration')
      } else await pause()
      continue
    }
    if (folder !== undefined) return applied
    if ((await changedTriggers(pool, state)).length === 0) {
      await makeMonths(pool, new Date(), { log, signal })
      return applied
    }
    const names = await retryWhileInUse('Applying triggers', options, () =>
      applyTriggers(pool, signal),
    )
    if (names?.length) {
      applied.push(...names)
      log?.info({ step: `${names.length} functions and triggers` }, 'applied triggers')
    } else await pause()
  }
}

/**
 * Waits until the database is up to date.
 * @throws MigrationError
 * @throws the reason of the signal
 */
export const untilMigrated = async (
  pool: pg.Pool,
  { log, signal }: Pick<MigrateOptions, 'log' | 'signal'>,
): Promise<void> => {
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted()
    const state = await readMigrationState(pool)
    refuseUnusable(state)
    const missing = state.pending.length || (await changedTriggers(pool, state)).length
    if (missing === 0) return
    if (isFirst) log?.warn({ missing }, 'waiting for npm run migrate, because MIGRATE=off')
    await sleep(1_000, undefined, { ...(signal && { signal }) })
  }
}
