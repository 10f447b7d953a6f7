/** Mends migrations that a version which did not apply each as a whole had begun and not ended. */
import type pg from 'pg'
import { MigrationError, readMigration, readMigrationState } from './migration-state.ts'
import { inTurn, noteApplied } from './migration-turn.ts'

/** The answers of PostgreSQL to making what is there: table, column, object, schema, function. */
const isThere = new Set(['42P07', '42701', '42710', '42P06', '42723'])

/**
 * Its statements were one transaction, which happened or did not: where they find that what they make is there,
 * it did.
 * @returns which of the two it was
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
  const outcome = await inTurn(pool, async (client) => {
    await client.query('SAVEPOINT before')
    const outcome = await client.query(migration.sql).then(
      () => 'is applied now' as const,
      (error) => {
        if (isThere.has(error.code)) return 'was applied' as const
        throw new MigrationError(`Migration ${name} failed: ${error.message}`, { cause: error })
      },
    )
    if (outcome === 'was applied') await client.query('ROLLBACK TO before')
    await client.query({
      text: 'DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL',
      values: [name],
    })
    await noteApplied(client, migration, new Date())
    return outcome
  })
  if (!outcome) throw new MigrationError('Somebody migrates this database now; wait for that.')
  return outcome
}
