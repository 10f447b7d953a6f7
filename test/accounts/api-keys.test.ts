import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await createDatabase()
  world = await createWorld({ database })
})
afterAll(async () => {
  await world.end()
  await database.drop()
})

const createKey = async (kind: 'PUBLIC' | 'SECRET', by = world.keys, label?: string) => {
  const { body } = await world.graphql(
    `mutation ($input: CreateApiKeyInput!) {
      createApiKey(input: $input) {
        ... on CreateApiKeyPayload {
          key apiKey { keyId kind environment label lastFour revokedAt }
        }
      }
    }`,
    { input: { kind, label } },
    by,
  )
  return body.data.createApiKey as {
    key: string
    apiKey: { keyId: string; kind: string; environment: string; lastFour: string }
  }
}

const revokeKey = async (keyId: string, by = world.keys) =>
  (
    await world.graphql(
      `mutation ($input: RevokeApiKeyInput!) {
        revokeApiKey(input: $input) {
          __typename
          ... on ApiKey { keyId revokedAt }
          ... on Error { code message }
        }
      }`,
      { input: { keyId } },
      by,
    )
  ).body.data.revokeApiKey

test('a key that was made works at once, in its environment only', async () => {
  const { key, apiKey } = await createKey('SECRET', world.partner.live, 'backend')
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{43}$/)
  expect(apiKey).toEqual({
    keyId: expect.any(String),
    kind: 'SECRET',
    environment: 'LIVE',
    label: 'backend',
    lastFour: key.slice(-4),
    revokedAt: null,
  })
  await world.givePoints('only-live', 1, 'signup', key)
  expect((await world.get('/v1/users/only-live/balance', key)).status).toBe(200)
  expect((await world.get('/v1/users/only-live/balance', world.keys.secret)).status).toBe(404)
})

test('the list shows the keys of the environment, and never their text', async () => {
  const { key, apiKey } = await createKey('PUBLIC')
  const { body, text } = await world.graphql(
    '{ apiKeys(first: 100) { totalCount nodes { keyId environment lastFour } } }',
  )
  const { nodes, totalCount } = body.data.apiKeys
  expect(nodes).toContainEqual({
    keyId: apiKey.keyId,
    environment: 'TEST',
    lastFour: key.slice(-4),
  })
  expect(nodes).toHaveLength(totalCount)
  for (const { environment } of nodes) expect(environment).toBe('TEST')
  expect(text).not.toMatch(/[ps]k_(test|live)_/)
})

test('a revoked key is refused at once here; to revoke it again changes nothing', async () => {
  const { key, apiKey } = await createKey('PUBLIC')
  expect((await world.get('/v1/games', key)).status).toBe(200)
  const first = await revokeKey(apiKey.keyId)
  expect(first).toEqual({
    __typename: 'ApiKey',
    keyId: apiKey.keyId,
    revokedAt: expect.stringMatching(/Z$/),
  })
  expect((await world.get('/v1/games', key)).body).toMatchObject({
    code: 403,
    message: 'API key has been revoked',
  })
  expect(await revokeKey(apiKey.keyId)).toEqual(first)
})

test('nobody revokes the key they use, nor one of another environment or partner', async () => {
  const mine = await createKey('SECRET')
  const live = await createKey('PUBLIC', world.partner.live)
  const foreign = await createKey('PUBLIC', (await world.createPartner()).test)
  expect(await revokeKey(mine.apiKey.keyId, { ...world.keys, secret: mine.key })).toMatchObject({
    code: 'OWN_API_KEY',
  })
  const notFound = {
    __typename: 'ApiKeyNotFoundError',
    code: 'API_KEY_NOT_FOUND',
    message: 'API key not found',
  }
  for (const { apiKey, key } of [live, foreign]) {
    expect(await revokeKey(apiKey.keyId)).toEqual(notFound)
    expect((await world.get('/v1/games', key)).status).toBe(200)
  }
  expect(await revokeKey('00000000-0000-4000-8000-000000000000')).toEqual(notFound)
  expect(await revokeKey('x')).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('a public key cannot make, list or revoke keys', async () => {
  const by = { public: world.keys.public }
  for (const document of [
    'mutation { createApiKey(input: { kind: SECRET }) { __typename } }',
    `mutation { revokeApiKey(input: { keyId: "${world.partner.partnerId}" }) { __typename } }`,
    '{ apiKeys { totalCount } }',
  ]) {
    const { body, status } = await world.graphql(document, {}, by)
    expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
    expect(body.data).toBeNull()
    expect(status).toBe(401)
  }
})

test('the database knows digests only', async () => {
  const texts = [
    ...Object.values(world.partner.test),
    ...Object.values(world.partner.live),
    (await createKey('SECRET')).key,
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
    const { key, apiKey } = await createKey('PUBLIC')
    expect((await other.get('/v1/games', key)).status).toBe(200)
    await revokeKey(apiKey.keyId)
    await vi.waitFor(async () => expect((await other.get('/v1/games', key)).status).toBe(403), {
      timeout: 5_000,
      interval: 250,
    })
  } finally {
    await other.end()
  }
})
