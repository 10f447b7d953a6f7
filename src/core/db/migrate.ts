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
  type MigrationState,
  readMigration,
  readMigrationState,
  refuseUnusable,
} from './migration-state.ts'
import { cancellable, inTurn, limits, noteApplied } from './migration-turn.ts'
import { codeOf, isUnavailable } from './outage.ts'
import { applyTriggers, findChangedTriggers } from './triggers.ts'

export type MigrateOptions = {
  log?: Pick<Logger, 'info' | 'warn'>
  /** The last migration to apply; all when left out. */
  to?: string
  /** Cancels the statement under way in the database. */
  signal?: AbortSignal
  /** Where the migrations are, when not those of this version. Such a folder has no triggers. */
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
 * Tries until no table that a step changes is in use: it waits for a short time each, so that those who serve are
 * never held up for long.
 * @param what the step is called in messages
 */
const withPatience = async <T>(
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
      if (isUnavailable(error) && !itsOwnFault.has(code)) throw error
      if (code !== '55P03')
        throw new MigrationError(
          `${what} failed, and nothing of it was applied: ${(error as Error).message}`,
          { cause: error },
        )
      log?.warn({ step: what, tries }, 'waits for a table that is in use')
      const pause = Math.min(tries * 1_000, longestPauseMs)
      await sleep(pause, undefined, { ...(signal && { signal }) })
    }
  }
}

/** What is to be made anew: nothing where a newer version has migrated, whose triggers stay. */
const changedTriggers = async (pool: pg.Pool, { newer }: MigrationState) =>
  newer.length > 0 ? [] : await findChangedTriggers(pool)

/**
 * Brings the database up to date and gives the names of what was applied: migrations, and functions and triggers once
 * no migration is missing. Nodes that start together migrate once: one works, the others wait for it.
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
      if (await withPatience(`Migration ${next}`, options, apply)) {
        applied.push(next)
        log?.info({ step: next }, 'applied a migration')
      } else await pause()
      continue
    }
    if (folder !== undefined || (await changedTriggers(pool, state)).length === 0) return applied
    const names = await withPatience('Applying triggers', options, () =>
      applyTriggers(pool, signal),
    )
    if (names?.length) {
      applied.push(...names)
      log?.info({ step: `${names.length} functions and triggers` }, 'applied triggers')
    } else await pause()
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
    const missing = state.pending.length || (await changedTriggers(pool, state)).length
    if (missing === 0) return
    if (isFirst) log?.warn({ missing }, 'waits for npm run migrate, since MIGRATE=off')
    await sleep(1_000, undefined, { ...(signal && { signal }) })
  }
}
