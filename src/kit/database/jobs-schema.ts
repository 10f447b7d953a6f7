/** The tables of the job queue, in a schema of their own. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import type { Logger } from '../observability/log.ts'
import { MigrationError } from './migration-state.ts'
import { codeOf } from './outage.ts'

export const jobsSchema = 'jobs'

type Found = {
  user: string
  database: string
  hasSchema: boolean
  made: boolean
  /** Whether the user may read and write all tables. */
  mayUse: boolean
}

/** The catalog answers this for every user, whatever they may do with the schema. */
const findSql = `WITH spaces AS (SELECT oid FROM pg_namespace WHERE nspname = $1),
  tables AS (SELECT c.oid, relname FROM pg_class c JOIN spaces s ON relnamespace = s.oid
    WHERE relkind IN ('r', 'p'))
  SELECT quote_ident(current_user) AS "user", quote_ident(current_database()) AS database,
    EXISTS (SELECT FROM spaces) AS "hasSchema",
    EXISTS (SELECT FROM tables WHERE relname = 'version') AS made,
    EXISTS (SELECT FROM spaces WHERE has_schema_privilege(oid, 'USAGE')) AND NOT EXISTS (
      SELECT FROM tables CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
      WHERE NOT has_table_privilege(oid, p)) AS "mayUse"`

const find = async (pool: pg.Pool): Promise<Found> =>
  (await pool.query<Found>({ text: findSql, values: [jobsSchema] })).rows[0] as Found

const notPermitted = '42501'

/** Says what an administrator can do for a user of the database. */
const missingRight = ({ user, database, hasSchema, made }: Found, cause?: unknown) => {
  const grants = made
    ? `GRANT USAGE ON SCHEMA ${jobsSchema} TO ${user}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${jobsSchema} TO ${user}`
    : hasSchema
      ? `GRANT ALL ON SCHEMA ${jobsSchema} TO ${user}`
      : `GRANT CREATE ON DATABASE ${database} TO ${user}`
  const missing = new MigrationError(
    `No job would run: the database user ${user} may not make or use the schema "${jobsSchema}". Run as an administrator of the database: ${grants}`,
    { cause },
  )
  return Object.assign(missing, { code: notPermitted })
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
 * @throws MigrationError when the user of the database may not create them, or not use those that exist
 */
export const makeJobsSchema = async (pool: pg.Pool): Promise<void> => {
  const found = await find(pool)
  if (found.made && found.mayUse) return
  if (found.made) throw missingRight(found)
  const { getConstructionPlans } = await import('pg-boss')
  const backend = pool instanceof EmbeddedPool ? 'pglite' : 'postgres'
  const options = { createSchema: !found.hasSchema, backend } as const
  try {
    await create(pool, getConstructionPlans(jobsSchema, options))
  } catch (error) {
    const now = await find(pool)
    if (now.made && now.mayUse) return // another node has created them
    if (now.made || codeOf(error) === notPermitted) throw missingRight(now, error)
    throw error
  }
}

/**
 * Waits until the tables of the job queue can be used, for a node that waits for its migrations as well.
 * @throws the reason of the signal
 */
export const untilJobsSchema = async (
  pool: pg.Pool,
  { log, signal }: { log: Pick<Logger, 'warn'>; signal?: AbortSignal },
): Promise<void> => {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await makeJobsSchema(pool)
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error
      if (isFirst) log.warn(`Waiting, because MIGRATE=off. ${error.message}`)
    }
    await sleep(1_000, undefined, { ...(signal && { signal }) })
  }
}
