/** A server on its own database, with partners, keys and users made by the functions the API calls. */
import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { createApiKey } from '../src/accounts/api-key.ts'
import { hashPassword } from '../src/accounts/password.ts'
import { recognize, signIn } from '../src/accounts/sign-in.ts'
import { demoMechanics, demoRules } from '../src/demo/demo.ts'
import { setGameMechanic } from '../src/games/mechanic.ts'
import type { PrismaClient } from '../src/generated/prisma/client.ts'
import type { MemberRole } from '../src/generated/prisma/enums.ts'
import type { Clock } from '../src/kit/clock.ts'
import { type Config, readConfig } from '../src/kit/config/config.ts'
import type { Logger } from '../src/kit/observability/log.ts'
import type { Random } from '../src/kit/random.ts'
import type { Runtime } from '../src/kit/runtime.ts'
import { findEventKind } from '../src/kit/streams/events.ts'
import type { Tenant } from '../src/kit/tenant.ts'
import type { ExternalId } from '../src/kit/user-id.ts'
import { setRewardRule } from '../src/points/reward-rule.ts'
import { type Server, startServer } from '../src/server.ts'
import type { UserKey } from '../src/users/end-user.ts'
import { recordStatements } from './database/statements.ts'
import { createFolder } from './folder.ts'
import { administer, onPostgres, postgresUrl } from './postgres.ts'
import { documentFaults } from './rest/documented.ts'
import { borrowServer, endServer, isChangeable, type StartedServer } from './shared-server.ts'

export { onPostgres }

recordStatements()

export type TestDatabase = {
  databaseUrl: string | undefined
  dataDir: string
  drop(): Promise<void>
}

/**
 * A database without partners that nobody else uses.
 * @param isMigrated false: a server's database has no tables. An embedded one has none in a new folder inside `dataDir`.
 */
export const createDatabase = async (
  postgres = onPostgres,
  isMigrated = true,
): Promise<TestDatabase> => {
  const dataDir = createFolder('test')
  const { TEST_TEMPLATE: template, TEST_PREFIX: prefix = 'tessera_test' } = process.env
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`
  // Only a run on PostgreSQL has a template there.
  const copied = onPostgres && isMigrated ? ` TEMPLATE ${prefix}` : ''
  if (postgres) await administer(`CREATE DATABASE ${name}${copied}`)
  else if (template) cpSync(template, dataDir, { recursive: true })
  return {
    databaseUrl: postgres ? `${postgresUrl}/${name}` : undefined,
    dataDir,
    drop: async () => {
      if (postgres) await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of all shapes
  body: any
  text: string
}

export type Keys = { public: string; secret: string }
export type TestPartner = {
  partnerId: string
  applicationId: string
  test: Keys
  live: Keys
}

/** The headers for a key, or for an access token of a member, who works in TEST. */
const credentialHeaders = (text: string): Record<string, string> => {
  if (text.startsWith('pk_')) return { 'x-api-key': text }
  if (text.startsWith('sk_')) return { 'x-api-secret': text }
  return { authorization: `Bearer ${text}`, 'x-environment': 'TEST' }
}

/** @throws Error when the data of an event does not match its kind */
const checkEvents = async (pool: Server['database']['pool']) => {
  const { rows } = await pool
    .query({
      text: `SELECT type, data FROM (
        SELECT type, data, row_number() OVER (PARTITION BY type) AS n FROM event) e WHERE n <= 100`,
    })
    // Some tests leave no database behind.
    .catch(() => ({ rows: [] }))
  for (const { type, data } of rows) {
    const parsed = findEventKind(type)?.data.safeParse(data)
    if (parsed?.error)
      throw new Error(`the data of ${type} does not fit its kind: ${parsed.error.message}`)
    if (!isDeepStrictEqual(parsed?.data, data))
      throw new Error(`${type} has keys that its kind has not: ${JSON.stringify(data)}`)
  }
}

/** Tests see the rows of all tenants. */
type TestRuntime = Runtime & { db: PrismaClient; tx: PrismaClient }

export type World = Awaited<ReturnType<typeof createWorld>>

export type WorldOptions = {
  config?: Partial<Config>
  clock?: Clock
  random?: Random
  log?: Logger
  database?: TestDatabase
  /** A server of its own: for a test that stops it, or that depends on what a server has done before. */
  isAlone?: boolean
}

const startOwn = async (options: WorldOptions): Promise<StartedServer> => {
  const database = options.database ?? (await createDatabase())
  const config: Config = {
    ...readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'test',
      RATE_LIMIT: 'off',
      NEW_USER_LIMIT: 'off',
      SIGN_IN_LIMIT: '1000000',
      JOBS: 'off',
      DRAIN_DELAY_MS: '0',
    }),
    databaseUrl: database.databaseUrl,
    dataDir: database.dataDir,
    production: true, // no demo data: a test makes what it needs
    ...options.config,
  }
  const server = await startServer(config, {
    log: options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
    ...(options.clock && { clock: options.clock }),
    ...(options.random && { random: options.random }),
  })
  return { server, database }
}

/** A server and the function that releases it: the server of this worker, unless options ask for another. */
const openServer = async (options: WorldOptions) => {
  const { clock, random, config = {}, ...others } = options
  if (Object.keys(others).length === 0 && isChangeable(config))
    return borrowServer(startOwn, { clock, random, config })
  const started = await startOwn(options)
  const giveBack = () => (options.database ? started.server.stop() : endServer(started))
  return { ...started, giveBack }
}

/**
 * A server with one partner, whose TEST and LIVE environments have the demo rules and games. `config` changes the
 * configuration; limits are off unless it sets them. Worlds without options, or with options that a running server can
 * take, have the server of their worker in turn.
 */
export const createWorld = async (options: WorldOptions = {}) => {
  const { server, database, giveBack } = await openServer(options)
  const runtime = server.runtime as TestRuntime
  const base = `http://127.0.0.1:${server.port}`

  const call = async (
    method: string,
    path: string,
    {
      key,
      headers = {},
      body,
    }: { key?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(key && credentialHeaders(key)),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    }
    const faults = documentFaults(method, path, answer)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return answer
  }

  /** A partner with an active application, keys for both environments, and the demo rules and games. */
  const createPartner = async (slug = `partner-${uuid()}`): Promise<TestPartner> => {
    const [partnerId, applicationId] = [uuid(), uuid()]
    await runtime.db.partner.create({ data: { id: partnerId, slug, name: slug } })
    await runtime.db.application.create({ data: { id: applicationId, partnerId, name: 'app' } })
    const keysOf = async (environment: 'TEST' | 'LIVE'): Promise<Keys> => {
      const make = (kind: 'PUBLIC' | 'SECRET') =>
        createApiKey(runtime, { partnerId, environment, applicationId, kind })
      return { public: (await make('PUBLIC')).key, secret: (await make('SECRET')).key }
    }
    for (const environment of ['TEST', 'LIVE'] as const) {
      const tenant: Tenant = { partnerId, environment }
      for (const [eventType, points] of Object.entries(demoRules))
        await setRewardRule(runtime, { ...tenant, eventType, points })
      for (const mechanic of demoMechanics)
        await setGameMechanic(runtime, { ...tenant, ...mechanic })
    }
    return { partnerId, applicationId, test: await keysOf('TEST'), live: await keysOf('LIVE') }
  }

  /** Signs a new member of a partner in; returns their access token. An operator is an owner, too. */
  const signInAs = async (role: MemberRole | 'OPERATOR', partnerId = partner.partnerId) => {
    const id = uuid()
    const email = `${id}@example.com`
    const passwordHash = await hashPassword(id)
    const isOperator = role === 'OPERATOR'
    await runtime.db.member.create({
      data: { id, partnerId, email, passwordHash, isOperator, role: isOperator ? 'OWNER' : role },
    })
    const member = await recognize(runtime, { email, password: id }, '127.0.0.1')
    return (await signIn(runtime, member)).accessToken
  }

  const partner = await createPartner()
  const keys = partner.test
  const tenant: Tenant = { partnerId: partner.partnerId, environment: 'TEST' }

  return {
    server,
    runtime,
    database,
    base,
    partner,
    /** Keys of the partner's TEST environment. */
    keys,
    tenant,
    /** The key by which domain functions identify a user. */
    userKey: (name: string, of = tenant): UserKey => ({ ...of, externalId: name as ExternalId }),
    createPartner,
    signInAs,
    get: (path: string, key?: string, headers?: Record<string, string>) =>
      call('GET', path, { ...(key && { key }), ...(headers && { headers }) }),
    post: (
      path: string,
      key: string | undefined,
      body?: unknown,
      headers?: Record<string, string>,
    ) => call('POST', path, { ...(key && { key }), body, ...(headers && { headers }) }),
    call,
    /** GraphQL over HTTP with the partner's TEST keys, or others. */
    graphql: (
      query: string,
      variables?: Record<string, unknown>,
      by: Partial<Keys> & { bearer?: string; environment?: 'TEST' | 'LIVE' } = keys,
    ) =>
      call('POST', '/graphql', {
        headers: {
          ...(by.public && { 'x-api-key': by.public }),
          ...(by.secret && { 'x-api-secret': by.secret }),
          ...(by.bearer && credentialHeaders(by.bearer)),
          ...(by.environment && { 'x-environment': by.environment }),
        },
        body: { query, variables },
      }),
    /** Awards the event type `times` times. */
    givePoints: async (userId: string, times: number, eventType = 'signup', by = keys.secret) => {
      for (let i = 0; i < times; i++) {
        const answer = await call('POST', '/v1/points/award', {
          key: by,
          body: { userId, eventType },
        })
        if (answer.status !== 200) throw new Error(answer.text)
      }
    },
    /** Releases the server. Drops the database, unless the options named it. */
    end: async () => {
      await checkEvents(server.database.pool)
      await giveBack()
    },
  }
}
