import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/kit/config/config.ts'

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
  test('needs no variables in development', () => {
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

  test('accepts a URL with several hosts, and one that bypasses a pooler', () => {
    const several = 'postgresql://u:p@a:5432,[::1]:5433,c/tessera?target_session_attrs=read-write'
    expect(readConfig({ DATABASE_URL: several, DATABASE_DIRECT_URL: several })).toMatchObject({
      databaseUrl: several,
      databaseDirectUrl: several,
      databasePool: 10,
    })
    for (const wrong of ['mysql://u@a/b', 'postgresql://u@a:1,b:x/c', 'a:5432'])
      expect(refusal({ DATABASE_URL: wrong })).toMatch(/^DATABASE_URL: must be a URL like postgres/)
    expect(refusal({ DATABASE_URL: 'postgresql://a,b/c?target_session_attrs=standby' })).toMatch(
      /^DATABASE_URL: target_session_attrs must be read-write/,
    )
    for (const wrong of ['3', '1001', 'x'])
      expect(refusal({ DATABASE_POOL: wrong })).toMatch(/^DATABASE_POOL: .* 4 to 1000/)
  })

  test('limits new users to a number, or not', () => {
    expect(readConfig({}).newUserLimit).toBe(300)
    expect(readConfig({ NEW_USER_LIMIT: '7' }).newUserLimit).toBe(7)
    expect(readConfig({ NEW_USER_LIMIT: 'off' }).newUserLimit).toBeNull()
    for (const wrong of ['0', 'on', '-1', '1.5', '1000000'])
      expect(refusal({ NEW_USER_LIMIT: wrong })).toMatch(/^NEW_USER_LIMIT: must be off or a whole/)
  })

  test('reads from one standby of a server database', () => {
    const urls = { DATABASE_URL: 'postgresql://u@a/b', DATABASE_READ_URL: 'postgresql://u@c/b' }
    expect(readConfig(urls).databaseReadUrl).toBe(urls.DATABASE_READ_URL)
  })

  test('the name of a cell is part of keys', () => {
    expect(readConfig({}).cell).toBeUndefined()
    expect(readConfig({ CELL: 'c2' }).cell).toBe('c2')
    for (const CELL of ['C2', '2', 'c_2', 'a'.repeat(17)])
      expect(refusal({ CELL })).toMatch(/^CELL: must be up to 16 lower-case letters/)
    expect(refusal({ CELL: 'default' })).toMatch(/^CELL: must not be default/)
  })

  test('lists the origins whose pages may use sign-ins', () => {
    expect(readConfig({ PORT: '80' }).corsOrigins).toEqual(['http://localhost'])
    const PUBLIC_URL = 'https://localhost:8443/path/'
    const CORS_ORIGINS = 'https://a.example, http://localhost:3000/'
    expect(readConfig({ PUBLIC_URL, CORS_ORIGINS }).corsOrigins).toEqual([
      'https://localhost:8443',
      'https://a.example',
      'http://localhost:3000',
    ])
    for (const bad of ['*', 'null', 'a.example', 'https://a.example/path', 'https://A.example'])
      expect(refusal({ CORS_ORIGINS: bad })).toMatch(/^CORS_ORIGINS: must be origins/)
  })

  test('creates an administrator from two variables, and refuses a short password', () => {
    const [ADMIN_EMAIL, ADMIN_PASSWORD] = ['root@example.com', 'correct horse']
    expect(readConfig({}).admin).toBeUndefined()
    expect(readConfig({ ADMIN_EMAIL, ADMIN_PASSWORD }).admin).toEqual({
      email: ADMIN_EMAIL,
      password: ADMIN_PASSWORD,
    })
    expect(refusal({ ADMIN_EMAIL, ADMIN_PASSWORD: 'short' })).toMatch(/^ADMIN_PASSWORD: .*12/)
    expect(refusal({ ADMIN_EMAIL: 'root', ADMIN_PASSWORD })).toMatch(/^ADMIN_EMAIL: /)
  })

  test('sends mail with a server and a sender', () => {
    expect(readConfig({}).mail).toBeUndefined()
    const SMTP_URL = 'smtps://user:secret@mail.example.com'
    for (const MAIL_FROM of ['no-reply@example.com', 'Tessera <no-reply@example.com>'])
      expect(readConfig({ SMTP_URL, MAIL_FROM }).mail).toEqual({
        smtpUrl: SMTP_URL,
        from: MAIL_FROM,
      })
    for (const wrong of ['Tessera', 'a <b>', 'a@b.c, d@e.f', 'A\r\nBcc: x <a@example.com>'])
      expect(refusal({ SMTP_URL, MAIL_FROM: wrong })).toMatch(/^MAIL_FROM: must be/)
  })

  test('trusts the number of proxies that is set, or those with an address that is set', () => {
    expect(readConfig({}).trustProxy).toBeUndefined()
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1'])
    expect(readConfig({ TRUST_PROXY: '0' }).trustProxy).toBe(0)
    for (const wrong of ['yes', '-1', '10.0.0.0/40', '1,x'])
      expect(refusal({ TRUST_PROXY: wrong })).toMatch(/^TRUST_PROXY: must be a number of proxies/)
  })

  test('keeps rows for the days that are set, and no promised row for less', () => {
    expect(readConfig({})).toMatchObject({
      auditLogDays: 365,
      retention: { eventDays: 30, deliveryDays: 30, matchEventDays: 0, signInDays: 365 },
    })
    const { retention } = readConfig({
      RETENTION_EVENT_DAYS: '90',
      RETENTION_DELIVERY_DAYS: '7',
      RETENTION_MATCH_EVENT_DAYS: '14',
      RETENTION_SIGN_IN_DAYS: '60',
    })
    const [eventDays, deliveryDays, matchEventDays, signInDays] = [90, 7, 14, 60]
    expect(retention).toEqual({ eventDays, deliveryDays, matchEventDays, signInDays })
    const least = { EVENT: 30, DELIVERY: 7, MATCH_EVENT: 0, SIGN_IN: 60 }
    for (const [kind, min] of Object.entries(least))
      for (const wrong of [`${min - 1}`, '36501', '30.5', 'a month']) {
        const name = `RETENTION_${kind}_DAYS`
        const message = `${name}: must be a whole number, ${min} to 36500`
        expect(refusal({ [name]: wrong })).toContain(message)
      }
  })

  test('treats an empty variable as unset', () => {
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
        METRICS_PORT: '9090',
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
      metricsPort: 9090,
      rateLimits: { secret: 500, public: 50, anonymous: 20 },
      jobs: false,
      logLevel: 'warn',
      masterKeys: [{ version: 1, text: masterKey }],
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

describe('what is logged', () => {
  const production = { NODE_ENV: 'production', MASTER_KEY: masterKey, EMBEDDED: '1' }

  test('includes slow statements in production, from half a second, unless another time is set', () => {
    expect(readConfig({}).slowStatementMs).toBe(0)
    expect(readConfig({ SLOW_STATEMENT_MS: '100' }).slowStatementMs).toBe(100)
    expect(readConfig(production).slowStatementMs).toBe(500)
    expect(readConfig({ ...production, SLOW_STATEMENT_MS: '0' }).slowStatementMs).toBe(0)
  })

  test('includes each request in production, unless this is switched', () => {
    expect(readConfig({}).accessLog).toBe(false)
    expect(readConfig({ ACCESS_LOG: 'on' }).accessLog).toBe(true)
    expect(readConfig(production).accessLog).toBe(true)
    expect(readConfig({ ...production, ACCESS_LOG: 'off' }).accessLog).toBe(false)
  })
})

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  test('are made only for an endpoint', () => {
    expect(readConfig({}).traces).toBeUndefined()
    expect(readConfig({ OTEL_SERVICE_NAME: 'points' }).traces).toBeUndefined()
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).traces).toBeUndefined()
    expect(readConfig({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }).traces).toBeUndefined()
    expect(readConfig(endpoint).traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: undefined,
      serviceName: undefined,
      sampler: 'always_on',
      isParentBased: true,
      ratio: 1,
      delayMs: 5_000,
    })
  })

  test('go to a path below the endpoint, or to the endpoint of traces as it is', () => {
    const urlOf = (env: Record<string, string>) => readConfig(env).traces?.url
    expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com/a/' })).toBe(
      'https://otlp.example.com/a/v1/traces',
    )
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in' }
    expect(urlOf({ ...endpoint, ...own })).toBe('https://traces.example.com/in')
  })

  test('are sampled as the sampler says', () => {
    const OTEL_TRACES_SAMPLER = 'parentbased_traceidratio'
    const env = { ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.25' }
    expect(readConfig(env).traces).toMatchObject({
      sampler: 'traceidratio',
      isParentBased: true,
      ratio: 0.25,
    })
    expect(readConfig({ ...env, OTEL_TRACES_SAMPLER: 'always_off' }).traces).toMatchObject({
      sampler: 'always_off',
      isParentBased: false,
    })
  })
})

describe('an invalid value is refused with the name of its variable', () => {
  test.each([
    ['NODE_ENV', 'prod'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['METRICS_PORT', 'http'],
    ['EMBEDDED', 'yes'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'http://host'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['RATE_LIMIT', 'no'],
    ['RATE_LIMIT', 'secret=0'],
    ['RATE_LIMIT', 'secret=1;public=2'],
    ['LOG_LEVEL', 'loud'],
    ['ACCESS_LOG', 'yes'],
    ['SLOW_STATEMENT_MS', '-1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_TRACES_SAMPLER', 'often'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
    ['MASTER_KEY', 'short'],
    ['MASTER_KEYS', masterKey],
    ['MASTER_KEYS', '2:short'],
    ['MASTER_KEYS', `0:${masterKey}`],
    ['MASTER_KEYS', `1:${masterKey},1:${masterKey}`],
    ['MASTER_KEYS', `2:${masterKey},1:`],
  ])('%s=%s', (name, value) => {
    const message = refusal({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: \\S.+`))
    expect(message).not.toContain('\n')
  })

  test('all invalid variables are reported at once', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'x', RATE_LIMIT: 'x' })
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'RATE_LIMIT',
      'LOG_LEVEL',
    ])
  })

  test('the value is not repeated, because it may be a secret', () => {
    expect(refusal({ MASTER_KEY: 'hunter2' })).not.toContain('hunter2')
    expect(refusal({ MASTER_KEYS: '2:hunter2' })).not.toContain('hunter2')
    expect(refusal({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2')
    expect(refusal({ SMTP_URL: 'http://u:hunter2@h' })).not.toContain('hunter2')
  })
})

describe('MASTER_KEYS', () => {
  test('returns versions in order, whatever characters the keys have', () => {
    const [a, b] = [`a:,${masterKey}`, `${masterKey}, b=`]
    expect(readConfig({ MASTER_KEYS: `12:${a},3:${b}` }).masterKeys).toEqual([
      { version: 12, text: a },
      { version: 3, text: b },
    ])
  })
})

describe('production', () => {
  const development = readConfig({}).masterKeys[0].text

  test.each([
    {},
    { MASTER_KEY: '' },
    { MASTER_KEY: development },
    { MASTER_KEYS: `2:${masterKey},1:${development}` },
  ])('is refused without a MASTER_KEY of its own: %j', (env) => {
    expect(refusal({ NODE_ENV: 'production', ...env })).toMatch(/^MASTER_KEY: must be set/)
  })

  const set = { NODE_ENV: 'production', MASTER_KEY: masterKey }

  test('is refused without a database, unless the embedded one is asked for', () => {
    expect(refusal(set)).toMatch(/^DATABASE_URL: must be set in production; EMBEDDED=1 /)
    for (const database of [{ EMBEDDED: '1' }, { DATABASE_URL: 'postgresql://u@db/tessera' }])
      expect(readConfig({ ...set, ...database }).production).toBe(true)
  })

  test('warns when PUBLIC_URL or TRUST_PROXY is missing', () => {
    const { warnings } = readConfig({ ...set, EMBEDDED: '1' })
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(['PUBLIC_URL', 'TRUST_PROXY'])
    const complete = { PUBLIC_URL: 'https://points.example.com', TRUST_PROXY: '0' }
    expect(readConfig({ ...set, EMBEDDED: '1', ...complete }).warnings).toEqual([])
    expect(readConfig({}).warnings).toEqual([])
  })
})

describe('a server that other machines can reach runs as in production, whatever NODE_ENV says', () => {
  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.0.7' },
    { HOST: '::ffff:10.0.0.1' },
    { HOST: 'tessera' },
    { HOST: 'localhost.example.com' },
    { HOST: '0.0.0.0', NODE_ENV: 'development' },
    { HOST: '0.0.0.0', NODE_ENV: 'test' },
    { PUBLIC_URL: 'https://points.example.com' },
    { PUBLIC_URL: 'http://[2001:db8::1]:4000' },
  ])('%j', (env) => {
    const message = refusal({ ...env, WEBHOOK_ALLOW_PRIVATE: '1' })
    const names = message.split('\n').map((line) => line.split(':')[0])
    expect(names.slice(0, 3)).toEqual(['MASTER_KEY', 'WEBHOOK_ALLOW_PRIVATE', 'DATABASE_URL'])
    expect(message).toMatch(/Other machines can reach this server \(HOST, PUBLIC_URL\)/)
    expect(readConfig({ ...env, MASTER_KEY: masterKey, EMBEDDED: '1' }).production).toBe(true)
  })

  test.each([
    { HOST: 'localhost' },
    { HOST: '127.0.0.1' },
    { HOST: '127.8.8.8' },
    { HOST: '::1' },
    { HOST: '::ffff:127.0.0.1' },
    { PUBLIC_URL: 'http://localhost:4000' },
    { PUBLIC_URL: 'http://[::1]:4000' },
  ])('not %j, which is this machine alone', (env) => {
    expect(readConfig(env).production).toBe(false)
  })
})
