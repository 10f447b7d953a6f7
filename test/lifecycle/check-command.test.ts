import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from '../postgres.ts'
import { startCommand } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const masterKey = 'a key that has more than 32 characters'

let database: TestDatabase
let env: Record<string, string>

const ended = async (command: string, settings: Record<string, string> = {}) => {
  const args = [bin, ...command.split(' ')]
  const running = startCommand(process.execPath, args, { ...env, ...settings })
  return { code: await running.exited, output: running.output() }
}

beforeAll(async () => {
  database = await createDatabase()
  env = {
    NODE_ENV: 'production',
    MASTER_KEY: masterKey,
    DATA_DIR: database.dataDir,
    ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : { EMBEDDED: '1' }),
  }
  // The first command binds the database to the master key.
  const { code, output } = await ended('partner create Acme')
  expect(code, output).toBe(0)
}, 240_000)
afterAll(() => database.drop())

test('a machine on which a server can start gets no ✗', async () => {
  const { code, output } = await ended('check')
  expect(code, output).toBe(0)
  expect(output).not.toContain('✗')
  expect(output).toMatch(/^✓ Tessera \S+ on Node\.js 24\./)
  for (const good of ['PostgreSQL 1', 'clock', 'migrations are applied', 'master key (version 1)'])
    expect(output).toMatch(new RegExp(`^✓ .*${good.replace(/[().]/g, '\\$&')}`, 'm'))
  expect(output).toContain('! PUBLIC_URL is not set')
  expect(output).toMatch(/^✓ The database has \d.* and hardly grows$/m)
  expect(output.trimEnd()).toMatch(/A server can start\.$/)
}, 60_000)

test('another master key is a ✗, and a REDIS_URL where nothing answers is a !', async () => {
  const settings = { MASTER_KEY: `another ${masterKey}`, REDIS_URL: 'redis://127.0.0.1:1' }
  const { code, output } = await ended('check --json', settings)
  expect(code).toBe(1)
  const findings: { mark: string; text: string }[] = JSON.parse(output)
  expect(findings.filter(({ mark }) => mark === '✗')).toEqual([
    { mark: '✗', text: expect.stringMatching(/^MASTER_KEY: not the key/) },
  ])
  expect(findings).toContainEqual({
    mark: '!',
    text: expect.stringMatching(/^Redis does not answer at REDIS_URL \(.*ECONNREFUSED/),
  })
}, 60_000)

test('each wrong setting is a ✗', async () => {
  const { code, output } = await ended('check', { DATABASE_POOL: '1', PORT: 'http' })
  expect(code).toBe(1)
  expect(output).toMatch(/^✗ PORT: /m)
  expect(output).toMatch(/^✗ DATABASE_POOL: /m)
}, 60_000)

test('a database that cannot be reached is a ✗', async () => {
  const { code, output } = await ended('check', { DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/d' })
  expect(code).toBe(1)
  expect(output).toMatch(/^✗ The database cannot be reached/m)
}, 60_000)

test('where there is no embedded database yet, none is made', async () => {
  const dataDir = join(database.dataDir, 'none')
  const { code, output } = await ended('check', {
    DATA_DIR: dataDir,
    EMBEDDED: '1',
    DATABASE_URL: '',
  })
  expect(code, output).toBe(0)
  expect(output).toContain('! DATA_DIR has no database yet')
  expect(existsSync(dataDir)).toBe(false)
}, 60_000)

test.runIf(onPostgres)(
  'a user of the database who may too little gets the statements that help',
  async () => {
    const url = new URL(database.databaseUrl as string)
    const role = `weak${url.pathname.slice(1)}`.slice(0, 60)
    await administer(`CREATE ROLE ${role} LOGIN`)
    try {
      url.username = role
      const { code, output } = await ended('check', { DATABASE_URL: url.href })
      expect(code).toBe(1)
      expect(output).toMatch(/^✗ The user weak\S+ lacks .*GRANT SELECT, INSERT/m)
      expect(output).toMatch(/^✗ The user weak\S+ may not migrate: /m)
    } finally {
      await administer(`DROP ROLE ${role}`)
    }
  },
  60_000,
)
