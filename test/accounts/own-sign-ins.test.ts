/** Members see their own sign-ins and end them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { coarseNetworkOf } from '../../src/kit/security/network.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { trustProxy: ['127.0.0.0/8'] } })
})
afterAll(() => world.end())

const password = 'correct horse battery staple'

const createMember = async () => {
  const email = `${randomUUID()}@example.com`
  const passwordHash = await hashPassword(password)
  const { partnerId } = world.partner
  const data = { id: randomUUID(), partnerId, email, passwordHash, role: 'ANALYST' } as const
  await world.runtime.db.member.create({ data })
  return email
}

const logIn = async (email: string, ip: string, userAgent: string) =>
  (
    await world.post(
      '/dashboard/auth/login',
      undefined,
      { email, password },
      {
        'x-forwarded-for': ip,
        'user-agent': userAgent,
      },
    )
  ).body.data

const signInsOf = async (bearer: string) => {
  const document =
    '{ viewer { signIns { nodes { uuid userAgent network isCurrent refreshedAt } } } }'
  return (await world.graphql(document, {}, { bearer })).body.data.viewer.signIns?.nodes
}

const end = async (bearer: string, signInId: string) => {
  const document = `mutation ($id: ID!) { endSignIn(input: { signInId: $id }) {
    ... on EndSignInPayload { signIn { revokedAt } } ... on Error { code } } }`
  const { body } = await world.graphql(document, { id: signInId }, { bearer })
  return body.data?.endSignIn ?? { code: body.errors[0].extensions.code }
}

test('a member sees where they are signed in, by browser and coarse network, never by address', async () => {
  const email = await createMember()
  const phone = await logIn(email, '192.0.2.77', 'A phone')
  const desk = await logIn(email, '2001:db8:1:2:3:4:5:6', 'A desk')
  await world.post('/dashboard/auth/refresh', undefined, { refreshToken: phone.refreshToken })
  const uuid = expect.any(String)
  expect(await signInsOf(desk.accessToken)).toEqual([
    { uuid, userAgent: 'A desk', network: '2001:db8:1::/48', isCurrent: true, refreshedAt: null },
    { uuid, userAgent: 'A phone', network: '192.0.2.0/24', isCurrent: false, refreshedAt: uuid },
  ])
  const rows = await world.runtime.db.signIn.findMany()
  expect(JSON.stringify(rows)).not.toContain('192.0.2.77')
  expect(['::ffff:192.0.2.77', '192.0.2.77', 'x'].map(coarseNetworkOf)).toEqual([
    '192.0.2.0/24',
    '192.0.2.0/24',
    null,
  ])
})

test('a member ends one of their sign-ins, and all others at once', async () => {
  const email = await createMember()
  const [a, b, c] = [
    await logIn(email, '192.0.2.1', 'a'),
    await logIn(email, '192.0.2.1', 'b'),
    await logIn(email, '192.0.2.1', 'c'),
  ]
  const me = async (token: string) => (await world.get('/dashboard/auth/me', token)).status
  const [, second] = await signInsOf(c.accessToken)
  expect(await me(b.accessToken)).toBe(200)
  expect((await end(c.accessToken, second.uuid)).signIn.revokedAt).not.toBeNull()
  expect(await me(b.accessToken)).toBe(401)
  expect(await end(c.accessToken, second.uuid)).toEqual({ code: 'SIGN_IN_NOT_FOUND' })
  const document = 'mutation { endOtherSignIns { ... on EndOtherSignInsPayload { endedCount } } }'
  const { body } = await world.graphql(document, {}, { bearer: c.accessToken })
  expect(body.data.endOtherSignIns.endedCount).toBe(1)
  expect([await me(a.accessToken), await me(c.accessToken)]).toEqual([401, 200])
  const refreshed = await world.post('/dashboard/auth/refresh', undefined, {
    refreshToken: a.refreshToken,
  })
  expect(refreshed.status).toBe(401)
})

test('sign-ins of others are not shown and cannot be ended, not even by an owner', async () => {
  const { accessToken } = await logIn(await createMember(), '192.0.2.1', 'a')
  const [{ uuid }] = await signInsOf(accessToken)
  const owner = await world.signInAs('OWNER')
  expect(await end(owner, uuid)).toEqual({ code: 'SIGN_IN_NOT_FOUND' })
  const id = Buffer.from(`SignIn:${uuid}`).toString('base64url')
  const ask = async (bearer: string) =>
    (await world.graphql(`{ node(id: "${id}") { uuid } }`, {}, { bearer })).body.data.node
  expect([await ask(owner), await ask(accessToken)]).toEqual([null, { uuid }])
  const byKey = await world.graphql('{ viewer { signIns { nodes { uuid } } } }')
  expect(byKey.body.data.viewer.signIns).toBeNull()
})
