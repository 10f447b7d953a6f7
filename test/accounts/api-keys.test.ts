import { afterAll, beforeAll, expect, test } from 'vitest'
import { awake } from '../timing.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

let database: TestDatabase
let world: World
/** Access token of a member of the partner. */
let member: string

beforeAll(async () => {
  database = await createDatabase()
  world = await createWorld({ database })
  member = await world.signInAs('OWNER')
})
afterAll(async () => {
  await world.end()
  await database.drop()
})

type Environment = 'TEST' | 'LIVE'

const asMember = async (
  query: string,
  input: object,
  environment: Environment = 'TEST',
  key = member,
) =>
  (
    await world.call('POST', '/graphql', {
      key,
      headers: { 'x-environment': environment },
      body: { query, variables: { input } },
    })
  ).body.data.result

const createKey = (input: object, environment?: Environment, by?: string) =>
  asMember(
    `mutation ($input: CreateApiKeyInput!) {
      result: createApiKey(input: $input) {
        ... on CreateApiKeyPayload {
          key
          apiKey { id kind environment label lastFour revokedAt expiresAt allowedNetworks }
        }
        ... on ValidationError { code errors { path message } }
      }
    }`,
    input,
    environment,
    by,
  )

const revokeKey = (apiKeyId: string) =>
  asMember(
    `mutation ($input: RevokeApiKeyInput!) {
      result: revokeApiKey(input: $input) {
        __typename
        ... on RevokeApiKeyPayload { apiKey { id revokedAt } }
        ... on Error { code message }
      }
    }`,
    { apiKeyId },
  )

test('a new key works at once, in its environment only', async () => {
  const { key, apiKey } = await createKey({ kind: 'SECRET', label: 'backend' }, 'LIVE')
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{43}$/)
  expect(apiKey).toEqual({
    id: expect.any(String),
    kind: 'SECRET',
    environment: 'LIVE',
    label: 'backend',
    lastFour: key.slice(-4),
    revokedAt: null,
    expiresAt: null,
    allowedNetworks: [],
  })
  await world.givePoints('only-live', 1, 'signup', key)
  expect((await world.get('/v1/users/only-live/balance', key)).status).toBe(200)
  expect((await world.get('/v1/users/only-live/balance', world.keys.secret)).status).toBe(404)
})

test('the list shows the keys of the environment, and never their text', async () => {
  const { key, apiKey } = await createKey({ kind: 'PUBLIC' })
  const { body, text } = await world.graphql(
    '{ apiKeys(first: 100) { totalCount { value } nodes { id environment lastFour } } }',
  )
  const { nodes, totalCount } = body.data.apiKeys
  expect(nodes).toContainEqual({
    id: apiKey.id,
    environment: 'TEST',
    lastFour: key.slice(-4),
  })
  expect(nodes).toHaveLength(totalCount.value)
  for (const { environment } of nodes) expect(environment).toBe('TEST')
  expect(text).not.toMatch(/[ps]k_(test|live)_/)
})

test('a revoked key is refused at once on this node; revoking it again changes nothing', async () => {
  const { key, apiKey } = await createKey({ kind: 'PUBLIC' })
  expect((await world.get('/v1/games', key)).status).toBe(200)
  const first = await revokeKey(apiKey.id)
  expect(first).toEqual({
    __typename: 'RevokeApiKeyPayload',
    apiKey: { id: apiKey.id, revokedAt: expect.stringMatching(/Z$/) },
  })
  expect((await world.get('/v1/games', key)).body).toMatchObject({
    code: 403,
    message: 'API key has been revoked',
  })
  expect(await revokeKey(apiKey.id)).toEqual(first)
})

const updateKey = (input: object) =>
  asMember(
    `mutation ($input: UpdateApiKeyInput!) {
      result: updateApiKey(input: $input) {
        ... on UpdateApiKeyPayload { apiKey { label allowedNetworks } }
        ... on Error { code }
        ... on ValidationError { errors { path } }
      }
    }`,
    input,
  )

test('the label and networks of a key can be changed, and apply at once', async () => {
  const { key, apiKey } = await createKey({ kind: 'PUBLIC', label: 'shop' })
  const apiKeyId = apiKey.id
  expect((await world.get('/v1/games', key)).status).toBe(200)
  expect(
    await updateKey({ apiKeyId, allowedNetworks: ['203.0.113.7/24', '203.0.113.0/24'] }),
  ).toEqual({ apiKey: { label: 'shop', allowedNetworks: ['203.0.113.0/24'] } })
  expect((await world.get('/v1/games', key)).body).toMatchObject({
    errorCode: 'API_KEY_NETWORK_NOT_ALLOWED',
  })
  expect(await updateKey({ apiKeyId, label: null, allowedNetworks: null })).toEqual({
    apiKey: { label: null, allowedNetworks: [] },
  })
  expect((await world.get('/v1/games', key)).status).toBe(200)
  expect(await updateKey({ apiKeyId })).toEqual({ apiKey: { label: null, allowedNetworks: [] } })
  const wrong = { apiKeyId, label: '', allowedNetworks: ['everywhere'] }
  expect(await updateKey(wrong)).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: ['label'] }, { path: ['allowedNetworks', '0'] }],
  })
})

test('a key of another environment or partner cannot be revoked or changed', async () => {
  const { partnerId } = await world.createPartner()
  const live = await createKey({ kind: 'PUBLIC' }, 'LIVE')
  const by = await world.signInAs('OWNER', partnerId)
  const foreign = await createKey({ kind: 'PUBLIC' }, 'TEST', by)
  const notFound = {
    __typename: 'NotFoundError',
    code: 'API_KEY_NOT_FOUND',
    message: 'API key not found',
  }
  for (const { apiKey, key } of [live, foreign]) {
    expect(await revokeKey(apiKey.id)).toEqual(notFound)
    expect(await updateKey({ apiKeyId: apiKey.id, label: 'mine' })).toEqual({
      code: 'API_KEY_NOT_FOUND',
    })
    expect((await world.get('/v1/games', key)).status).toBe(200)
  }
  expect(await revokeKey('00000000-0000-4000-8000-000000000000')).toEqual(notFound)
  expect(await revokeKey('x')).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('no key can create or revoke keys, and a public key cannot list them', async () => {
  const make = 'mutation { createApiKey(input: { kind: SECRET }) { __typename } }'
  const revoke = `mutation { revokeApiKey(input: { apiKeyId: "${world.partner.partnerId}" }) { __typename } }`
  const isPublic = { public: world.keys.public }
  const isSecret = { secret: world.keys.secret }
  for (const [document, by, code] of [
    [make, isPublic, 'INVALID_BEARER_TOKEN'],
    [make, isSecret, 'INVALID_BEARER_TOKEN'],
    [revoke, isPublic, 'INVALID_BEARER_TOKEN'],
    [revoke, isSecret, 'INVALID_BEARER_TOKEN'],
    ['{ apiKeys { totalCount { value } } }', isPublic, 'MISSING_API_SECRET'],
  ] as const) {
    const { body, status } = await world.graphql(document, {}, by)
    expect(body.errors[0].extensions.code).toBe(code)
    expect(body.data ?? null).toBeNull()
    expect(status).toBe(401)
  }
})

test('the database stores only digests', async () => {
  const texts = [
    ...Object.values(world.partner.test),
    ...Object.values(world.partner.live),
    (await createKey({ kind: 'SECRET' })).key,
  ]
  const { rows } = await world.server.database.pool.query({
    text: 'SELECT to_jsonb(k)::text AS dump, octet_length(hash) AS bytes FROM api_key k',
  })
  expect(rows.length).toBeGreaterThanOrEqual(texts.length)
  for (const { dump, bytes } of rows) {
    expect(bytes).toBe(32)
    for (const text of texts) {
      const secret = text.slice(8, -4)
      expect(dump).not.toContain(secret)
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
    }
  }
})

test.runIf(onPostgres)('a revocation reaches another server within five seconds', async () => {
  const other = await createWorld({ database })
  try {
    const { key, apiKey } = await createKey({ kind: 'PUBLIC' })
    expect((await other.get('/v1/games', key)).status).toBe(200)
    await revokeKey(apiKey.id)
    const startedAt = awake()
    while ((await other.get('/v1/games', key)).status !== 403)
      expect(awake() - startedAt).toBeLessThan(5_000)
  } finally {
    await other.end()
  }
})
