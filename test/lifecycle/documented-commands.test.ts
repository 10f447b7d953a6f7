/** The commands of `docs/operations.md` and `.env.example` work when pasted, with any Node version of the system. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/kit/config/config.ts'
import { migrationNames } from '../../src/kit/database/migration-state.ts'
import { freePort, startCommand } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

/** The commands of the first start in production, which have a separate test. */
const firstStart = /tessera start$/

/** Commands that cannot be run here, each with the reason. */
const cannotRun: Record<string, string> = {
  'cp .env.example .env': 'would change the settings of whoever runs the tests',
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const operations = read('docs/operations.md')
const example = read('.env.example')

const blocks = [...operations.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, text]) =>
  (text as string).trim(),
)
const isSettings = (text: string) =>
  text.split('\n').every((line) => /^[A-Z_]+=(?!\S+ tessera )|^#/.test(line))
const program = /^(npm|npx|node|openssl|cp|createdb|psql|curl|pg_dump|pg_restore) ./
const inline = [...`${operations}\n${example}`.matchAll(/`([^`\n]+)`/g)].map(
  ([, text]) => text as string,
)
const commands = [
  ...new Set([
    ...blocks.filter((text) => !isSettings(text)),
    ...inline.filter((text) => program.test(text)),
  ]),
]

let database: TestDatabase
let env: Record<string, string>
beforeAll(async () => {
  database = await createDatabase(onPostgres, false)
  env = {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: database.dataDir,
    DRAIN_DELAY_MS: '0',
    ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
  }
  const server = startCommand('npm', ['start'], env)
  await server.until('Ctrl-C')
  await server.end('SIGTERM')
})
afterAll(() => database.drop())

test('the docs have commands, including all those that cannot be run', () => {
  expect(commands).toEqual(
    expect.arrayContaining(['npm start', 'npm run migrate', 'npm run audit']),
  )
  expect(commands).toEqual(expect.arrayContaining(Object.keys(cannotRun)))
})

/** A script that ends with its first command that fails. Its last command gets the signals. */
const scriptOf = (lines: string) => `set -e; ${lines.replace(/.+$/, 'exec $&')}`

const works = commands.filter((command) => !(command in cannotRun) && !firstStart.test(command))

describe('a command works when pasted', () => {
  test.each(works)('%s', async (command) => {
    const line = command.replace('NAME', migrationNames().at(-1) as string)
    const outside = dirname(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }))
    expect(outside).not.toContain('node_modules')
    const running = startCommand('sh', ['-c', scriptOf(line)], env)
    if (command === 'npm start') {
      await running.until('Ctrl-C')
      await running.end('SIGTERM')
    }
    expect(await running.exited, running.output()).toBe(0)
  })
})

test('three commands lead from an empty database to a partner who calls, and an operator who signs in', async () => {
  const lines = commands.find((command) => firstStart.test(command)) as string
  expect(lines.split('\n')).toHaveLength(3)
  const empty = await createDatabase(onPostgres, false)
  const port = await freePort()
  const running = startCommand('sh', ['-c', scriptOf(lines)], {
    ...env,
    NODE_ENV: 'production',
    MASTER_KEY: 'k'.repeat(32),
    PORT: String(port),
    DATA_DIR: join(empty.dataDir, 'new'),
    ...(empty.databaseUrl ? { DATABASE_URL: empty.databaseUrl } : { EMBEDDED: '1' }),
  })
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const type = { 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${port}${path}`
    return (await fetch(url, { ...init, headers: { ...type, ...headers } })).status
  }
  try {
    await running.until('Server listening')
    const [, email = ''] = /operator (\S+),/.exec(running.output()) ?? []
    const [, password = ''] = /Password +(\S+)/.exec(running.output()) ?? []
    const [key = ''] = /sk_live_\w+/.exec(running.output()) ?? []
    const setRule =
      'mutation { setRewardRule(input: { eventType: "signup", points: 5 }) { __typename } }'
    const secret = { 'x-api-secret': key }
    expect(await post('/graphql', secret, { query: setRule })).toBe(200)
    const award = { userId: 'ann', eventType: 'signup' }
    expect(await post('/v1/points/award', secret, award)).toBe(200)
    expect(await post('/dashboard/auth/login', {}, { email, password })).toBe(200)
  } finally {
    // As a terminal does: to all of the group, because npx passes no signals on.
    process.kill(-running.pid, 'SIGTERM')
    await running.exited
    await empty.drop()
  }
}, 240_000)

/** The variables that a shell has after these lines. */
const variablesOf = (lines: string) => {
  const shell = `set -a; ${lines}\nexec env -0`
  const text = execFileSync('sh', ['-c', shell], { encoding: 'utf8', env: {} })
  return Object.fromEntries(
    text.split('\0').flatMap((line) => {
      const [name = '', ...value] = line.split('=')
      return name && !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)
        ? [[name, value.join('=')]]
        : []
    }),
  )
}

describe('a block of settings is a valid configuration', () => {
  test.each(blocks.filter(isSettings))('%s', (block) => {
    const variables = variablesOf(block)
    expect(Object.keys(variables).length).toBeGreaterThan(0)
    expect(() => readConfig(variables)).not.toThrow()
  })

  test('.env.example is a valid configuration', () => {
    const file = join(import.meta.dirname, '../../.env.example')
    const script = 'console.log(JSON.stringify(process.env))'
    const output = execFileSync(process.execPath, [`--env-file=${file}`, '-e', script], {
      encoding: 'utf8',
      env: {},
    })
    expect(() => readConfig(JSON.parse(output))).not.toThrow()
  })

  const settings = [...example.matchAll(/^# ([A-Z_]+)=(.+)$/gm)].map(
    ([, name, value]) => [name, value] as [string, string],
  )
  test('.env.example comments out optional settings', () => {
    expect(settings.length).toBeGreaterThan(10)
  })
  /** Settings that go together with others. */
  const needs: Record<string, Record<string, string>> = {
    PUBLIC_URL: { MASTER_KEY: 'k'.repeat(32), EMBEDDED: '1' },
    DATABASE_DIRECT_URL: { DATABASE_URL: 'postgresql://user:password@pooler:6432/tessera' },
    DATABASE_READ_URL: { DATABASE_URL: 'postgresql://user:password@primary:5432/tessera' },
    SMTP_URL: { MAIL_FROM: 'Tessera <no-reply@example.com>' },
    ADMIN_EMAIL: { ADMIN_PASSWORD: 'correct horse battery' },
    ADMIN_PASSWORD: { ADMIN_EMAIL: 'admin@example.com' },
  }
  // Keys are not examples to copy.
  test.each(settings.filter(([name]) => name !== 'MASTER_KEYS'))('%s=%s', (name, value) => {
    const more = needs[name] ?? {}
    expect(() => readConfig({ [name]: value, ...more })).not.toThrow()
  })
})
