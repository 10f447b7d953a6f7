/** Compares the declared result of each statement with that of PostgreSQL, for the last runs of the tests on both databases. */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Declared, listStatements } from '../../src/kit/database/statement.ts'
import { createDatabase, type TestDatabase } from '../world.ts'
import { readStatements } from './statements.ts'

// Importing a file declares its statements.
const root = fileURLToPath(new URL('../..', import.meta.url))
for (const file of globSync('src/**/*.sql.ts', { cwd: root })) await import(join(root, file))

const declared = listStatements()
const sent = readStatements().filter(({ name }) => declared.has(name))

const nameInCatalog: Record<string, string> = {
  smallint: 'int2',
  int: 'int4',
  bigint: 'int8',
  boolean: 'bool',
}

/** As `pg_type` names it: `int4`, `_uuid`, `Environment`. */
const catalogType = (type: Declared) => {
  const [, name = '', list] = /^(\w+)(\[\])?/.exec(type) ?? []
  return (list ? '_' : '') + (nameInCatalog[name] ?? name)
}

let database: TestDatabase
let client: pg.Client
let typeNames: Map<number, string>

beforeAll(async () => {
  database = await createDatabase(true)
  execFileSync(process.execPath, ['src/cli/migrate.ts'], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: database.databaseUrl },
  })
  client = new pg.Client(database.databaseUrl as string)
  await client.connect()
  const { rows } = await client.query<{ oid: number; typname: string }>(
    'SELECT oid::int, typname FROM pg_type',
  )
  typeNames = new Map(rows.map(({ oid, typname }) => [oid, typname]))
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** The columns that a text returns. It is prepared, and does not run. */
const describeText = (text: string) =>
  new Promise<pg.FieldDef[]>((resolve, reject) => {
    let fields: pg.FieldDef[] = []
    client.query({
      submit: (connection: pg.Connection) => {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S' }, true)
        connection.sync()
      },
      handleRowDescription: (description: { fields: pg.FieldDef[] }) => {
        fields = description.fields
      },
      handleReadyForQuery: () => resolve(fields),
      handleError: reject,
    })
  })

/** Whether a column of a table may be null. PostgreSQL does not know it for computed columns and views. */
const isNullable = async ({ tableID, columnID }: pg.FieldDef) => {
  const { rows } = await client.query(
    `SELECT FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE attrelid = $1 AND attnum = $2 AND NOT attnotnull AND relkind <> 'v'`,
    [tableID, columnID],
  )
  return rows.length > 0
}

test('the last runs executed every statement: `npm test` has run before', () => {
  const names = new Set(sent.map(({ name }) => name))
  expect([...declared.keys()].filter((name) => !names.has(name))).toEqual([])
})

test.each(sent)('$name returns what it declares', async ({ name, text }) => {
  const columns = declared.get(name) ?? {}
  const fields = await describeText(text)
  expect(fields.map((field) => field.name).sort()).toEqual(Object.keys(columns).sort())
  for (const field of fields) {
    const type = columns[field.name]
    // The data model declares the columns of whole models.
    if (!type) continue
    expect([field.name, typeNames.get(field.dataTypeID)]).toEqual([field.name, catalogType(type)])
    const isHidden = !type.endsWith('?') && (await isNullable(field))
    expect([field.name, isHidden]).toEqual([field.name, false])
  }
})
