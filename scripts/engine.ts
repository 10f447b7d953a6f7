/** Prisma's schema engine as WebAssembly: it compares the migrations with the Prisma schema. The server does not need it. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
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

export const migrationsList = () => ({
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
