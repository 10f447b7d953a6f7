/** Repairs migrations that were interrupted by a version that did not record them in the same transaction. */
import type pg from 'pg'
import { MigrationError, readMigration, readMigrationState } from './migration-state.ts'
import { inMigrationTurn, recordApplied } from './migration-turn.ts'

/** The error codes of PostgreSQL for creating what exists: table, column, object, schema, function. */
const existsCodes = new Set(['42P07', '42701', '42710', '42P06', '42723'])

/**
 * Finds out whether the interrupted migration was applied, and applies it if not. Its statements were one transaction,
 * so if what they create exists, all of it was applied.
 * @throws MigrationError
 */
export const resolveMigration = async (
  pool: pg.Pool,
  name: string,
  folder?: string,
): Promise<'was applied' | 'is applied now'> => {
  const { broken } = await readMigrationState(pool, folder)
  if (!broken.includes(name)) throw new MigrationError(`Migration ${name} is not broken.`)
  const migration = readMigration(name, folder)
  const outcome = await inMigrationTurn(pool, async (client) => {
    await client.query('SAVEPOINT before')
    const outcome = await client.query(migration.sql).then(
      () => 'is applied now' as const,
      (error) => {
        if (existsCodes.has(error.code)) return 'was applied' as const
        throw new MigrationError(`Migration ${name} failed: ${error.message}`, { cause: error })
      },
    )
    if (outcome === 'was applied') await client.query('ROLLBACK TO before')
    await client.query({
      text: 'DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL',
      values: [name],
    })
    await recordApplied(client, migration, new Date())
    return outcome
  })
  if (!outcome)
    throw new MigrationError(
      'Another process is migrating this database. Wait until it has finished.',
    )
  return outcome
}
