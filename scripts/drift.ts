/** Finds differences between the Prisma schema and the migrations, on a scratch database in memory. */

import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { inOneScript } from '../src/kit/database/migrate.ts'
import { migrationNames, readMigration } from '../src/kit/database/migration-state.ts'

const root = fileURLToPath(new URL('../prisma', import.meta.url))

type Bindings = typeof import('@prisma/schema-engine-wasm') & {
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

let engineModule: Promise<Bindings> | undefined

/** Loaded once per process, because the bindings are a module with state. */
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

/** @param adapter how the engine reaches a database */
const withEngine = async <T>(
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

const filters = { externalTables: [], externalEnums: [] }

const schemaFiles = () =>
  readdirSync(join(root, 'schema'))
    .sort()
    .map((name) => ({
      path: join(root, 'schema', name),
      content: readFileSync(join(root, 'schema', name), 'utf8'),
    }))

const migrationsList = () => ({
  baseDir: join(root, 'migrations'),
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: migrationNames()
    .map((name) => readMigration(name))
    .map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
})

/** This adapter supports all catalog types, which the engine reads, but does not await scripts. */
const scratchAdapter = () => {
  const connect = async () => {
    const scratch = await PGlite.create()
    const adapter = await new PrismaPGlite(scratch).connect()
    return Object.assign(adapter, {
      executeScript: async (script: string) => void (await scratch.exec(inOneScript(script))),
      getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
      dispose: () => scratch.close(),
    })
  }
  return {
    provider: 'postgres' as const,
    adapterName: 'scratch',
    connect,
    connectToShadowDb: connect,
  }
}

/**
 * Relations of the Prisma schema that the database does not check for each row, because the statements that write them
 * prove them (docs/decisions/hot-writes-are-set-based.md).
 */
const provenKeys = ['ledger_entry_user_id_fkey', 'user_activity_user_id_fkey', 'play_user_id_fkey']

const addsProvenKey = (part: string) =>
  provenKeys.some((name) => part.startsWith('-- AddForeignKey') && part.includes(`"${name}"`))

/** SQL that changes a migrated database to the current Prisma schema; empty if they match. */
export const schemaDrift = (): Promise<string> =>
  withEngine(scratchAdapter(), async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationsList() },
      to: { tag: 'schemaDatamodel', files: schemaFiles() },
      script: true,
      exitCode: null,
      filters,
    })
    const parts = (stdout ?? '').split(/\n(?=-- )/).filter((part) => !addsProvenKey(part))
    const sql = parts.join('\n').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  })
