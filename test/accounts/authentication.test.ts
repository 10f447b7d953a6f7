import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, revokeApiKey } from '../../src/accounts/api-key.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'

let world: World

type State = { revoked?: boolean; inactive?: boolean; closed?: boolean }

/** A public and a secret key that are valid except for the given state. */
const keysIn = async ({ revoked, inactive, closed }: State): Promise<Keys> => {
  const { runtime } = world
  const [partnerId, applicationId, slug] = [uuid(), uuid(), `of-${uuid()}`]
  const closedAt = closed ? new Date() : null
  const status = inactive ? 'INACTIVE' : 'ACTIVE'
  await runtime.db.partner.create({ data: { id: partnerId, slug, name: slug, closedAt } })
  await runtime.db.application.create({
    data: { id: applicationId, partnerId, name: 'app', status },
  })
  const make = async (kind: 'PUBLIC' | 'SECRET') => {
    const tenant = { partnerId, environment: 'TEST' as const }
    const { key, apiKey } = await createApiKey(runtime, { ...tenant, applicationId, kind })
    if (revoked) await revokeApiKey(runtime, { ...tenant, id: apiKey.id })
    return key
  }
  return { public: await make('PUBLIC'), secret: await make('SECRET') }
}

const unknown: Keys = {
  public: `pk_test_${'0'.repeat(43)}`,
  secret: `sk_test_${'0'.repeat(43)}`,
}

const header = { public: 'x-api-key', secret: 'x-api-secret' } as const

type Kind = 'public' | 'secret'

const rest = (kind: Kind, headers: Record<string, string>): Promise<Answer> =>
  kind === 'public'
    ? world.get('/v1/games', undefined, headers)
    : world.post('/v1/points/award', undefined, { userId: 'nobody', eventType: 'signup' }, headers)

const query = { public: '{ games { name } }', secret: '{ rewardRules { totalCount { value } } }' }

const graphql = (kind: Kind, headers: Record<string, string>): Promise<Answer> =>
  world.call('POST', '/graphql', { headers, body: { query: query[kind] } })

/** Expects the same refusal on both faces. */
const expectRefused = async (
  kind: Kind,
  headers: Record<string, string>,
  [code, errorCode, message]: readonly [number, string, string],
) => {
  const answer = await rest(kind, headers)
  const { hint: _, ...error } = answer.body
  expect(error).toEqual({
    message,
    code,
    status: 'error',
    errorCode,
    requestId: expect.any(String),
  })
  expect(answer.status).toBe(code)
  const { status, body } = await graphql(kind, headers)
  expect(body.errors).toHaveLength(1)
  expect(body.errors[0]).toMatchObject({ message, extensions: { code: errorCode } })
  expect(status).toBe(code)
}

const invalid = [401, 'INVALID_API_KEY', 'Invalid API key'] as const
const revoked = [403, 'API_KEY_REVOKED', 'API key has been revoked'] as const
const inactive = [403, 'APPLICATION_NOT_ACTIVE', 'Application is not active'] as const
const closed = [403, 'PARTNER_NOT_FOUND', 'Partner account not found'] as const

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

describe.each(['public', 'secret'] as const)('a %s key', (kind) => {
  const send = (key: string) => ({ [header[kind]]: key })

  test('that is missing or empty is refused with the name of its header', async () => {
    const missing = {
      public: [401, 'MISSING_API_KEY', 'Missing X-API-Key header'],
      secret: [401, 'MISSING_API_SECRET', 'Missing X-API-Secret header'],
    } as const
    await expectRefused(kind, {}, missing[kind])
    await expectRefused(kind, send(''), missing[kind])
  })

  test('is invalid when it is unknown, garbled or truncated', async () => {
    const good = world.keys[kind]
    const bad = [unknown[kind], 'x', good.slice(0, -1), `${good}0`, good.toLowerCase(), "' OR 1=1"]
    for (const key of bad) await expectRefused(kind, send(key), invalid)
  })

  test('is invalid in the header of the other kind', async () => {
    const other = kind === 'public' ? 'secret' : 'public'
    await expectRefused(kind, send(world.keys[other]), invalid)
  })

  test.each([
    ['revoked', { revoked: true }, revoked],
    ['of an inactive application', { inactive: true }, inactive],
    ['of a closed partner', { closed: true }, closed],
    ['revoked, of an inactive application', { revoked: true, inactive: true }, revoked],
    ['revoked, of a closed partner', { revoked: true, closed: true }, revoked],
    ['of an inactive application of a closed partner', { inactive: true, closed: true }, inactive],
  ] as const)('that is %s is refused by the first row that fits', async (_, state, row) => {
    await expectRefused(kind, send((await keysIn(state))[kind]), row)
  })

  test('of the wrong kind is invalid before it is revoked', async () => {
    const keys = await keysIn({ revoked: true })
    await expectRefused(kind, send(keys[kind === 'public' ? 'secret' : 'public']), invalid)
  })
})

test('a key of the other kind is told which header it is for, whether it exists or not', async () => {
  const { keys } = world
  for (const secret of [keys.public, unknown.public]) {
    const { body } = await world.post('/v1/points/award', undefined, {}, { 'x-api-secret': secret })
    expect(body.hint).toContain('This is a public key. Send it as X-API-Key')
  }
  for (const key of [keys.secret, unknown.secret]) {
    const { body } = await world.post('/v1/games/play', undefined, {}, { 'x-api-key': key })
    expect(body.hint).toContain('This is a secret key. Send it as X-API-Secret')
    const { body: answer } = await world.graphql('{ games { name } }', {}, { public: key })
    expect(answer.errors[0].extensions.hint).toContain('This is a secret key')
  }
  const { body } = await world.post('/v1/points/award', unknown.secret, {})
  expect(body.hint).toBeUndefined()
})

test('a bad key is refused before the body is read', async () => {
  for (const body of ['{"userId":', '', '[]', 'x'.repeat(300_000)]) {
    const answer = await world.post('/v1/points/award', unknown.secret, body)
    expect(answer.body).toMatchObject({ code: 401, message: 'Invalid API key' })
    const missing = await world.post('/v1/games/play', undefined, body)
    expect(missing.body).toMatchObject({ code: 401, message: 'Missing X-API-Key header' })
  }
})

describe('two keys on one GraphQL request', () => {
  const both = { games: '{ games { name } }', rules: '{ rewardRules { totalCount { value } } }' }

  test.each(Object.values(both))('of two partners are a mismatch: %s', async (document) => {
    const other = await world.createPartner()
    const { status, body } = await world.graphql(document, undefined, {
      public: world.keys.public,
      secret: other.test.secret,
    })
    expect(body.errors[0].extensions.code).toBe('CREDENTIALS_MISMATCH')
    expect(status).toBe(400)
  })

  test.each(Object.values(both))('of two environments are a mismatch: %s', async (document) => {
    const { body } = await world.graphql(document, undefined, {
      public: world.partner.live.public,
      secret: world.keys.secret,
    })
    expect(body.errors[0].extensions.code).toBe('CREDENTIALS_MISMATCH')
  })

  test('of one partner and environment work, and the secret key does what the public one may', async () => {
    expect((await world.graphql(both.games)).body.data.games).toHaveLength(3)
    const secretOnly = { secret: world.keys.secret }
    expect((await world.graphql(both.games, {}, secretOnly)).body.data.games).toHaveLength(3)
  })

  test('do not replace each other: a field that needs the invalid one is refused', async () => {
    const { body } = await world.graphql(both.games, {}, { ...world.keys, public: unknown.public })
    expect(body.errors[0].extensions.code).toBe('INVALID_API_KEY')
  })
})
