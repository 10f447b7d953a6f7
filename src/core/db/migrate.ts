/**
 * Applies migrations, each as a whole: its statements and the note that it was applied are one transaction, so that
 * whoever is killed half-way has applied nothing. The notes are those of Prisma (`_prisma_migrations`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { EmbeddedPool } from './embedded-db.ts'
import {
  type Migration,
  MigrationError,
  readMigration,
  readMigrationState,
  refuseUnusable,
} from './migration-state.ts'
import { cancellable, inTurn, limits, noteApplied } from './migration-turn.ts'
import { codeOf, isUnavailable } from './outage.ts'

export type MigrateOptions = {
  log?: Pick<Logger, 'info' | 'warn'>
  /** The last migration to apply; all when left out. */
  to?: string
  /** Cancels the statement under way in the database. */
  signal?: AbortSignal
  /** Where the migrations are, when not those of this version. */
  folder?: string
}

/** How often a node looks whether another has ended its migration. */
const turnMs = 200
/** Pauses between tries for a lock grow up to this. */
const longestPauseMs = 5_000

const notes = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** A migration that begins so is run statement by statement, for what PostgreSQL does in no transaction. */
const outsideMark = '-- Outside a transaction'

/** Statement by statement on a connection of its own, while the turn is held by another. */
const runOutside = async (pool: pg.Pool, sql: string, signal: AbortSignal | undefined) => {
  const client = await pool.connect()
  try {
    await client.query(limits('SESSION'))
    await cancellable(pool, client, signal, async () => {
      for (const statement of sql.split(/;[ \t]*$/m))
        if (statement.trim()) await client.query(statement)
    })
  } finally {
    client.release(true)
  }
}

/** Does one migration; false when another node has the turn. */
const applyOne = async (
  pool: pg.Pool,
  migration: Migration,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const startedAt = new Date()
  const isDone = await inTurn(pool, async (client) => {
    await client.query(notes)
    const done = `SELECT FROM _prisma_migrations
      WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`
    const isDone = (await client.query({ text: done, values: [migration.name] })).rows.length > 0
    if (isDone) return false
    if (!migration.sql.startsWith(outsideMark))
      await cancellable(pool, client, signal, () => client.query(migration.sql))
    else if (pool instanceof EmbeddedPool)
      // Nobody else is there to be kept waiting.
      await client.query(migration.sql.replaceAll(/\bCONCURRENTLY\b/gi, ''))
    else {
      // Ends the snapshot of the query before, which a concurrent index would wait for.
      await client.query('SELECT')
      await runOutside(pool, migration.sql, signal)
    }
    await noteApplied(client, migration, startedAt)
    return true
  })
  return isDone ?? false
}

/** A table that is in use, and a missing right: of them a migration has more to say. */
const itsOwnFault = new Set(['55P03', '42501'])

/**
 * Brings the database up to date and gives the names of what was applied. Nodes that start together
 * migrate once: one works, the others wait for it. A table that is in use is waited for again and again,
 * for a short time each, so that those who serve are never held up for long.
 * @throws MigrationError
 * @throws the reason of the signal
 */
export const migrate = async (pool: pg.Pool, options: MigrateOptions = {}): Promise<string[]> => {
  const { log, to, signal, folder } = options
  const applied: string[] = []
  for (let tries = 0; ; ) {
    signal?.throwIfAborted()
    const state = await readMigrationState(pool, folder)
    refuseUnusable(state, folder)
    const [next] = state.pending
    if (next === undefined || (to !== undefined && next > to)) return applied
    try {
      if (await applyOne(pool, readMigration(next, folder), signal)) {
        applied.push(next)
        tries = 0
        log?.info({ migration: next }, 'applied a migration')
      } else await sleep(turnMs, undefined, { ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      const code = codeOf(error) ?? ''
      if (isUnavailable(error) && !itsOwnFault.has(code)) throw error
      if (code !== '55P03')
        throw new MigrationError(
          `Migration ${next} failed, and nothing of it was applied: ${(error as Error).message}`,
          { cause: error },
        )
      tries++
      log?.warn(
        { migration: next, tries },
        'somebody uses a table that a migration changes; trying again',
      )
      const pause = Math.min(tries * 1_000, longestPauseMs)
      await sleep(pause, undefined, { ...(signal && { signal }) })
    }
  }
}

/**
 * Waits until somebody else has brought the database up to date.
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
    const { length } = state.pending
    if (length === 0) return
    if (isFirst) log?.warn({ missing: length }, 'waits for npm run migrate, since MIGRATE=off')
    await sleep(1_000, undefined, { ...(signal && { signal }) })
  }
}
