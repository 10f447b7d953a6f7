/** The state of each migration in a database, and the turn of the one node that may change it. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import { isUnavailable } from './outage.ts'

/** A problem that an operator can solve. The message is one sentence, with a command if there is one. */
export class MigrationError extends Error {}

export type Migration = { name: string; sql: string }

const ownFolder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

/** The names of the migrations of this version, in order. */
export const migrationNames = (folder = ownFolder): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

/** @param name of a migration of this version */
export const readMigration = (name: string, folder = ownFolder): Migration => ({
  name,
  sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8'),
})

export type MigrationState = {
  applied: { name: string; finishedAt: Date }[]
  /** Not applied yet, in order. */
  pending: string[]
  /** Applied by a newer version and unknown to this one. */
  newer: string[]
  /** The migration that a version must know to work with this database. */
  compatibleFrom: string | null
}

const exists = async (pool: pg.Pool, table: string) => {
  const { rows } = await pool.query({ text: `SELECT to_regclass($1) AS oid`, values: [table] })
  return rows[0].oid !== null
}

export const readMigrationState = async (
  pool: pg.Pool,
  folder?: string,
): Promise<MigrationState> => {
  const names = migrationNames(folder)
  if (!(await exists(pool, '_prisma_migrations')))
    return { applied: [], pending: names, newer: [], compatibleFrom: null }
  const { rows: applied } = await pool.query<MigrationState['applied'][0]>({
    text: `SELECT migration_name AS name, finished_at AS "finishedAt" FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  })
  const done = new Set(applied.map(({ name }) => name))
  const compatibleFrom = (await exists(pool, 'schema_compatibility'))
    ? (await pool.query({ text: 'SELECT compatible_from AS "from" FROM schema_compatibility' }))
        .rows[0]?.from
    : null
  return {
    applied,
    pending: names.filter((name) => !done.has(name)),
    newer: applied.map(({ name }) => name).filter((name) => !names.includes(name)),
    compatibleFrom: compatibleFrom ?? null,
  }
}

/** @throws MigrationError when this version must not touch or serve the database */
export const refuseUnusable = (
  { applied, pending, newer, compatibleFrom }: MigrationState,
  folder?: string,
): void => {
  const names = migrationNames(folder)
  if (folder === undefined && applied.length > 0 && pending[0] === names[0])
    throw new MigrationError(
      'The database was made by a version from before the first release, and this one cannot upgrade it: start on an empty database or with an empty DATA_DIR.',
    )
  const last = names.at(-1) ?? ''
  if (newer.length > 0 && compatibleFrom !== null && compatibleFrom > last)
    throw new MigrationError(
      `The database is newer than this version supports: it requires a version with the migration ${compatibleFrom}, and this one ends at ${last}.`,
    )
}

/** Names of migrations of this version that the database lacks. */
export const pendingMigrations = async (pool: pg.Pool): Promise<string[]> =>
  (await readMigrationState(pool)).pending

/** An arbitrary number that no other program on the same database uses. */
const lockId = 8_351_771_002
/** A waiting table change blocks all later users of the table, so it must not wait longer than this. */
const lockTimeoutMs = 2_000

/** Settings of the connection that migrates. The server cancels a statement by itself if its client is gone. */
export const sessionLimits = (
  scope: 'LOCAL' | 'SESSION',
) => `SET ${scope} lock_timeout = ${lockTimeoutMs};
  SET ${scope} statement_timeout = 0; SET ${scope} idle_in_transaction_session_timeout = 0;
  SET ${scope} client_connection_check_interval = 1000`

/** Runs a transaction while no other node migrates this database. Undefined if another node does. */
export const inMigrationTurn = async <T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T | undefined> => {
  const client = await pool.connect()
  let isLost = false
  try {
    await client.query('BEGIN')
    const turn = 'SELECT pg_try_advisory_xact_lock($1) AS mine'
    const isMine = (await client.query({ text: turn, values: [lockId] })).rows[0].mine
    if (isMine && !(pool instanceof EmbeddedPool)) await client.query(sessionLimits('LOCAL'))
    const result = isMine ? await run(client) : undefined
    await client.query('COMMIT')
    return result
  } catch (error) {
    isLost = isUnavailable(error)
    if (!isLost) await client.query('ROLLBACK').catch(() => (isLost = true))
    throw error
  } finally {
    client.release(isLost)
  }
}

/** Runs statements on a connection. When the signal is aborted, the database cancels the current one. */
export const cancellable = async <T>(
  pool: pg.Pool,
  client: pg.PoolClient,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> => {
  if (!signal || pool instanceof EmbeddedPool) return run()
  const [{ pid }] = (await client.query({ text: 'SELECT pg_backend_pid() AS pid' })).rows
  const cancel = () =>
    void pool.query({ text: 'SELECT pg_cancel_backend($1)', values: [pid] }).catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Records that a migration is applied, as Prisma does. */
export const recordApplied = async (
  client: pg.ClientBase,
  { name, sql }: Migration,
  startedAt: Date,
) => {
  const checksum = createHash('sha256').update(sql).digest('hex')
  await client.query({
    text: `INSERT INTO _prisma_migrations
        (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      VALUES (gen_random_uuid(), $1, $2, $3, clock_timestamp(), 1)`,
    values: [checksum, name, startedAt.toISOString()],
  })
}
