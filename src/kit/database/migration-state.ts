/** The state of each migration in a database. Reading it takes no lock and changes nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

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
  /** Interrupted, by a version that did not record them in the same transaction. */
  broken: string[]
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
    return { applied: [], pending: names, newer: [], broken: [], compatibleFrom: null }
  const { rows } = await pool.query<{ name: string; finishedAt: Date | null }>({
    text: `SELECT migration_name AS name, finished_at AS "finishedAt" FROM _prisma_migrations
      WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  })
  const applied = rows.filter((row): row is MigrationState['applied'][0] => row.finishedAt !== null)
  const done = new Set(applied.map(({ name }) => name))
  const begun = rows.filter(({ name }) => !done.has(name)).map(({ name }) => name)
  const compatibleFrom = (await exists(pool, 'schema_compatibility'))
    ? (await pool.query({ text: 'SELECT compatible_from AS "from" FROM schema_compatibility' }))
        .rows[0]?.from
    : null
  return {
    applied,
    pending: names.filter((name) => !done.has(name)),
    newer: applied.map(({ name }) => name).filter((name) => !names.includes(name)),
    broken: [...new Set(begun)],
    compatibleFrom: compatibleFrom ?? null,
  }
}

/** @throws MigrationError when this version must not touch or serve the database */
export const refuseUnusable = (
  { applied, pending, newer, broken, compatibleFrom }: MigrationState,
  folder?: string,
): void => {
  const names = migrationNames(folder)
  if (folder === undefined && applied.length > 0 && pending[0] === names[0])
    throw new MigrationError(
      'The database was made by a version from before the first release, and this one cannot upgrade it: start on an empty database or with an empty DATA_DIR.',
    )
  const [name] = broken
  if (name)
    throw new MigrationError(
      `Migration ${name} was interrupted by an earlier version; run: npm run migrate -- --resolve ${name}`,
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
