/** The tables of the job queue, in a schema of their own. */
import type pg from 'pg'
import { EmbeddedPool } from './embedded-db.ts'
import { MigrationError } from './migration-state.ts'
import { codeOf } from './outage.ts'

export const jobsSchema = 'jobs'

const find = async (pool: pg.Pool) => {
  const { rows } = await pool.query({
    text: `SELECT to_regclass($1) IS NOT NULL AS made, to_regnamespace($2) IS NOT NULL AS "hasSchema",
      current_user AS "user"`,
    values: [`${jobsSchema}.version`, jobsSchema],
  })
  return rows[0] as { made: boolean; hasSchema: boolean; user: string }
}

/** The statements open a transaction. If they fail, it must not stay open on the connection. */
const create = async (pool: pg.Pool, statements: string) => {
  const client = await pool.connect()
  try {
    await client.query(statements)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/**
 * Creates the tables of the job queue if there are none. An existing schema is used, so an administrator can create it
 * for a user without the privilege.
 * @throws MigrationError when the user of the database lacks the privilege
 */
export const makeJobsSchema = async (pool: pg.Pool): Promise<void> => {
  const { made, hasSchema, user } = await find(pool)
  if (made) return
  const { getConstructionPlans } = await import('pg-boss')
  const backend = pool instanceof EmbeddedPool ? 'pglite' : 'postgres'
  try {
    await create(pool, getConstructionPlans(jobsSchema, { createSchema: !hasSchema, backend }))
  } catch (error) {
    if ((await find(pool)).made) return // another node has created them
    if (codeOf(error) !== '42501') throw error
    const missing = new MigrationError(
      `The database user ${user} may not create the job tables; as an administrator of the database run: CREATE SCHEMA IF NOT EXISTS ${jobsSchema}; GRANT ALL ON SCHEMA ${jobsSchema} TO "${user}"`,
      { cause: error },
    )
    throw Object.assign(missing, { code: '42501' })
  }
}
