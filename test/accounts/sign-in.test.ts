import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { type Answer, createWorld, type World } from '../world.ts'

let now = Date.now()
let world: World
beforeAll(async () => {
  world = await createWorld({
    clock: () => new Date(now),
    config: { signInLimit: 10, trustProxy: ['127.0.0.0/8'] },
  })
})
afterAll(() => world.end())

const password = 'correct horse battery staple'

const createMember = async (isOperator = false) => {
  const email = `${randomUUID()}@example.com`
  const { partnerId } = world.partner
  const passwordHash = await hashPassword(password)
  await world.runtime.db.member.create({
    data: { id: randomUUID(), partnerId, email, passwordHash, role: 'OWNER', isOperator },
  })
  return email
}

const home = '192.0.2.1'

const logIn = (email: string, withPassword = password, ip = home) =>
  world.post(
    '/dashboard/auth/login',
    undefined,
    { email, password: withPassword },
    { 'x-forwarded-for': ip },
  )

const statusesOf = (answers: Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const me = (token: string, environment?: string) =>
  world.get('/dashboard/auth/me', undefined, {
    authorization: `Bearer ${token}`,
    ...(environment && { 'x-environment': environment }),
  })

const nextWindow = () => {
  now += 600_000
}

describe('signing in', () => {
  test('gives tokens that the dashboard accepts for an hour', async () => {
    nextWindow()
    const email = await createMember()
    const { status, body } = await logIn(` ${email.toUpperCase()} `)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      refreshToken: expect.stringMatching(/^rt_/),
    })
    const answer = await me(body.data.accessToken)
    expect(answer.body.data).toMatchObject({ email, role: 'DEVELOPER' })
    now += 3600_000
    expect(await me(body.data.accessToken)).toMatchObject({
      status: 401,
      body: { message: 'Missing or invalid bearer token', errorCode: 'INVALID_BEARER_TOKEN' },
    })
  })

  test('with a wrong password or an unknown address is the same 401', async () => {
    nextWindow()
    const email = await createMember()
    const wrong = await logIn(email, 'wrong')
    const nobody = await logIn('nobody@example.com')
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Invalid email or password' } })
    expect({ ...nobody.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
  })

  test('five wrong passwords delay the sixth attempt from that address, even with the right password', async () => {
    nextWindow()
    const email = await createMember()
    for (let i = 0; i < 4; i++) await logIn(email, 'wrong')
    for (let i = 0; i < 3; i++) expect((await logIn(email)).status).toBe(200)
    // Wrong passwords are forgotten an hour after the last one.
    now += 3600_000
    for (let i = 0; i < 5; i++) expect((await logIn(email, 'wrong')).status).toBe(401)
    const early = await logIn(email)
    expect(early).toMatchObject({ status: 429, body: { errorCode: 'ACCOUNT_LOCKED' } })
    expect(early.headers.get('retry-after')).toBe('60')
    now += 60_000
    for (let i = 0; i < 2; i++) expect((await logIn(email)).status).toBe(200)
    now += 3600_000
    for (let i = 0; i < 5; i++) expect((await logIn(email, 'wrong')).status).toBe(401)
  })

  test('each further wrong password waits twice as long, up to a quarter of an hour', async () => {
    const email = await createMember()
    const waits: number[] = []
    for (let i = 0; i < 5; i++) await logIn(email, 'wrong', '192.0.2.2')
    for (let i = 0; i < 6; i++) {
      const early = await logIn(email, 'wrong', '192.0.2.2')
      expect(early.body.errorCode).toBe('ACCOUNT_LOCKED')
      waits.push(Number(early.headers.get('retry-after')))
      // The address has a separate limit.
      await world.runtime.db.throttle.deleteMany({ where: { key: 'sign-in 192.0.2.2' } })
      now += (waits.at(-1) as number) * 1000
      expect((await logIn(email, 'wrong', '192.0.2.2')).status).toBe(401)
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900])
  })

  test('wrong passwords of a stranger do not lock out the owner', async () => {
    nextWindow()
    const email = await createMember()
    for (let i = 0; i < 6; i++) await logIn(email, 'wrong', '198.51.100.1')
    expect((await logIn(email, password, '198.51.100.1')).status).toBe(429)
    expect((await logIn(email)).status).toBe(200)
  })

  test('guesses from many addresses are limited together, except from addresses that signed in before', async () => {
    nextWindow()
    const email = await createMember()
    expect((await logIn(email)).status).toBe(200)
    const guesses = []
    for (let i = 0; i < 110; i++) guesses.push(await logIn(email, 'wrong', `203.0.113.${i}`))
    // The first sign-in of the owner counted as one of a stranger, too.
    expect(statusesOf(guesses)).toEqual({ 401: 99, 429: 11 })
    expect(guesses.at(-1)?.body.errorCode).toBe('ACCOUNT_LOCKED')
    expect((await logIn(email)).status).toBe(200)
    expect((await logIn(email, password, '192.0.2.77')).status).toBe(429)
    now += 3600_000
    expect((await logIn(email, password, '192.0.2.77')).status).toBe(200)
  })

  test('a burst of attempts gets no further than single attempts', async () => {
    nextWindow()
    const email = await createMember()
    const from = (n: number) => `2001:db8:0:${n % 4}::${n}`
    const burst = await Promise.all(
      Array.from({ length: 32 }, (_, n) => logIn(email, 'wrong', from(n))),
    )
    // Four IPv6 networks with five tries each.
    expect(statusesOf(burst)).toEqual({ 401: 20, 429: 12 })
  })

  test('is delayed for unknown addresses too, so that the delay does not reveal members', async () => {
    nextWindow()
    const nobody = `${randomUUID()}@example.com`
    for (let i = 0; i < 5; i++) expect((await logIn(nobody)).status).toBe(401)
    expect((await logIn(nobody)).body.errorCode).toBe('ACCOUNT_LOCKED')
  })

  test('that came too early can be repeated with its Idempotency-Key', async () => {
    nextWindow()
    const email = await createMember()
    for (let i = 0; i < 5; i++) await logIn(email, 'wrong')
    const again = () =>
      world.post(
        '/dashboard/auth/login',
        undefined,
        { email, password },
        { 'idempotency-key': 'patient', 'x-forwarded-for': home },
      )
    expect((await again()).status).toBe(429)
    now += 60_001
    expect((await again()).status).toBe(200)
  })

  test('is refused after ten attempts from an address in ten minutes, in GraphQL too, and without rate limits', async () => {
    nextWindow()
    for (let i = 0; i < 10; i++) expect((await logIn(`nobody-${i}@example.com`)).status).toBe(401)
    const refused = await logIn('nobody@example.com')
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590)
    const { body } = await world.call('POST', '/graphql', {
      headers: { 'x-forwarded-for': home },
      body: {
        query: 'mutation { signIn(input: {email: "a", password: "b"}) { ... on Error { code } } }',
      },
    })
    expect(body.data.signIn).toEqual({ code: 'RATE_LIMITED' })
    expect((await logIn('nobody@example.com', password, '192.0.2.9')).status).toBe(401)
    nextWindow()
    expect((await logIn('nobody@example.com')).status).toBe(401)
  })
})

const refresh = (refreshToken: string, ip?: string) =>
  world.post(
    '/dashboard/auth/refresh',
    undefined,
    { refreshToken },
    { ...(ip && { 'x-forwarded-for': ip }) },
  )

describe('refreshing', () => {
  test('gives new tokens, and a token that is reused after the next one ends the sign-in', async () => {
    nextWindow()
    const first = (await logIn(await createMember())).body.data
    const second = (await refresh(first.refreshToken)).body.data
    const third = (await refresh(second.refreshToken)).body.data
    expect((await me(third.accessToken)).status).toBe(200)
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect((await refresh(third.refreshToken)).body.message).toBe(
      'Invalid or expired refresh token',
    )
    expect((await me(third.accessToken)).status).toBe(401)
  })

  test('again within ten seconds from the same network gives the same next token', async () => {
    nextWindow()
    const first = (await logIn(await createMember())).body.data
    const second = (await refresh(first.refreshToken)).body.data
    now += 10_000
    const retried = (await refresh(first.refreshToken)).body.data
    expect(retried.refreshToken).toBe(second.refreshToken)
    expect((await me(retried.accessToken)).status).toBe(200)
    const { body } = await world.graphql(
      `mutation ($input: RefreshTokensInput!) { refreshTokens(input: $input) {
        ... on RefreshTokensPayload { tokens { refreshToken } } } }`,
      { input: { refreshToken: first.refreshToken } },
      {},
    )
    expect(body.data.refreshTokens.tokens.refreshToken).toBe(second.refreshToken)
    expect((await refresh(second.refreshToken)).status).toBe(200)
    const rows = await world.runtime.db.signIn.findMany()
    expect(JSON.stringify(rows)).not.toContain(second.refreshToken.split('.').at(-1))
  })

  test.each([
    ['later than ten seconds', undefined, 10_001],
    ['from another network', '198.51.100.7', 0],
  ])('again %s ends the sign-in', async (_, ip, waitedMs) => {
    nextWindow()
    const first = (await logIn(await createMember())).body.data
    const second = (await refresh(first.refreshToken)).body.data
    now += waitedMs
    expect((await refresh(first.refreshToken, ip)).status).toBe(401)
    expect((await refresh(second.refreshToken)).status).toBe(401)
    expect((await me(second.accessToken)).status).toBe(401)
  })

  test('again after the sign-in ended, or its partner closed, is refused', async () => {
    nextWindow()
    const email = await createMember()
    const ended = (await logIn(email)).body.data
    const { accessToken } = (await refresh(ended.refreshToken)).body.data
    await world.post('/dashboard/auth/logout', accessToken)
    expect((await refresh(ended.refreshToken)).status).toBe(401)
    const waiting = (await logIn(email)).body.data
    const next = (await refresh(waiting.refreshToken)).body.data
    const close = (closedAt: Date | null) =>
      world.runtime.db.partner.update({
        where: { id: world.partner.partnerId },
        data: { closedAt },
      })
    await close(new Date(now))
    expect((await refresh(waiting.refreshToken)).status).toBe(403)
    await close(null)
    expect((await refresh(next.refreshToken)).status).toBe(200)
  })

  test('with one token ten times at once gives all callers the same next token', async () => {
    nextWindow()
    const { refreshToken } = (await logIn(await createMember())).body.data
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)))
    expect(statusesOf(answers)).toEqual({ 200: 10 })
    const next = new Set(answers.map(({ body }) => body.data.refreshToken))
    expect(next.size).toBe(1)
    const [nextToken = ''] = next
    expect((await refresh(nextToken)).status).toBe(200)
  })

  test('ends after 30 days without use', async () => {
    nextWindow()
    const { refreshToken } = (await logIn(await createMember())).body.data
    now += 30 * 24 * 3600_000
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  test('refuses a token that was tampered with, which ends nothing', async () => {
    nextWindow()
    const { refreshToken } = (await logIn(await createMember())).body.data
    for (const bad of [`${refreshToken}x`, refreshToken.replace('.1.', '.2.'), 'rt_', 'x'])
      expect((await refresh(bad)).status).toBe(401)
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

test('signing out ends access and refreshing', async () => {
  nextWindow()
  const { accessToken, refreshToken } = (await logIn(await createMember())).body.data
  const answer = await world.post('/dashboard/auth/logout', accessToken)
  expect(answer.status).toBe(200)
  expect((await me(accessToken)).status).toBe(401)
  expect((await refresh(refreshToken)).status).toBe(401)
})

test.each(['', 'Bearer', 'Bearer x', 'Basic abc', 'Bearer a.b.c'])(
  'the header %j is 401 with the documented message',
  async (authorization) => {
    const answer = await world.get('/dashboard/auth/me', undefined, { authorization })
    expect(answer).toMatchObject({
      status: 401,
      body: { message: 'Missing or invalid bearer token' },
    })
  },
)

test('a member works in LIVE unless X-Environment says TEST, and sees no other environment', async () => {
  await world.givePoints('only-in-test', 1)
  const token = await world.signInAs('OWNER')
  const read = async (environment?: string) =>
    world.call('POST', '/graphql', {
      headers: {
        authorization: `Bearer ${token}`,
        ...(environment && { 'x-environment': environment }),
      },
      body: { query: '{ user(by: { externalId: "only-in-test" }) { balance } }' },
    })
  expect((await read('TEST')).body.data.user.balance).toBe(100)
  expect((await read()).body.data.user).toBeNull()
  expect((await read('MOON')).body.errors[0].extensions.code).toBe('INVALID_ENVIRONMENT')
})

test('responses that are stored for an Idempotency-Key are encrypted', async () => {
  nextWindow()
  const email = await createMember()
  const headers = { 'idempotency-key': randomUUID() }
  const send = () => world.post('/dashboard/auth/login', undefined, { email, password }, headers)
  const first = await send()
  const second = await send()
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  const rows = await world.runtime.db.idempotentRequest.findMany()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('accessToken')
})
