/**
 * One server and one database for the worlds of a worker, one after another, because starting and stopping both costs
 * more than the tests of most files. Between two worlds, all rows, caches and metrics are reset. A world that has
 * changed more than that ends the server, and the next world starts another.
 */
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { type Clock, systemClock } from '../src/kit/clock.ts'
import type { Config } from '../src/kit/config/config.ts'
import { cryptoRandom, type Random } from '../src/kit/random.ts'
import type { Server } from '../src/server.ts'
import type { TestDatabase } from './world.ts'

export type StartedServer = { server: Server; database: TestDatabase }

/**
 * Settings that a world may change for the time that it has a shared server: the server reads them whenever it uses
 * them. Players of agents, and clients that fetch published keys, read theirs when they are created, which is after the
 * world was. Jobs would have read theirs at the start, but a shared server runs none.
 */
const changeableSettings = ['arena', 'mail', 'webhookAllowPrivate'] as const
type Settings = Partial<Pick<Config, (typeof changeableSettings)[number]>>

/** Whether a world with these settings can have a shared server. */
export const isChangeable = (config: Partial<Config>): config is Settings =>
  Object.keys(config).every((key) => changeableSettings.some((setting) => setting === key))

/** What a world may choose for the time that it has a shared server. */
export type Choices = {
  clock?: Clock | undefined
  random?: Random | undefined
  config?: Settings | undefined
}
type Sources = { clock: Clock; random: Random }

/** Stops a server and drops its database. */
export const endServer = async ({ server, database }: StartedServer): Promise<void> => {
  await server.stop()
  await database.drop()
}

/** A checksum of the tables, columns, constraints, triggers, functions and settings of a database. */
const shapeSql = `SELECT md5(string_agg(part, ',' ORDER BY part)) AS shape FROM (
  SELECT concat('class', oid, relname, relkind) FROM pg_class WHERE oid >= 16384 AND relkind <> 't'
  UNION ALL SELECT concat('column', attrelid, attname, atttypid, attnotnull) FROM pg_attribute
    WHERE attrelid >= 16384 AND attnum > 0
  UNION ALL SELECT concat('constraint', oid, conname, convalidated) FROM pg_constraint WHERE oid >= 16384
  UNION ALL SELECT concat('trigger', oid, tgname, tgenabled) FROM pg_trigger WHERE oid >= 16384
  UNION ALL SELECT concat('function', oid, proname, md5(prosrc)) FROM pg_proc WHERE oid >= 16384
  UNION ALL SELECT concat('setting', setdatabase, setconfig) FROM pg_db_role_setting
) parts (part)`

const tablesSql = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND oid >= 16384 ORDER BY name`

const readShape = async (pool: pg.Pool): Promise<string> =>
  (await pool.query({ text: shapeSql })).rows[0].shape

/** Returns statements that restore the rows of all tables to what they are now. */
const rememberRows = async (pool: pg.Pool): Promise<string> => {
  const tables: string[] = (await pool.query({ text: tablesSql })).rows.map(({ name }) => name)
  const selects = tables.map(
    (name) => `SELECT '${name}' AS name, json_agg(t)::text AS rows FROM ${name} t`,
  )
  const { rows } = await pool.query({ text: selects.join(' UNION ALL ') })
  const kept = rows.filter(({ rows }) => rows !== null)
  const inserts = kept.map(
    ({ name, rows }) => `INSERT INTO ${name} OVERRIDING SYSTEM VALUE
      SELECT * FROM json_populate_recordset(NULL::${name}, ${literal(rows)});`,
  )
  // Triggers must neither refuse nor write anything.
  return `BEGIN; SET LOCAL session_replication_role = replica;
    DO $$ DECLARE name text; filled text[] := '{}'; is_filled boolean; BEGIN
      FOREACH name IN ARRAY ARRAY[${tables.map(literal).join(', ')}] LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', name) INTO is_filled;
        IF is_filled THEN filled := filled || name; END IF;
      END LOOP;
      EXECUTE 'TRUNCATE ' || array_to_string(filled, ', ') || ' RESTART IDENTITY CASCADE';
    END $$;
    ${inserts.join('\n')}
    COMMIT`
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The functions that a test may replace by its own. */
const partsOf = ({ runtime, database }: Server) => ({
  runtime: { ...runtime },
  pool: { query: database.pool.query, connect: database.pool.connect },
})

type Idle = StartedServer & {
  /** Sets the clock, the random numbers and the settings of the next world. */
  use(choices: Choices): void
  restore(): Promise<boolean>
}

/** Starts a server whose clock, random numbers and some settings can be changed while it runs. */
const startShared = async (start: (sources: Sources) => Promise<StartedServer>) => {
  let current: Choices = {}
  const started = await start({
    clock: () => (current.clock ?? systemClock)(),
    random: { int: (bound) => (current.random ?? cryptoRandom).int(bound) },
  })
  const { config } = started.server.runtime
  const settings = { ...config }
  const use = (choices: Choices) => {
    for (const key of Object.keys(current.config ?? {}))
      Object.assign(config, { [key]: settings[key as keyof Config] })
    current = choices
    Object.assign(config, choices.config)
  }
  return remember(started, use)
}

let idle: Idle | undefined

/** Remembers a server that has just started. */
const remember = async (started: StartedServer, use: Idle['use']): Promise<Idle> => {
  const { server } = started
  const { runtime, database } = server
  const [shape, restoreRows] = [await readShape(database.pool), await rememberRows(database.pool)]
  const parts = partsOf(server)
  const config = structuredClone(runtime.config)
  const isAsBefore = async () => {
    const now = partsOf(server)
    const isSame = (['runtime', 'pool'] as const).every((part) =>
      Object.entries(parts[part]).every(([key, value]) => now[part][key as never] === value),
    )
    return (
      isSame &&
      isDeepStrictEqual(runtime.config, config) &&
      (await readShape(database.pool)) === shape
    )
  }
  return {
    ...started,
    use,
    restore: async () => {
      if (!(await isAsBefore())) return false
      await database.pool.query(restoreRows)
      runtime.singletons.clear()
      runtime.metrics.registry.resetMetrics()
      return true
    },
  }
}

/** Lends the server of this worker, or one that `start` starts if there is none or another world has it. */
export const borrowServer = async (
  start: (sources: Sources) => Promise<StartedServer>,
  choices: Choices,
): Promise<StartedServer & { giveBack(): Promise<void> }> => {
  const lent = idle ?? (await startShared(start))
  idle = undefined
  lent.use(choices)
  return {
    ...lent,
    giveBack: async () => {
      lent.use({})
      if (idle === undefined && (await lent.restore().catch(() => false))) idle = lent
      else await endServer(lent)
    },
  }
}
