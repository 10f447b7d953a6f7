/** Checks of what a server needs of its database. They change nothing. */
import pg from 'pg'
import { readPepper } from '../kit/access/pepper.ts'
import type { Config } from '../kit/config/config.ts'
import type { Database } from '../kit/database/db.ts'
import { jobsSchema } from '../kit/database/jobs-schema.ts'
import { readMigrationState, refuseUnusable } from '../kit/database/migration-state.ts'
import { monthsAhead, readMonthlyTables } from '../kit/database/months.ts'
import { findSessionState } from '../kit/database/pooler.ts'
import { identity } from '../kit/database/standby.ts'
import { findChangedTriggers } from '../kit/database/triggers.ts'

/** `!` marks a note for the operator, not a fault. */
export type Finding = { mark: '✓' | '!' | '✗'; text: string }

/** Returns several findings only if several things are wrong. */
type Check = (database: Database, config: Config) => Promise<Finding[]>

export const good = (text: string): Finding => ({ mark: '✓', text })
export const notable = (text: string): Finding => ({ mark: '!', text })
export const bad = (text: string): Finding => ({ mark: '✗', text })

const oldestMajor = 15
/** The largest clock difference allowed: tokens, draws and expiries depend on the clocks of the nodes. */
const largestDifferenceMs = 1_000

const firstRow = async <T>({ direct }: Database, text: string, values: unknown[] = []) =>
  (await direct.query({ text, values })).rows[0] as T

const checkVersion: Check = async (database) => {
  const { version, major } = await firstRow<{ version: string; major: number }>(
    database,
    `SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int / 10000 AS major`,
  )
  return [
    major < oldestMajor
      ? bad(`PostgreSQL ${version} is too old: version ${oldestMajor} or later is needed`)
      : good(`PostgreSQL ${version}${database.embedded ? ', embedded' : ''}`),
  ]
}

const checkPooler: Check = async ({ pool, embedded, keepsLimits }) => {
  if (embedded) return []
  const kept = await findSessionState(pool)
  const found = {
    session: good('Connections keep their sessions: no pooler, or one in session mode'),
    names: good('A pooler in transaction mode, which keeps prepared statements'),
    nothing: notable(
      'The pooler keeps no prepared statements: max_prepared_statements = 200 saves CPU',
    ),
  }
  const unlimited = notable(
    "The pooler takes no time limits: set them by ALTER ROLE … SET statement_timeout = '30s'",
  )
  return [found[kept], ...(keepsLimits ? [] : [unlimited])]
}

const checkClock: Check = async (database) => {
  const sentAt = Date.now()
  const { now } = await firstRow<{ now: number }>(
    database,
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  )
  const answeredAt = Date.now()
  // The database may have read its clock at any time in between.
  const ms = Math.round(Math.max(0, sentAt - now, now - answeredAt))
  return [
    ms > largestDifferenceMs
      ? bad(`The clock of the database differs by ${ms} ms: set both machines by NTP`)
      : good(`The clock of the database differs by ${ms} ms`),
  ]
}

const checkMigrations: Check = async ({ direct }, { migrate }) => {
  const state = await readMigrationState(direct)
  refuseUnusable(state)
  const { applied, pending, newer } = state
  const changed = pending.length + newer.length > 0 ? [] : await findChangedTriggers(direct)
  const missing = pending.length + changed.length
  const count = `${pending.length} migrations and ${changed.length} functions and triggers`
  if (applied.length === 0 && migrate)
    return [notable('The database is empty: the first start or command makes its tables')]
  if (missing === 0) return [good(`${applied.length} migrations are applied, and none is missing`)]
  return [
    migrate
      ? notable(`${count} are missing: the next start or command applies them`)
      : bad(`${count} are missing, and MIGRATE=off: tessera migrate`),
  ]
}

const privileges = `WITH spaces AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname IN (current_schema(), $1)
  ), lacking AS (
    SELECT concat('USAGE on schema ', nspname) AS what FROM spaces
    WHERE NOT has_schema_privilege(oid, 'USAGE')
    UNION ALL
    SELECT concat(p, ' on ', nspname, '.', relname)
    FROM pg_class c JOIN spaces s ON s.oid = c.relnamespace
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
    WHERE c.relkind IN ('r', 'p') AND NOT has_table_privilege(c.oid, p)
  )
  SELECT count(what)::int AS missing, max(what) AS example, current_user AS "user",
    string_agg(DISTINCT nspname, ', ') AS schemas
  FROM spaces LEFT JOIN lacking ON true`

const creating = `SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
    AND NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p') AND NOT pg_has_role(relowner, 'USAGE')) AS "mayMigrate",
  CASE WHEN EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = 'version') THEN true
    WHEN to_regnamespace($1) IS NOT NULL THEN has_schema_privilege($1, 'CREATE')
    ELSE has_database_privilege(current_database(), 'CREATE') END AS "mayQueue",
  NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool AS "isWritable"`

type Lacking = { missing: number; example: string; user: string; schemas: string }

/** Whether the user of the database can do what a start and the service do. */
const checkRights: Check = async (database, { migrate }) => {
  type May = Record<'mayMigrate' | 'mayQueue' | 'isWritable', boolean>
  const may = await firstRow<May>(database, creating, [jobsSchema])
  const lacking = await firstRow<Lacking>(database, privileges, [jobsSchema])
  const { missing, example, user, schemas } = lacking
  const grants = `GRANT USAGE ON SCHEMA ${schemas} TO "${user}"; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schemas} TO "${user}"`
  const faults = [
    ...(may.isWritable
      ? []
      : [bad('The database accepts no writes: it is a standby or read-only')]),
    ...(missing > 0
      ? [bad(`The user ${user} lacks ${example}, and ${missing - 1} more: ${grants}`)]
      : []),
    ...(migrate && !may.mayMigrate
      ? [
          bad(
            `The user ${user} may not migrate: let it own the tables, or set MIGRATE=off and run tessera migrate as the owner`,
          ),
        ]
      : []),
    ...(may.mayQueue
      ? []
      : [
          bad(
            `The user ${user} may not create the job tables: as an administrator run CREATE SCHEMA IF NOT EXISTS ${jobsSchema}; GRANT ALL ON SCHEMA ${jobsSchema} TO "${user}"`,
          ),
        ]),
  ]
  return faults.length > 0 ? faults : [good(`The user ${user} may do all that the service does`)]
}

const checkMonths: Check = async ({ direct }, { migrate }) => {
  const tables = await readMonthlyTables(direct)
  if (tables.length === 0) return []
  const ahead = monthsAhead(tables, new Date())
  if (ahead > 0) return [good(`Partitions are made for ${ahead} months ahead`)]
  return [
    notable(
      migrate
        ? 'The partitions of the next month are missing: the next start or command makes them'
        : 'The partitions of the next month are missing: run tessera migrate as the owner of the tables',
    ),
  ]
}

const checkMasterKey: Check = async ({ db, direct }, { masterKeys }) => {
  const { pending } = await readMigrationState(direct)
  if (pending.length > 0) return [] // there may be no table to read yet
  const { pepper, isNoted } = await readPepper(db, masterKeys)
  const [{ version }] = masterKeys
  if (!pepper)
    return [notable('No values are sealed yet: the first start binds the database to MASTER_KEY')]
  return [
    isNoted
      ? good(`The master key (version ${version}) opens the database`)
      : notable(`Version ${version} of the master key is new: the next start begins to use it`),
  ]
}

const checkStandby: Check = async (database, { databaseReadUrl, databaseLimits }) => {
  if (!databaseReadUrl) return []
  const client = new pg.Client({
    connectionString: databaseReadUrl,
    connectionTimeoutMillis: databaseLimits.connectMs,
  }).on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ id: string; isStandby: boolean }>(
      `SELECT ${identity}, pg_is_in_recovery() AS "isStandby"`,
    )
    const { id } = await firstRow<{ id: string }>(database, `SELECT ${identity}`)
    if (rows[0]?.id !== id)
      return [bad('DATABASE_READ_URL leads to another database than DATABASE_URL')]
    return [
      rows[0]?.isStandby
        ? good('DATABASE_READ_URL leads to a standby of the database')
        : bad('DATABASE_READ_URL leads to no standby: remove it, or name one'),
    ]
  } catch (error) {
    // A server starts without it, and reads from the primary.
    return [
      notable(`The standby of DATABASE_READ_URL does not answer (${(error as Error).message})`),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

export const databaseChecks: Check[] = [
  checkVersion,
  checkPooler,
  checkClock,
  checkRights,
  checkMigrations,
  checkMonths,
  checkMasterKey,
  checkStandby,
]
