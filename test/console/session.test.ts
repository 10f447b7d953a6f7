/** A session of the console: a cookie that belongs to a sign-in. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { writeUses } from '../../src/accounts/last-use.ts'
import { codeAt, stepAt } from '../../src/accounts/totp.ts'
import { createWorld, type World } from '../world.ts'
import {
  ask,
  cookieIn,
  createMember,
  fromConsole,
  openSession,
  password,
  signIn,
} from './browser.ts'

let now = Date.now()
let world: World
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterAll(() => world.end())

const day = 24 * 3600_000

const isSignedIn = async (cookie: string) => (await ask(world, cookie)).status === 200

/** The newest sign-in of a member. */
const signInOf = (memberId: string) =>
  world.runtime.db.signIn.findFirstOrThrow({ where: { memberId }, orderBy: { id: 'desc' } })

const signOut = (cookie: string) =>
  world.call('DELETE', '/console/session', { headers: { ...fromConsole, cookie } })

describe('signing in', () => {
  test('sets a cookie that scripts cannot read, and returns the member without tokens', async () => {
    const { id, email } = await createMember(world, 'EDITOR')
    const answer = await signIn(world, { email, password })
    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      uuid: id,
      email,
      role: 'EDITOR',
      isOperator: false,
      partner: {
        id: expect.any(String),
        uuid: world.partner.partnerId,
        slug: expect.any(String),
        name: expect.any(String),
      },
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^tessera-console=cs_[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await ask(world, cookieIn(answer))).data.viewer.member.email).toBe(email)
  })

  test('is refused in the shape of REST, and sets no cookie', async () => {
    const { email } = await createMember(world)
    const wrong = await signIn(world, { email, password: 'wrong' })
    expect(wrong).toMatchObject({
      status: 401,
      body: { status: 'error', code: 401, errorCode: 'INVALID_CREDENTIALS' },
    })
    const incomplete = await signIn(world, { email, password: 5 })
    expect(incomplete).toMatchObject({
      status: 400,
      body: { errorCode: 'VALIDATION_FAILED', errors: [{ field: 'password' }] },
    })
    for (const body of ['[]', '"a"', '{}', '{"email": null}'])
      expect((await signIn(world, body)).status, body).toBe(400)
    for (const { headers } of [wrong, incomplete]) expect(headers.getSetCookie()).toEqual([])
  })

  test('asks for the second factor of a member who has one', async () => {
    const { email, cookie } = await openSession(world)
    const run = async (query: string) => (await ask(world, cookie, fromConsole, query)).data
    const { startTotp } = await run(
      `mutation { startTotp(input: { currentPassword: "${password}" }) { ... on StartTotpPayload { secret } } }`,
    )
    const code = () => codeAt(startTotp.secret, stepAt(new Date(now)))
    await run(`mutation { confirmTotp(input: { code: "${code()}" }) { __typename } }`)
    now += 30_000
    const without = await signIn(world, { email, password })
    expect(without).toMatchObject({ status: 401, body: { errorCode: 'SECOND_FACTOR_REQUIRED' } })
    const wrong = await signIn(world, { email, password, code: '000000' })
    expect(wrong).toMatchObject({ status: 401, body: { errorCode: 'INVALID_SECOND_FACTOR' } })
    const right = await signIn(world, { email, password, code: code() })
    expect([right.status, await isSignedIn(cookieIn(right))]).toEqual([200, true])
  })

  test('is listed and recorded like any sign-in', async () => {
    const { email } = await createMember(world)
    const headers = { ...fromConsole, 'user-agent': 'A browser' }
    const cookie = cookieIn(await signIn(world, { email, password }, headers))
    const { data } = await ask(
      ...([world, cookie, fromConsole] as const),
      `{ viewer { signIns { nodes { userAgent isCurrent } } }
         auditLog(filter: { action: "signIn" }, first: 1) { nodes { userAgent address } } }`,
    )
    expect(data.viewer.signIns.nodes).toEqual([{ userAgent: 'A browser', isCurrent: true }])
    expect(data.auditLog.nodes).toEqual([{ userAgent: 'A browser', address: '127.0.0.1' }])
  })
})

describe('a session', () => {
  test('belongs to a member, in the environment of the header', async () => {
    const { cookie, email } = await openSession(world, 'ANALYST')
    const inTest = await ask(world, cookie, { ...fromConsole, 'x-environment': 'TEST' })
    expect(inTest.data.viewer).toMatchObject({ environment: 'TEST', member: { email } })
    expect(inTest.data.viewer.rights).toContain('EXPORT')
    expect((await ask(world, cookie)).data.viewer.environment).toBe('LIVE')
    const wrong = await ask(world, cookie, { ...fromConsole, 'x-environment': 'BOTH' })
    expect(wrong.code).toBe('INVALID_ENVIRONMENT')
  })

  test('works for GET requests and event streams, too', async () => {
    const { cookie, email } = await openSession(world)
    const headers = { ...fromConsole, cookie, 'x-environment': 'TEST' }
    const query = new URLSearchParams({ query: '{ viewer { member { email } } }' })
    const byGet = await world.get(`/graphql?${query}`, undefined, headers)
    expect(byGet.body.data.viewer.member.email).toBe(email)
    expect(byGet.headers.get('cache-control')).toBe('private, no-cache')
    const stream = await fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { eventPublished { type } }' }),
    })
    expect(stream.status).toBe(200)
    const ended = stream.text().catch(() => {})
    await signOut(cookie)
    const signedOutAt = Date.now()
    await ended
    expect(Date.now() - signedOutAt).toBeLessThan(5_000)
  })

  test('opens a WebSocket, which closes when the session ends', async () => {
    const { cookie, email } = await openSession(world)
    const closed = Promise.withResolvers<unknown>()
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: class extends WebSocket {
        constructor(url: string, protocols: string[]) {
          super(url, protocols, { headers: { cookie, origin: world.base } })
        }
      },
      connectionParams: { ...fromConsole, 'x-environment': 'TEST' },
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: () => {},
      on: { closed: closed.resolve },
    })
    const { value } = await client
      .iterate({ query: '{ viewer { environment member { email } } }' })
      .next()
    expect(value.data.viewer).toEqual({ environment: 'TEST', member: { email } })
    await signOut(cookie)
    expect(await closed.promise).toMatchObject({ code: 4403 })
  })

  test('ends at once when its member signs out, and the cookie is deleted', async () => {
    const { cookie } = await openSession(world)
    const other = await openSession(world)
    const answer = await signOut(cookie)
    expect(answer).toMatchObject({ status: 200, body: { data: { signedOut: true } } })
    expect(answer.headers.getSetCookie()).toEqual([
      'tessera-console=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
    expect((await ask(world, cookie)).code).toBe('INVALID_BEARER_TOKEN')
    expect(await isSignedIn(other.cookie)).toBe(true)
    // The cookie also goes when its session is over already.
    const again = await signOut(cookie)
    expect([again.status, again.headers.getSetCookie().length]).toEqual([200, 1])
    expect((await signOut('tessera-console=nonsense')).status).toBe(200)
  })

  test('ends when its member ends their other sign-ins or changes the password in another session', async () => {
    const member = await createMember(world)
    const open = async () => cookieIn(await signIn(world, { email: member.email, password }))
    const [first, second] = [await open(), await open()]
    const run = (cookie: string, mutation: string) =>
      ask(world, cookie, fromConsole, `mutation { ${mutation} { __typename } }`)
    await run(second, 'endOtherSignIns')
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
    const third = await open()
    await run(
      third,
      `changePassword(input: { currentPassword: "${password}", newPassword: "${password}!" })`,
    )
    expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, true])
  })

  test('has the current rights of its member, and ends when the member is deleted', async () => {
    const owner = await openSession(world)
    const { cookie, id } = await openSession(world, 'ANALYST')
    const rightsOf = async () => (await ask(world, cookie)).data?.viewer.rights
    expect(await rightsOf()).toContain('EXPORT')
    const run = (mutation: string) =>
      ask(world, owner.cookie, fromConsole, `mutation { ${mutation} { __typename } }`)
    await run(`updateMember(input: { memberId: "${id}", role: DEVELOPER })`)
    expect(await rightsOf()).not.toContain('EXPORT')
    await run(`deleteMember(input: { memberId: "${id}" })`)
    expect((await ask(world, cookie)).code).toBe('INVALID_BEARER_TOKEN')
  })
})

describe('time', () => {
  test('ends a session thirty days after the sign-in, however much it is used', async () => {
    const { cookie } = await openSession(world)
    for (let days = 5; days < 30; days += 5) {
      now += 5 * day
      expect(await isSignedIn(cookie), `after ${days} days`).toBe(true)
    }
    now += 5 * day - 1
    expect(await isSignedIn(cookie)).toBe(true)
    now += 1
    expect((await ask(world, cookie)).code).toBe('INVALID_BEARER_TOKEN')
  })

  test('of the last use is written for all sessions at once, not by the requests', async () => {
    const [first, second] = [await openSession(world), await openSession(world)]
    await writeUses(world.runtime)
    now += 1_000
    for (const { cookie } of [first, second, first]) expect(await isSignedIn(cookie)).toBe(true)
    expect((await signInOf(first.id)).refreshedAt).toBeNull()
    let statements = 0
    const { db } = world.runtime
    const $executeRaw = (...args: [never]) => {
      statements++
      return db.$executeRaw(...args)
    }
    const uses = { ...world.runtime, db: { ...db, $executeRaw } as never }
    await writeUses(uses)
    expect(statements).toBe(1)
    for (const { id } of [first, second])
      expect((await signInOf(id)).refreshedAt).toEqual(new Date(now))
    await writeUses(uses)
    expect(statements).toBe(1)
  })
})
