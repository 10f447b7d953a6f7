/** Checks that a database is empty, so that no data is overwritten. */
import type pg from 'pg'
import { readMigrationState } from '../kit/database/migration-state.ts'
import { CommandError } from './command.ts'

/** @throws CommandError when the database has been served, or belongs to another program */
export const refuseUsed = async (target: pg.ClientBase): Promise<void> => {
  const text = `SELECT EXISTS (SELECT FROM master_key_version) OR EXISTS (SELECT FROM partner)
    OR EXISTS (SELECT FROM member) AS used`
  if ((await target.query({ text })).rows[0].used)
    throw new CommandError(
      'The target is in use or has data: a server or a command has started on it. Nothing was moved; name an empty database.',
    )
}

/** @throws CommandError when the database has tables of another program */
export const refuseForeign = async (pool: pg.Pool): Promise<void> => {
  if ((await readMigrationState(pool)).applied.length > 0) return
  const text = `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p')
    AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' LIMIT 1`
  const [table] = (await pool.query({ text })).rows
  if (table)
    throw new CommandError(
      `The target is not empty: it has a table ${table.name}. Nothing was moved.`,
    )
}
