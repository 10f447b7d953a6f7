/**
 * The second factor of members: codes of an app, and recovery codes. Neighbours that were looked for: other sign-ins
 * when it is turned on, turned off, or removed by somebody else.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { base32Of, codeAt, stepAt } from '../../src/accounts/totp.ts'
import { ask, cookieIn, signIn } from '../console/browser.ts'
import { createWorld, type World } from '../world.ts'

let now = Date.now()
let world: World
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterAll(() => world.end())

const password = 'correct horse battery staple'

const logIn = (email: string, code?: string) =>
  world.post('/dashboard/auth/login', undefined, { email, password, ...(code && { code }) })

const errorOf = async (answer: ReturnType<typeof logIn>) => (await answer).body.errorCode

const send = async (bearer: string, name: string, fields: string, input: object) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ... on ${Name}Payload { ${fields} } ... on Error { code } } }`
  const { body } = await world.graphql(document, { input }, { bearer })
  return body.data?.[name] ?? { code: body.errors[0].extensions.code }
}

const nextPeriod = () => {
  now += 30_000
}

const codeOf = (secret: string) => codeAt(secret, stepAt(new Date(now)))

const createMember = async () => {
  const email = `${randomUUID()}@example.com`
  const { partnerId } = world.partner
  const passwordHash = await hashPassword(password)
  const member = { id: randomUUID(), partnerId, email, passwordHash, role: 'EDITOR' } as const
  await world.runtime.db.member.create({ data: member })
  return { email, id: member.id, token: (await logIn(email)).body.data.accessToken as string }
}

const start = (token: string, currentPassword = password) =>
  send(token, 'startTotp', 'secret uri', { currentPassword })
const confirm = (token: string, code: string) =>
  send(token, 'confirmTotp', 'recoveryCodes member { hasSecondFactor }', { code })

/** A member with a second factor. */
const createGuarded = async () => {
  const member = await createMember()
  const { secret } = await start(member.token)
  const { recoveryCodes } = await confirm(member.token, codeOf(secret))
  nextPeriod()
  return { ...member, secret: secret as string, recoveryCodes: recoveryCodes as string[] }
}

test('codes match the test vectors of RFC 6238', () => {
  const secret = base32Of(Buffer.from('12345678901234567890'))
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const codes = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000]
  expect(codes.map((seconds) => codeAt(secret, stepAt(new Date(seconds * 1000))))).toEqual([
    '287082',
    '081804',
    '050471',
    '005924',
    '279037',
    '353130',
  ])
})

test('a sign-in asks for a code once the app is confirmed', async () => {
  const { email, token, id } = await createMember()
  const { secret, uri } = await start(token)
  expect(uri).toContain(`secret=${secret}`)
  expect((await logIn(email)).status).toBe(200)
  expect(await confirm(token, '000000')).toEqual({ code: 'INVALID_SECOND_FACTOR' })
  const confirmed = await confirm(token, codeOf(secret))
  expect(confirmed).toEqual({
    recoveryCodes: Array(10).fill(expect.stringMatching(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)),
    member: { hasSecondFactor: true },
  })
  const rows = await world.runtime.db.secondFactor.findMany({ where: { memberId: id } })
  expect(JSON.stringify(rows)).not.toContain(confirmed.recoveryCodes[0].slice(0, 9))
  expect(Buffer.from(rows[0]?.secret ?? []).toString('latin1')).not.toContain(secret)
  nextPeriod()
  const without = await logIn(email)
  expect([without.status, without.body.errorCode]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  expect((await logIn(email, codeOf(secret))).status).toBe(200)
  expect(await start(token)).toEqual({ code: 'SECOND_FACTOR_ACTIVE' })
})

test('a code is valid once, even for ten simultaneous sign-ins', async () => {
  const { email, secret } = await createGuarded()
  const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(email, codeOf(secret))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { body } of answers.filter(({ status }) => status !== 200))
    expect(body.errorCode).toBe('INVALID_SECOND_FACTOR')
  expect(await errorOf(logIn(email, codeOf(secret)))).toBe('INVALID_SECOND_FACTOR')
  // Nor does an older one.
  const before = codeAt(secret, stepAt(new Date(now)) - 1)
  now += 3600_000
  expect(await errorOf(logIn(email, before))).toBe('INVALID_SECOND_FACTOR')
  expect((await logIn(email, codeOf(secret))).status).toBe(200)
})

test('the code that confirmed the app does not sign in', async () => {
  const { email, token } = await createMember()
  const { secret } = await start(token)
  await confirm(token, codeOf(secret))
  expect(await errorOf(logIn(email, codeOf(secret)))).toBe('INVALID_SECOND_FACTOR')
})

test('a recovery code signs in once, however it is written', async () => {
  const { email, recoveryCodes } = await createGuarded()
  const [first = '', second = ''] = recoveryCodes
  const answers = await Promise.all([logIn(email, first), logIn(email, first)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await logIn(email, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
  expect(await errorOf(logIn(email, second))).toBe('INVALID_SECOND_FACTOR')
})

test('wrong codes count like wrong passwords, and the answer to a wrong password does not reveal the second factor', async () => {
  const { email, secret } = await createGuarded()
  const wrong = await world.post('/dashboard/auth/login', undefined, { email, password: 'wrong' })
  expect(wrong.body.errorCode).toBe('INVALID_CREDENTIALS')
  for (let i = 0; i < 5; i++)
    expect(await errorOf(logIn(email, '000000'))).toBe('INVALID_SECOND_FACTOR')
  expect(await errorOf(logIn(email, codeOf(secret)))).toBe('ACCOUNT_LOCKED')
  now += 61_000
  expect((await logIn(email, codeOf(secret))).status).toBe(200)
})

test('enabling requires the password, and disabling requires a code', async () => {
  const { token } = await createMember()
  expect(await start(token, 'wrong')).toEqual({ code: 'VALIDATION_FAILED' })
  expect(await confirm(token, '000000')).toEqual({ code: 'SECOND_FACTOR_INACTIVE' })
  const disable = (by: string, code: string) =>
    send(by, 'disableTotp', 'member { hasSecondFactor }', { code })
  expect(await disable(token, '000000')).toEqual({ code: 'SECOND_FACTOR_INACTIVE' })
  const guarded = await createGuarded()
  expect(await disable(guarded.token, '000000')).toEqual({ code: 'INVALID_SECOND_FACTOR' })
  expect(await disable(guarded.token, codeOf(guarded.secret))).toEqual({
    member: { hasSecondFactor: false },
  })
  expect((await logIn(guarded.email)).status).toBe(200)
})

test('a member who may change members can remove the factor of others, but not their own', async () => {
  const { email, id } = await createGuarded()
  const change = async (bearer: string, memberId: string) =>
    send(bearer, 'updateMember', 'member { hasSecondFactor }', {
      memberId,
      removeSecondFactor: true,
    })
  const owner = await world.signInAs('OWNER')
  const own = (await world.get('/dashboard/auth/me', owner)).body.data.id
  expect(await change(owner, own)).toEqual({ code: 'OWN_MEMBER' })
  expect(await change(await world.signInAs('EDITOR'), id)).toEqual({ code: 'RIGHT_REQUIRED' })
  const stranger = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
  expect(await change(stranger, id)).toEqual({ code: 'MEMBER_NOT_FOUND' })
  expect(await change(owner, id)).toEqual({ member: { hasSecondFactor: false } })
  expect((await logIn(email)).status).toBe(200)
})

/** A member who is signed in three times: here, elsewhere, and in a console. */
const signInEverywhere = async ({ email, code }: { email: string; code?: () => string }) => {
  const tokens = async () => {
    const answer = await logIn(email, code?.())
    nextPeriod()
    return answer.body.data as { accessToken: string; refreshToken: string }
  }
  const [current, elsewhere] = [await tokens(), await tokens()]
  const console = cookieIn(await signIn(world, { email, password, ...(code && { code: code() }) }))
  nextPeriod()
  return { here: current, elsewhere, console }
}

const works = async ({
  here: current,
  elsewhere,
  console,
}: Awaited<ReturnType<typeof signInEverywhere>>) => ({
  here: (await world.get('/dashboard/auth/me', current.accessToken)).status,
  elsewhere: (await world.get('/dashboard/auth/me', elsewhere.accessToken)).status,
  console: (await ask(world, console)).status,
  refresh: (
    await world.post('/dashboard/auth/refresh', undefined, { refreshToken: elsewhere.refreshToken })
  ).status,
})

const endedElsewhere = { here: 200, elsewhere: 401, console: 401, refresh: 401 }

test('turning the second factor on ends all other sign-ins of the member', async () => {
  const { email } = await createMember()
  const all = await signInEverywhere({ email })
  const { secret } = await start(all.here.accessToken)
  expect(await confirm(all.here.accessToken, '000000')).toEqual({ code: 'INVALID_SECOND_FACTOR' })
  expect((await world.get('/dashboard/auth/me', all.elsewhere.accessToken)).status).toBe(200)
  await confirm(all.here.accessToken, codeOf(secret))
  expect(await works(all)).toEqual(endedElsewhere)
})

test('turning it off ends all other sign-ins, too', async () => {
  const { email, secret } = await createGuarded()
  const all = await signInEverywhere({ email, code: () => codeOf(secret) })
  const input = { code: codeOf(secret) }
  await send(all.here.accessToken, 'disableTotp', 'member { hasSecondFactor }', input)
  expect(await works(all)).toEqual(endedElsewhere)
})

test('somebody else removing it ends all sign-ins', async () => {
  const { email, secret, id: memberId } = await createGuarded()
  const all = await signInEverywhere({ email, code: () => codeOf(secret) })
  const owner = await world.signInAs('OWNER')
  const input = { memberId, removeSecondFactor: true }
  await send(owner, 'updateMember', 'member { hasSecondFactor }', input)
  expect(await works(all)).toEqual({ ...endedElsewhere, here: 401 })
})

test('a member with a second factor can be deleted', async () => {
  const { id } = await createGuarded()
  const owner = await world.signInAs('OWNER')
  expect(await send(owner, 'deleteMember', 'member { role }', { memberId: id })).toEqual({
    member: { role: 'EDITOR' },
  })
})
