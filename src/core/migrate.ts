/** Migrations, by Prisma's own engine as WebAssembly: the same on both databases, without a download. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { EmbeddedPool } from './embedded-db.ts'

const root = fileURLToPath(new URL('../../prisma', import.meta.url))

type Bindings = typeof import('@prisma/schema-engine-wasm') & {
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

let engineModule: Promise<Bindings> | undefined

/** Once a process: the bindings are a module with state. */
const loadEngine = (): Promise<Bindings> => (engineModule ??= instantiateEngine())

const instantiateEngine = async (): Promise<Bindings> => {
  const file = 'schema_engine_bg'
  const folder = new URL('.', import.meta.resolve('@prisma/schema-engine-wasm'))
  const bg = (await import(new URL(`${file}.js`, folder).href)) as Bindings
  const bytes = await readFile(new URL(`${file}.wasm`, folder))
  const { instance } = await WebAssembly.instantiate(bytes, {
    [`./${file}.js`]: bg as unknown as WebAssembly.ModuleImports,
  })
  bg.__wbg_set_wasm(instance.exports)
  ;(instance.exports.__wbindgen_start as () => void)()
  return bg
}

/** The engine's adapter, with scripts sent whole: functions contain semicolons. */
const adapterFor = (pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory => {
  const factory = new PrismaPg(pool)
  const connect = async () => {
    const adapter = await factory.connect()
    return Object.assign(adapter, {
      executeScript: async (script: string) => void (await pool.query(script)),
      getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
      dispose: async () => {},
    })
  }
  return {
    provider: 'postgres',
    adapterName: factory.adapterName,
    connect,
    connectToShadowDb: connect,
  }
}

/** @param adapter how the engine reaches a database */
export const withEngine = async <T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> => {
  const { SchemaEngine } = await loadEngine()
  const engine = await SchemaEngine.new(
    { datamodels: schemaFiles().map(({ path, content }) => [path, content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  )
  try {
    return await use(engine)
  } finally {
    engine.free()
  }
}

export const filters = { externalTables: [], externalEnums: [] }

export const schemaFiles = () =>
  readdirSync(join(root, 'schema'))
    .sort()
    .map((name) => ({
      path: join(root, 'schema', name),
      content: readFileSync(join(root, 'schema', name), 'utf8'),
    }))

const migrationNames = () =>
  readdirSync(join(root, 'migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

export const migrationsList = () => ({
  baseDir: join(root, 'migrations'),
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: migrationNames().map((name) => ({
    path: name,
    migrationFile: {
      path: 'migration.sql',
      content: {
        tag: 'ok' as const,
        value: readFileSync(join(root, 'migrations', name, 'migration.sql'), 'utf8'),
      },
    },
  })),
})

/** Names of migrations in this source tree that the database has not got. One read; no lock. */
export const pendingMigrations = async (pool: pg.Pool): Promise<string[]> => {
  const { rows: tables } = await pool.query({
    text: `SELECT to_regclass('_prisma_migrations')::text AS name`,
  })
  if (!tables[0]?.name) return migrationNames()
  const { rows } = await pool.query<{ migration_name: string }>({
    text: 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  })
  const applied = new Set(rows.map((row) => row.migration_name))
  return migrationNames().filter((name) => !applied.has(name))
}

/** Any number that no other program on the same database takes. */
const lockId = 8_351_771_002

/**
 * Brings the database up to date and gives the names of what was applied. Nodes that start together
 * migrate once: one works, the others wait for it and find nothing left to do.
 */
export const migrate = async (pool: pg.Pool): Promise<string[]> => {
  if ((await pendingMigrations(pool)).length === 0) return []
  if (pool instanceof EmbeddedPool) return applyMigrations(pool)
  const holder = await pool.connect()
  try {
    await holder.query('SELECT pg_advisory_lock($1)', [lockId])
    if ((await pendingMigrations(pool)).length === 0) return []
    return await applyMigrations(pool)
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [lockId]).catch(() => {})
    holder.release()
  }
}

const applyMigrations = (pool: pg.Pool) =>
  withEngine(adapterFor(pool), async (engine) => {
    const output = await engine.applyMigrations({ migrationsList: migrationsList(), filters })
    return output.appliedMigrationNames
  })
