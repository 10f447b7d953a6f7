/** Scopes of API keys. Which field requires which right is tried in test/access/rights.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfKind } from '../../src/kit/access/rights.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let owner: string
beforeAll(async () => {
  world = await createWorld()
  owner = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const create = async (input: object, bearer = owner) => {
  const document = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
    ... on CreateApiKeyPayload { key apiKey { scopes } }
    ... on ValidationError { errors { path message } }
    ... on Error { code } } }`
  const { body } = await world.graphql(document, { input }, { bearer })
  return body.data?.createApiKey ?? body.errors[0].extensions
}

test('a key has all rights of its kind, or those of its scopes', async () => {
  for (const kind of ['PUBLIC', 'SECRET'] as const)
    expect((await create({ kind })).apiKey.scopes).toEqual(rightsOfKind[kind])
  const { apiKey, key } = await create({ kind: 'SECRET', scopes: ['READ', 'POINTS_AWARD', 'READ'] })
  expect(apiKey.scopes.sort()).toEqual(['POINTS_AWARD', 'READ'])
  const { body } = await world.graphql(
    '{ viewer { rights apiKey { scopes } } }',
    {},
    { secret: key },
  )
  expect(body.data.viewer.rights.sort()).toEqual(['POINTS_AWARD', 'READ'])
  expect(body.data.viewer.apiKey.scopes.sort()).toEqual(['POINTS_AWARD', 'READ'])
})

test('scopes outside of the kind, an empty list and unknown rights are refused', async () => {
  for (const [kind, scopes] of [
    ['PUBLIC', ['READ', 'POINTS_AWARD']],
    ['SECRET', ['KEYS_WRITE']],
    ['SECRET', ['MEMBERS_WRITE']],
    ['SECRET', []],
  ]) {
    const { errors } = await create({ kind, scopes })
    expect(errors?.[0].path).toEqual(['scopes'])
  }
  expect((await create({ kind: 'SECRET', scopes: ['EVERYTHING'] })).code).toBe('INVALID_PARAMETERS')
})

test('REST refuses a call outside of the scopes with 403, which changes nothing', async () => {
  const { key } = await create({ kind: 'SECRET', scopes: ['READ'] })
  const award = { userId: 'nobody', eventType: 'signup' }
  const refused = await world.post('/v1/points/award', key, award)
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({
    errorCode: 'RIGHT_REQUIRED',
    message: 'This requires the right POINTS_AWARD',
  })
  expect((await world.get('/v1/users/nobody/balance', key)).status).toBe(404)
})

test('a key that may award but not read gets no personal data', async () => {
  const { key } = await create({ kind: 'SECRET', scopes: ['POINTS_AWARD'] })
  const award = async (secret: string) => {
    const document = `mutation { awardPoints(input: { user: { externalId: "ann" }, eventType: "signup", email: "ann@example.com" }) {
      ... on AwardPointsPayload { user { balance email ledgerEntries { nodes { points } } } } } }`
    return (await world.graphql(document, {}, { secret })).body
  }
  const full = await award(world.keys.secret)
  expect(full.data.awardPoints.user).toMatchObject({ balance: 100, email: 'ann@example.com' })
  const limited = await award(key)
  expect(limited.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
  expect(JSON.stringify(limited)).not.toContain('ann@example.com')
})

test('an answer stored for an Idempotency-Key is not returned to a key with other scopes', async () => {
  const { key } = await create({ kind: 'SECRET', scopes: ['READ'] })
  const rule = {
    query: 'mutation { setRewardRule(input: { eventType: "late", points: 5 }) { __typename } }',
  }
  const ask = (by: string) => world.post('/graphql', by, rule, { 'idempotency-key': 'kept' })
  expect((await ask(world.keys.secret)).body.data.setRewardRule.__typename).toBe(
    'SetRewardRulePayload',
  )
  expect((await ask(key)).body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
})
