import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/core/config.ts'

const masterKey = 'k'.repeat(32)

/** The message of the refusal, one line for each bad variable. */
const refusal = (env: Record<string, string | undefined>): string => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(env)} was not refused`)
}

describe('the configuration', () => {
  test('needs no variable at all in development', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 4000,
      host: 'localhost',
      dataDir: './.data',
      databaseUrl: undefined,
      redisUrl: undefined,
      publicUrl: 'http://localhost:4000',
      rateLimits: { secret: 100, public: 20, anonymous: 20 },
      jobs: true,
      logLevel: 'info',
    })
  })

  test('makes an administrator of both variables, and refuses one alone or a short password', () => {
    const [ADMIN_EMAIL, ADMIN_PASSWORD] = ['root@example.com', 'correct horse']
    expect(readConfig({}).admin).toBeUndefined()
    expect(readConfig({ ADMIN_EMAIL, ADMIN_PASSWORD }).admin).toEqual({
      email: ADMIN_EMAIL,
      password: ADMIN_PASSWORD,
    })
    expect(refusal({ ADMIN_EMAIL })).toMatch(/^ADMIN_PASSWORD: /)
    expect(refusal({ ADMIN_PASSWORD })).toMatch(/^ADMIN_EMAIL: /)
    expect(refusal({ ADMIN_EMAIL, ADMIN_PASSWORD: 'short' })).toMatch(/^ADMIN_PASSWORD: .*12/)
    expect(refusal({ ADMIN_EMAIL: 'root', ADMIN_PASSWORD })).toMatch(/^ADMIN_EMAIL: /)
  })

  test('believes as many proxies as are named, or those of an address', () => {
    expect(readConfig({}).trustProxy).toBeUndefined()
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1'])
    for (const wrong of ['yes', '0', '10.0.0.0/40', '1,x'])
      expect(refusal({ TRUST_PROXY: wrong })).toMatch(/^TRUST_PROXY: must be a number of proxies/)
  })

  test('takes an empty variable for one that is not set', () => {
    const names = ['NODE_ENV', 'PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL']
    const more = ['PUBLIC_URL', 'RATE_LIMIT', 'LOG_LEVEL', 'MASTER_KEY']
    const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('reads every variable', () => {
    expect(
      readConfig({
        NODE_ENV: 'production',
        PORT: '8080',
        HOST: '0.0.0.0',
        DATA_DIR: '/var/lib/tessera',
        DATABASE_URL: 'postgresql://u:p@db:5432/tessera',
        REDIS_URL: 'rediss://cache:6379',
        PUBLIC_URL: 'https://points.example.com/',
        RATE_LIMIT: 'secret=500, public=50',
        JOBS: 'off',
        LOG_LEVEL: 'warn',
        MASTER_KEY: masterKey,
      }),
    ).toMatchObject({
      production: true,
      port: 8080,
      host: '0.0.0.0',
      dataDir: '/var/lib/tessera',
      databaseUrl: 'postgresql://u:p@db:5432/tessera',
      redisUrl: 'rediss://cache:6379',
      publicUrl: 'https://points.example.com',
      rateLimits: { secret: 500, public: 50, anonymous: 20 },
      jobs: false,
      logLevel: 'warn',
      masterKey,
    })
  })

  test.each([
    ['off', null],
    ['on', { secret: 100, public: 20, anonymous: 20 }],
    ['anonymous=1', { secret: 100, public: 20, anonymous: 1 }],
  ])('understands RATE_LIMIT=%s', (text, limits) => {
    expect(readConfig({ RATE_LIMIT: text }).rateLimits).toEqual(limits)
  })
})

describe('a bad value is refused by the name of its variable', () => {
  test.each([
    ['NODE_ENV', 'prod'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'http://host'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['RATE_LIMIT', 'no'],
    ['RATE_LIMIT', 'secret=0'],
    ['RATE_LIMIT', 'secret=1;public=2'],
    ['LOG_LEVEL', 'loud'],
    ['MASTER_KEY', 'short'],
  ])('%s=%s', (name, value) => {
    const message = refusal({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: \\S.+`))
    expect(message).not.toContain('\n')
  })

  test('all bad variables at once', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'x', RATE_LIMIT: 'x' })
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'RATE_LIMIT',
      'LOG_LEVEL',
    ])
  })

  test('and its value is not repeated: it may be a secret', () => {
    expect(refusal({ MASTER_KEY: 'hunter2' })).not.toContain('hunter2')
    expect(refusal({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2')
  })
})

describe('production', () => {
  const development = readConfig({}).masterKey

  test.each([{}, { MASTER_KEY: '' }, { MASTER_KEY: development }])(
    'is refused without a MASTER_KEY of its own: %j',
    (env) => {
      expect(refusal({ NODE_ENV: 'production', ...env })).toMatch(/^MASTER_KEY: must be set/)
    },
  )

  test('starts with one', () => {
    expect(readConfig({ NODE_ENV: 'production', MASTER_KEY: masterKey }).production).toBe(true)
  })
})
