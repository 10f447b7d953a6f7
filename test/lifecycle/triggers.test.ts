/** Functions and triggers of `*.trigger.sql`, and of files that a test writes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/kit/database/db.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { applyTriggers, readTriggerFiles } from '../../src/kit/database/triggers.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const sources = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.trigger.sql'))
  .map((path) => [path, readFileSync(join(sources, path), 'utf8')] as const)

test.each(files)(
  '%s begins with a promise, and has nothing but what can be repeated',
  (_, text) => {
    expect(text).toMatch(/^-- [A-Z]/)
    const rest = readTriggerFiles(sources).reduce((rest, { sql }) => rest.replace(sql, ''), text)
    const lines = rest.split('\n').filter((line) => line.trim() && !line.startsWith('--'))
    expect(lines, 'begin each statement with CREATE OR REPLACE FUNCTION, VIEW or TRIGGER').toEqual(
      [],
    )
  },
)

test('each function and trigger is created in one place', () => {
  const names = readTriggerFiles().map(({ name }) => name)
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
})

describe('a database that is up to date', () => {
  let testDatabase: TestDatabase
  let database: Database
  let folder: string

  beforeEach(async () => {
    testDatabase = await createDatabase()
    folder = join(testDatabase.dataDir, 'triggers')
    mkdirSync(folder)
    database = await openDatabase(testDatabase)
    await migrate(database.pool)
  })
  afterEach(async () => {
    await database.close()
    await testDatabase.drop()
  })

  const write = (name: string, text: string) =>
    writeFileSync(join(folder, `${name}.trigger.sql`), text)
  const apply = () => applyTriggers(database.pool, undefined, folder)
  const read = async (text: string) => (await database.pool.query({ text })).rows

  const shout = (slug: string) => `-- A partner's slug is ${slug}.
CREATE OR REPLACE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.slug := ${slug};
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER partner_shouts BEFORE INSERT ON partner
  FOR EACH ROW EXECUTE FUNCTION shout();
`
  const insertPartner = async () => {
    const [{ slug }] = await read(
      `INSERT INTO partner (id, slug, name) VALUES (gen_random_uuid(), 'acme', 'A') RETURNING slug`,
    )
    return slug
  }
  const versions = () =>
    read(`SELECT p.xmin AS function, t.xmin AS trigger FROM pg_proc p, pg_trigger t
      WHERE p.proname = 'shout' AND t.tgname = 'partner_shouts'`)

  test('is not touched', async () => {
    const before = await read(
      'SELECT oid, xmin FROM pg_proc UNION ALL SELECT oid, xmin FROM pg_trigger',
    )
    expect(await migrate(database.pool)).toEqual([])
    expect(
      await read('SELECT oid, xmin FROM pg_proc UNION ALL SELECT oid, xmin FROM pg_trigger'),
    ).toEqual(before)
  })

  test('gets a function that has changed, and keeps the trigger that calls it', async () => {
    write('a', shout('upper(NEW.slug)'))
    expect(await apply()).toEqual(['function shout', 'trigger partner_shouts'])
    expect(await insertPartner()).toBe('ACME')
    const [before] = await versions()
    write('a', shout(`NEW.slug || '!'`))
    expect(await apply()).toEqual(['function shout'])
    expect(await insertPartner()).toBe('acme!')
    const [after] = await versions()
    expect(after.trigger).toBe(before.trigger)
    expect(after.function).not.toBe(before.function)
  })

  test('gets triggers after the functions of all files, and keeps what no file creates any more', async () => {
    const [head, trigger] = shout('upper(NEW.slug)').split('\n\n') as [string, string]
    write('a', trigger)
    write('b', `${head}\n`)
    expect(await apply()).toEqual(['function shout', 'trigger partner_shouts'])
    write('a', '')
    write('b', '')
    expect(await apply()).toEqual([])
    expect(await insertPartner()).toBe('ACME')
  })

  test('keeps nothing of a failed change, and the error names the function', async () => {
    write(
      'a',
      `${shout('upper(NEW.slug)')}\nCREATE OR REPLACE VIEW nothing AS SELECT a FROM nowhere;\n`,
    )
    await expect(apply()).rejects.toThrow('view nothing: relation "nowhere" does not exist')
    expect(await versions()).toEqual([])
  })

  test('keeps the triggers of a newer version', async () => {
    await read(`UPDATE applied_trigger SET hash = 'newer' WHERE name = 'function make_profile'`)
    await read(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('1', '', '29990101000000_future', now())`)
    expect(await migrate(database.pool)).toEqual([])
    await read(`DELETE FROM _prisma_migrations WHERE id = '1'`)
    expect(await migrate(database.pool)).toEqual(['function make_profile'])
  })

  test.runIf(onPostgres)('a changed trigger waits for writers of its table', async () => {
    await read(`UPDATE applied_trigger SET hash = '' WHERE name = 'trigger end_user_profile'`)
    const writer = await database.pool.connect()
    await writer.query('BEGIN; LOCK TABLE end_user IN ROW EXCLUSIVE MODE')
    const warn = vi.fn()
    const migrating = migrate(database.pool, { log: { info: () => {}, warn } })
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 10_000)
    await writer.query('COMMIT')
    writer.release()
    expect(await migrating).toEqual(['trigger end_user_profile'])
    expect(warn.mock.calls[0]?.[1]).toBe('waiting for a table that is in use')
  })
})
