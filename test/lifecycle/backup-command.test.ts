import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase } from '../world.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')

let source: TestDatabase
let target: TestDatabase
let file: string

const settingsOf = ({ dataDir, databaseUrl }: TestDatabase) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})
const ended = async (args: string[], env: Record<string, string>) => {
  const running = startCommand(process.execPath, [bin, ...args], env)
  return { code: await running.exited, output: running.output() }
}

/** What the users of a world have, and how many entries the audit log has. */
const rowsOf = async (database: TestDatabase) => {
  const world = await createWorld({ database })
  const { endUser, ledgerEntry, auditEntry } = world.runtime.db
  const found = {
    users: await endUser.findMany({ orderBy: { id: 'asc' } }),
    ledger: await ledgerEntry.findMany({ orderBy: { id: 'asc' } }),
    audit: await auditEntry.count(),
  }
  await world.end()
  return found
}

beforeAll(async () => {
  source = await createDatabase()
  // An embedded target has no database yet; one on a server has no tables.
  const empty = await createDatabase(onPostgres, false)
  target = { ...empty, dataDir: join(empty.dataDir, 'restored') }
  const world = await createWorld({ database: source })
  await world.givePoints('ann', 3)
  await world.givePoints('bob', 2)
  await world.end()
  file = join(source.dataDir, 'tessera.backup')
}, 120_000)
afterAll(async () => {
  await source.drop()
  await target.drop()
})

test('a backup is restored with every row, and a server goes on with it', async () => {
  const before = await rowsOf(source)
  const written = await ended(['backup', file], settingsOf(source))
  expect(written.code, written.output).toBe(0)
  expect(written.output).toContain('does not contain MASTER_KEY')
  expect(statSync(file).mode & 0o077).toBe(0)
  const read = await ended(['restore', file], settingsOf(target))
  expect(read.code, read.output).toBe(0)
  expect(read.output).toMatch(/Restored \d+ partners and 2 users\. The master key opens it\./)
  if (!onPostgres) expect(statSync(join(target.dataDir, 'db/PG_VERSION')).mode & 0o077).toBe(0)
  expect(await rowsOf(target)).toEqual(before)
  const audit = await ended(['audit'], settingsOf(target))
  expect(audit.code, audit.output).toBe(0)
  // Both have partners now.
  const again = await ended(['restore', file], settingsOf(target))
  expect(again).toMatchObject({
    code: 1,
    output: 'The database has partners; nothing was restored.\n',
  })
}, 240_000)

test('no file is overwritten, and no other file is restored', async () => {
  const text = 'not a backup'
  const path = join(source.dataDir, 'other')
  writeFileSync(path, text)
  expect(await ended(['backup', path], settingsOf(source))).toMatchObject({ code: 1 })
  expect(readFileSync(path, 'utf8')).toBe(text)
  const { code, output } = await ended(['restore', path], settingsOf(target))
  expect(code).toBe(1)
  expect(output).toContain('is no backup')
}, 120_000)

test.runIf(onPostgres)(
  'without pg_dump a backup says what to install, and leaves no file',
  async () => {
    const path = join(source.dataDir, 'none')
    const env = { ...settingsOf(source), PATH: '/nowhere' }
    const { code, output } = await ended(['backup', path], env)
    expect(code).toBe(1)
    expect(output).toMatch(/^pg_dump is not installed: .*postgresql-client\n$/)
    expect(readdirSync(source.dataDir).filter((name) => name.startsWith('none'))).toEqual([])
  },
  60_000,
)
