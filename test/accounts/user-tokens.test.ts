/** Tokens that Tessera signs for users, and what a public key may do with and without one. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { deriveKey } from '../../src/kit/security/seal.ts'
import { createWorld, type World } from '../world.ts'
import { claimsOf, partOf, tokenCalls } from './user-token-calls.ts'

let world: World
let call: ReturnType<typeof tokenCalls>
let now = Date.now()
let ann: string
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  call = tokenCalls(world)
  for (const userId of ['ann', 'ben']) await world.givePoints(userId, 5)
  ann = (await call.mint('ann')).token
})
afterAll(() => world.end())

const errorOf = ({ status, body }: { status: number; body: { errorCode?: string } }) => [
  status,
  body.errorCode,
]
const refusedToken = [401, 'INVALID_USER_TOKEN']

describe('a token', () => {
  it('is valid for its user only', async () => {
    const key = world.keys.public
    expect((await call.balance('ann', key, ann)).status).toBe(200)
    expect((await call.play('ann', key, ann)).status).toBe(200)
    expect(errorOf(await call.balance('ben', key, ann))).toEqual([403, 'USER_TOKEN_OF_ANOTHER'])
    expect(errorOf(await call.balance('nobody', key, ann))).toEqual([403, 'USER_TOKEN_OF_ANOTHER'])
    expect(errorOf(await call.play('ben', key, ann))).toEqual([403, 'USER_TOKEN_OF_ANOTHER'])
  })

  it('states its user, environment, expiry and scopes', async () => {
    const { token, ...said } = await call.mint('ann', { ttlSeconds: 60, scopes: ['READ'] })
    const end = Math.floor(now / 1000) + 60
    expect(said).toEqual({
      userId: 'ann',
      scopes: ['READ'],
      expiresAt: new Date(end * 1000).toISOString(),
    })
    expect(claimsOf(token)).toEqual({
      iss: 'tessera',
      sub: 'ann',
      aud: call.audience,
      scope: 'READ',
      iat: end - 60,
      iat_ms: now,
      exp: end,
    })
  })

  it('allows no more than its scopes, and no more than the key', async () => {
    const { token } = await call.mint('ann', { scopes: ['READ'] })
    const key = world.keys.public
    expect((await call.balance('ann', key, token)).status).toBe(200)
    expect(errorOf(await call.play('ann', key, token))).toEqual([403, 'RIGHT_REQUIRED'])
  })

  it('can be created for a user who does not exist yet', async () => {
    const { token } = await call.mint('new one/ü')
    const { body } = await call.asUser(
      '{ viewer { user { externalId } } }',
      world.keys.public,
      token,
    )
    expect(body.data.viewer.user).toBeNull()
    const made = await world.post(
      '/v1/user-journeys/users',
      world.keys.public,
      { externalId: 'new one/ü' },
      { 'x-user-token': token },
    )
    expect(made.status).toBe(200)
    const after = await call.asUser('{ viewer { user { externalId } } }', world.keys.public, token)
    expect(after.body.data.viewer.user).toEqual({ externalId: 'new one/ü' })
  })

  it.each([
    { ttlSeconds: 0 },
    { ttlSeconds: 86_401 },
    { ttlSeconds: 1.5 },
    { scopes: [] },
    { scopes: ['KEYS_WRITE'] },
  ])('is refused with %j', async (body) => {
    const answer = await world.post('/v1/users/ann/token', world.keys.secret, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(1)
  })

  it('cannot be created with a public key, or with more rights than the secret key has', async () => {
    expect((await world.post('/v1/users/ann/token', world.keys.public, {})).status).toBe(401)
    const limited = await world.graphql(
      `mutation { createApiKey(input: { kind: SECRET, scopes: [PLAY] }) {
        ... on CreateApiKeyPayload { key } } }`,
      {},
      { bearer: await world.signInAs('OWNER') },
    )
    const { key } = limited.body.data.createApiKey
    expect((await call.mint('ann', {}, key)).scopes).toEqual(['PLAY'])
    const answer = await world.post('/v1/users/ann/token', key, { scopes: ['READ'] })
    expect(answer.status).toBe(400)
  })
})

describe('a token is refused', () => {
  const refuse = async (token: string, key = world.keys.public) => {
    expect(errorOf(await call.balance('ann', key, token))).toEqual(refusedToken)
    const { body } = await call.asUser(
      '{ user(by: { externalId: "ann" }) { balance } }',
      key,
      token,
    )
    expect(body.errors[0].extensions.code).toBe('INVALID_USER_TOKEN')
    // Also where no user is named: a bad credential is never silently left out.
    expect((await world.get('/v1/games', key, { 'x-user-token': token })).status).toBe(401)
  }
  const partsOf = () => ann.split('.') as [string, string, string]

  it('if any part of it was changed', async () => {
    const [head, body, sign] = partsOf()
    const ben = partOf({ ...claimsOf(ann), sub: 'ben' })
    const flipped = `${sign.slice(0, -2)}${sign.at(-2) === 'A' ? 'B' : 'A'}${sign.at(-1)}`
    for (const token of [
      `${head}.${ben}.${sign}`,
      `${head}.${body}.${flipped}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${partOf({ alg: 'HS256', kid: '7' })}.${body}.${sign}`,
      'nonsense',
      '..',
      'x'.repeat(5_000),
    ])
      await refuse(token)
  })

  it('if it claims to need no signature', async () => {
    const [, body, sign] = partsOf()
    for (const alg of ['none', 'None', 'NONE', '', undefined])
      for (const end of ['', sign]) await refuse(`${partOf({ alg, typ: 'JWT' })}.${body}.${end}`)
  })

  it('if it was signed with another key of the server', async () => {
    const [key] = world.runtime.keys.master
    const header = { alg: 'HS256', kid: String(key.version) }
    for (const purpose of ['access-token', 'refresh-token'])
      await refuse(await call.sign(deriveKey(key.text, purpose), header, { iss: 'tessera' }))
    const good = await call.sign(deriveKey(key.text, 'user-token'), header, { iss: 'tessera' })
    expect((await call.balance('ann', world.keys.public, good)).status).toBe(200)
  })

  it('if a claim is missing or wrong', async () => {
    const [key] = world.runtime.keys.master
    const header = { alg: 'HS256', kid: String(key.version) }
    const at = Math.floor(now / 1000)
    for (const claims of [
      { iss: 'somebody' },
      { aud: `tessera:live:${world.partner.partnerId}` },
      { aud: 'tessera' },
      { sub: '' },
      { sub: 'x'.repeat(256) },
      { exp: at },
      { iat: at + 3600, exp: at + 7200 },
      // It lives for more than a day.
      { iat: at - 86_401 },
      { nbf: at + 3600 },
      ...['sub', 'aud', 'iat', 'exp', 'iss'].map((name) => ({ [name]: undefined })),
    ])
      await refuse(
        await call.sign(deriveKey(key.text, 'user-token'), header, { iss: 'tessera', ...claims }),
      )
  })

  it('with the key of another partner or environment', async () => {
    const other = await world.createPartner()
    await refuse(ann, world.partner.live.public)
    await refuse(ann, other.test.public)
  })

  it('if it has expired', async () => {
    const { token } = await call.mint('ann', { ttlSeconds: 10 })
    expect((await call.balance('ann', world.keys.public, token)).status).toBe(200)
    now += 10_000
    await refuse(token)
    now -= 10_000
  })

  it('if the tokens of its user were revoked after it was issued', async () => {
    const { token } = await call.mint('carl')
    const { token: bens } = await call.mint('ben')
    const path = '/v1/users/carl/token/revoke'
    now += 5
    expect((await world.post(path, world.keys.secret)).body.data).toEqual({
      revokedAt: new Date(now).toISOString(),
    })
    expect(errorOf(await call.balance('carl', world.keys.public, token))).toEqual(refusedToken)
    expect((await call.balance('ben', world.keys.public, bens)).status).toBe(200)
    now += 5
    const { token: fresh } = await call.mint('carl')
    expect((await call.balance('carl', world.keys.public, fresh)).status).toBe(404)
  })
})

it('an erased user leaves no token and no name behind', async () => {
  await world.givePoints('gone', 1)
  const { token } = await call.mint('gone')
  now += 5
  await world.graphql(
    'mutation { eraseUser(input: { user: { externalId: "gone" } }) { __typename } }',
  )
  const key = await call.freshKey()
  expect(errorOf(await call.balance('gone', key, token))).toEqual(refusedToken)
  const { rows } = await world.server.database.pool.query({
    text: `SELECT count(*)::int AS named FROM user_token_revocation r
      WHERE r::text LIKE '%gone%' OR encode(user_digest, 'escape') LIKE '%gone%'`,
  })
  expect(rows[0].named).toBe(0)
})

it('a stream ends soon after the tokens of its user were revoked', async () => {
  const { token } = await call.mint('dora')
  const key = world.keys.public
  const client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'x-api-key': key, 'x-user-token': token },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => {},
  })
  const closed = new Promise<number>((resolve) =>
    client.on('closed', (event) => resolve((event as CloseEvent).code)),
  )
  await new Promise<void>((resolve) => client.on('connected', () => resolve()))
  now += 5
  await world.post('/v1/users/dora/token/revoke', world.keys.secret)
  expect(await closed).toBe(4403)
}, 15_000)

describe('with REQUIRED', () => {
  it('a public key names a user only with the token of that user', async () => {
    expect(await call.setUp({ userTokenPolicy: 'REQUIRED' })).toMatchObject({
      application: { userTokenPolicy: 'REQUIRED' },
    })
    const key = await call.freshKey()
    const missing = [401, 'MISSING_USER_TOKEN']
    expect(errorOf(await call.balance('ann', key))).toEqual(missing)
    expect(errorOf(await call.balance('nobody', key))).toEqual(missing)
    expect(errorOf(await call.play('ann', key))).toEqual(missing)
    const track = { events: [{ externalId: 'ann', category: 'CUSTOM', eventType: 'x' }] }
    expect(errorOf(await world.post('/v1/user-journeys/track', key, track))).toEqual(missing)
    expect((await call.balance('ann', key, ann)).status).toBe(200)
    expect((await world.get('/v1/games', key)).status).toBe(200)
    expect((await world.get('/v1/leaderboard', key)).status).toBe(200)
  })

  it('an activity of another user is rejected, and those of the own user are recorded', async () => {
    const event = { category: 'CUSTOM', eventType: 'x' }
    const { body } = await world.post(
      '/v1/user-journeys/track',
      await call.freshKey(),
      { events: ['ben', 'ann'].map((externalId) => ({ ...event, externalId })) },
      { 'x-user-token': ann },
    )
    expect(body.data).toMatchObject({ accepted: 1, rejected: 1 })
    expect(body.data.results[0]).toMatchObject({
      status: 'rejected',
      error: 'The user token is for another user',
    })
  })

  it('the leaderboard shows other users, but no further fields of them', async () => {
    const key = await call.freshKey()
    const shown = 'externalId displayName lifetimePoints playCount rewardCount score id uuid'
    const list = (fields: string, token?: string) =>
      call.asUser(`{ leaderboard { nodes { rank user { ${fields} } } } }`, key, token)
    for (const token of [undefined, ann]) {
      expect((await list(shown, token)).body.errors).toBeUndefined()
      const { body } = await list('externalId ... on User { balance }', token)
      expect(body.errors).toBeUndefined()
      for (const { user } of body.data.leaderboard.nodes)
        expect(Object.keys(user)).toEqual(
          token && user.externalId === 'ann' ? ['externalId', 'balance'] : ['externalId'],
        )
    }
  })

  it('an answer stored for an Idempotency-Key is only for its user', async () => {
    const key = await call.freshKey()
    const retry = { 'idempotency-key': 'the-same' }
    const first = await call.play('ann', key, ann, retry)
    expect(first.status).toBe(200)
    const again = await call.play('ann', key, ann, retry)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const { token: bens } = await call.mint('ben')
    for (const [token, code] of [
      [undefined, 'MISSING_USER_TOKEN'],
      [bens, 'USER_TOKEN_OF_ANOTHER'],
    ] as const)
      expect((await call.play('ann', key, token, retry)).body.errorCode).toBe(code)
  })

  it('a backend that sends both keys may name all of its users', async () => {
    const key = await call.freshKey()
    const { body } = await world.graphql(
      '{ user(by: { externalId: "ben" }) { balance } }',
      {},
      {
        public: key,
        secret: world.keys.secret,
      },
    )
    expect(body.data.user).toEqual({ balance: expect.any(Number) })
  })
})

describe('a public key beside another credential, in REST as in GraphQL', () => {
  const read = async (userId: string, headers: Record<string, string>) => {
    const sent = { 'x-api-key': await call.freshKey(), ...headers }
    const byRest = await world.get(`/v1/users/${userId}/sdk-balance`, undefined, sent)
    const { body } = await world.call('POST', '/graphql', {
      headers: sent,
      body: { query: `{ user(by: { externalId: "${userId}" }) { balance } }` },
    })
    const byGraphql = body.errors?.[0].extensions.code ?? 200
    expect(byRest.body.errorCode ?? byRest.status).toBe(byGraphql)
    return byGraphql
  }

  it('names every user with a secret key or a member of the same environment', async () => {
    const { token: bens } = await call.mint('ben')
    for (const userTokenPolicy of ['OPTIONAL', 'REQUIRED']) {
      await call.setUp({ userTokenPolicy })
      const bearer = await world.signInAs('ANALYST')
      const trusted: Record<string, string>[] = [
        { 'x-api-secret': world.keys.secret },
        { authorization: `Bearer ${bearer}`, 'x-environment': 'TEST' },
      ]
      for (const headers of trusted) {
        expect(await read('ann', headers)).toBe(200)
        expect(await read('ann', { ...headers, 'x-user-token': bens })).toBe(200)
      }
    }
  })

  it('names nobody else with a credential that does not count', async () => {
    await call.setUp({ userTokenPolicy: 'REQUIRED' })
    const wrong = world.keys.secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await read('ann', { 'x-api-secret': wrong })).toBe('MISSING_USER_TOKEN')
    expect(await read('ann', { authorization: 'Basic abc' })).toBe('MISSING_USER_TOKEN')
    const other = await world.createPartner()
    for (const secret of [other.test.secret, world.partner.live.secret])
      expect(await read('ann', { 'x-api-secret': secret })).toBe('CREDENTIALS_MISMATCH')
    const { token } = await call.mint('ben')
    expect(await read('ann', { 'x-api-secret': wrong, 'x-user-token': token })).toBe(
      'USER_TOKEN_OF_ANOTHER',
    )
  })
})
