/** Grants that users claim, and who may see and claim them. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { ExternalId } from '../../src/kit/user-id.ts'
import { claimGrants } from '../../src/programme/grant.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { type Answer, createWorld, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
let reward: { slug: string; name: string; uuid: string }
let now = new Date('2026-11-01T12:00:00.000Z')
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = programmeOf(world)
  reward = await call.pointsReward(50, { description: 'Fifty', stock: 1_000 })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const tokenOf = async (userId: string) =>
  (await world.post(`/v1/users/${userId}/token`, world.keys.secret)).body.data.token as string

/** The headers of a page: a public key, and the token of a user. */
const pageOf = async (userId?: string) => ({
  'x-api-key': world.keys.public,
  ...(userId !== undefined && { 'x-user-token': await tokenOf(userId) }),
})

const asPage = async (query: string, variables: object, userId?: string) =>
  world.call('POST', '/graphql', { headers: await pageOf(userId), body: { query, variables } })

const codesOf = ({ body }: Answer) =>
  (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code)

const claimable = async (more: object = {}) => {
  const userId = randomUUID()
  const grant = await call.give(userId, reward, { needsClaim: true, ...more })
  return { userId, grantId: grant.uuid as string, grant }
}

const claimBy =
  'mutation ($input: ClaimGrantInput!) { claimGrant(input: $input) { __typename ... on Error { code } ... on ClaimGrantPayload { grant { status } user { balance } } } }'

test('a grant is announced, waits for its user, and is issued when it is claimed, once', async () => {
  const { userId, grantId, grant } = await claimable({ claimExpiresAt: later(24).toISOString() })
  expect(grant).toMatchObject({ status: 'READY', readyAt: now.toISOString(), issuedAt: null })
  const events = async () =>
    (
      await world.runtime.db.event.findMany({
        where: { data: { path: ['grantId'], equals: grantId } },
        orderBy: { position: 'asc' },
      })
    ).map(({ type, data }) => [type, (data as { claimExpiresAt?: string }).claimExpiresAt])
  expect(await events()).toEqual([['grant.ready', later(24).toISOString()]])
  await settleDueGrants(world.runtime)
  expect(await call.balance(userId)).toBe(0)
  const { body } = await asPage(claimBy, { input: { grantId } }, userId)
  expect(body.data.claimGrant).toEqual({
    __typename: 'ClaimGrantPayload',
    grant: { status: 'ISSUED' },
    user: { balance: 50 },
  })
  expect(await call.claim({ grantId })).toMatchObject({
    code: 'GRANT_NOT_ACTIVE',
    status: 'ISSUED',
    since: now.toISOString(),
  })
  expect((await events()).map(([type]) => type)).toEqual(['grant.ready', 'grant.issued'])
})

test('a backend claims for any user, and names the user or not', async () => {
  const [first, second] = [await claimable(), await claimable()]
  expect(await call.claim({ grantId: first.grantId })).toMatchObject({ status: 'ISSUED' })
  const wrong = { grantId: second.grantId, user: { externalId: first.userId } }
  expect(await call.claim(wrong)).toMatchObject({ code: 'GRANT_NOT_FOUND' })
  const right = { grantId: second.grantId, user: { externalId: second.userId } }
  expect(await call.claim(right)).toMatchObject({ status: 'ISSUED' })
  expect(await call.claim({ grantId: randomUUID() })).toMatchObject({ code: 'GRANT_NOT_FOUND' })
})

test('past its time it cannot be claimed, before and after the payer expires it', async () => {
  const { grantId } = await claimable({ claimExpiresAt: later(1).toISOString() })
  const { grantId: other } = await claimable({ claimExpiresAt: later(1).toISOString() })
  now = later(1)
  const expired = { code: 'GRANT_NOT_ACTIVE', status: 'EXPIRED', since: now.toISOString() }
  expect(await call.claim({ grantId })).toMatchObject(expired)
  await settleDueGrants(world.runtime)
  expect(await call.claim({ grantId: other })).toMatchObject(expired)
  const types = await world.runtime.db.event.findMany({ where: { type: 'grant.expired' } })
  const ids = types.map(({ data }) => (data as { grantId: string }).grantId)
  expect(ids).toEqual(expect.arrayContaining([grantId, other]))
})

test('a held grant is claimed from the end of its hold on', async () => {
  const { grantId } = await claimable({ heldUntil: later(1).toISOString() })
  expect(await call.claim({ grantId })).toMatchObject({ status: 'HELD', code: 'GRANT_NOT_ACTIVE' })
  now = later(1)
  expect(await call.claim({ grantId })).toMatchObject({
    status: 'ISSUED',
    readyAt: now.toISOString(),
  })
})

test('without a token a public key neither sees nor claims grants, whatever its application says', async () => {
  const { userId, grantId } = await claimable()
  const list =
    'query ($id: String!) { user(by: { externalId: $id }) { balance grants { nodes { uuid } } } }'
  const seen = await asPage(list, { id: userId })
  expect(codesOf(seen)).toEqual(['MISSING_USER_TOKEN'])
  // What the application allows is shown.
  expect(seen.body.data.user).toEqual({ balance: 0, grants: null })
  for (const input of [{ grantId }, { grantId, user: { externalId: userId } }])
    expect(codesOf(await asPage(claimBy, { input }))).toEqual(['MISSING_USER_TOKEN'])
  const node = 'query ($id: ID!) { node(id: $id) { __typename } }'
  const id = Buffer.from(`Grant:${grantId}`).toString('base64url')
  expect(codesOf(await asPage(node, { id }))).toEqual(['MISSING_USER_TOKEN'])
  const path = `/v1/users/${userId}/grants`
  expect(await world.get(path, world.keys.public)).toMatchObject({
    status: 401,
    body: { errorCode: 'MISSING_USER_TOKEN' },
  })
  expect(await world.post(`${path}/${grantId}/claim`, world.keys.public)).toMatchObject({
    status: 401,
    body: { errorCode: 'MISSING_USER_TOKEN' },
  })
  expect((await call.grant(grantId)).status).toBe('READY')
})

test('with the token of another user it neither sees nor claims them', async () => {
  const { userId, grantId } = await claimable()
  const stranger = randomUUID()
  await world.givePoints(stranger, 1)
  const list =
    'query ($id: String!) { user(by: { externalId: $id }) { grants { nodes { uuid } } } }'
  expect(codesOf(await asPage(list, { id: userId }, stranger))).toEqual(['USER_TOKEN_OF_ANOTHER'])
  const named = { grantId, user: { externalId: userId } }
  expect(codesOf(await asPage(claimBy, { input: named }, stranger))).toEqual([
    'USER_TOKEN_OF_ANOTHER',
  ])
  const { body } = await asPage(claimBy, { input: { grantId } }, stranger)
  expect(body.data.claimGrant.code).toBe('GRANT_NOT_FOUND')
  const node = 'query ($id: ID!) { node(id: $id) { __typename } }'
  const id = Buffer.from(`Grant:${grantId}`).toString('base64url')
  expect((await asPage(node, { id }, stranger)).body.data).toEqual({ node: null })
  const path = `/v1/users/${userId}/grants`
  const headers = await pageOf(stranger)
  expect((await world.call('GET', path, { headers })).status).toBe(403)
  expect((await world.call('POST', `${path}/${grantId}/claim`, { headers })).status).toBe(403)
})

test('a stranger claims nothing, also in one transaction with a claim of the user', async () => {
  const { userId, grantId } = await claimable()
  const stranger = await claimable()
  const { uuid: other } = await call.give(userId, reward, { needsClaim: true })
  const key = { ...world.tenant, externalId: userId as ExternalId }
  const results = await claimGrants(world.runtime, [
    { ...key, externalId: stranger.userId as ExternalId, grantId },
    { ...key, grantId: other },
  ])
  expect(results).toMatchObject([{ code: 'GRANT_NOT_FOUND' }, { id: other, status: 'ISSUED' }])
  expect((await call.grant(grantId)).status).toBe('READY')
})

test('a page sees the grants of its user, but neither notes and references nor the stock', async () => {
  const { userId } = await claimable({ note: 'secret note', reference: randomUUID() })
  const fields = `uuid status note reference actorId actor { __typename } ledgerEntry { uuid }
    reward { name description stock grantCount }`
  const list = `query ($id: String!) { user(by: { externalId: $id }) { grants { nodes { ${fields} } } } }`
  const { body } = await asPage(list, { id: userId }, userId)
  expect(body.data.user.grants.nodes).toEqual([
    {
      uuid: expect.any(String),
      status: 'READY',
      note: null,
      reference: null,
      actorId: null,
      actor: null,
      ledgerEntry: null,
      reward: { name: reward.name, description: 'Fifty', stock: null, grantCount: null },
    },
  ])
  const seen = await world.graphql(list, { id: userId }, { secret: world.keys.secret })
  expect(seen.body.data.user.grants.nodes).toMatchObject([
    {
      note: 'secret note',
      reference: expect.any(String),
      actorId: expect.any(String),
      actor: { __typename: 'ApiKey' },
      reward: { stock: 1_000, grantCount: expect.any(Number) },
    },
  ])
})

test('a secret key beside a public one counts', async () => {
  const { userId, grantId } = await claimable()
  const headers = { 'x-api-key': world.keys.public, 'x-api-secret': world.keys.secret }
  const path = `/v1/users/${userId}/grants`
  expect((await world.call('GET', path, { headers })).status).toBe(200)
  expect((await world.call('POST', `${path}/${grantId}/claim`, { headers })).status).toBe(200)
  const foreign = { ...headers, 'x-api-secret': world.partner.live.secret }
  expect((await world.call('GET', path, { headers: foreign })).status).toBe(400)
  const wrong = { ...headers, 'x-api-secret': 'sk_test_wrong' }
  expect((await world.call('GET', path, { headers: wrong })).status).toBe(401)
})

/** What a grant of points that was given has not. */
const unset = [
  'cancelledAt',
  'code',
  'failedAt',
  'freePlaysLeft',
  'fulfilledAt',
  'gameType',
  'message',
  'playableUntil',
  'price',
]

test('REST gives, lists and claims', async () => {
  const userId = randomUUID()
  const path = `/v1/users/${userId}/grants`
  expect((await world.get(path, world.keys.secret)).status).toBe(404)
  const body = {
    reward: reward.slug,
    reference: randomUUID(),
    note: 'Sorry',
    needsClaim: true,
    claimExpiresAt: later(24).toISOString(),
  }
  const given = await world.post(path, world.keys.secret, body)
  expect(given).toMatchObject({
    status: 200,
    body: { message: 'Reward given successfully', code: 200, status: 'success' },
  })
  const { reference, note, ...shown } = given.body.data
  expect({ reference, note }).toEqual({ reference: body.reference, note: 'Sorry' })
  expect(shown).toEqual({
    grantId: expect.any(String),
    userId,
    rewardId: reward.uuid,
    reward: reward.slug,
    description: 'Fifty',
    imageUrl: null,
    kind: 'POINTS',
    points: 50,
    status: 'READY',
    source: 'GIVEN',
    needsClaim: true,
    heldUntil: null,
    readyAt: now.toISOString(),
    claimExpiresAt: body.claimExpiresAt,
    claimedAt: null,
    issuedAt: null,
    expiredAt: null,
    revokedAt: null,
    failure: null,
    shortfall: null,
    createdAt: now.toISOString(),
    name: reward.name,
    ...Object.fromEntries(unset.map((key) => [key, null])),
  })
  expect((await world.post(path, world.keys.secret, body)).body.data).toEqual(given.body.data)
  expect((await world.post(path, world.keys.public, body)).status).toBe(401)
  const unknown = await world.post(path, world.keys.secret, { reward: 'unknown' })
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: 'REWARD_NOT_FOUND' } })
  expect((await world.post(path, world.keys.secret, {})).status).toBe(400)

  const headers = await pageOf(userId)
  const listed = await world.call('GET', `${path}?status=READY`, { headers })
  expect(listed.body).toMatchObject({ data: [shown], meta: { page: 1, total: 1 } })
  expect((await world.get(`${path}?status=ISSUED`, world.keys.secret)).body.data).toEqual([])
  const claim = `${path}/${shown.grantId}/claim`
  const claimed = await world.call('POST', claim, { headers })
  expect(claimed.body.data).toEqual({
    ...shown,
    status: 'ISSUED',
    claimedAt: now.toISOString(),
    issuedAt: now.toISOString(),
    userBalance: 50,
  })
  expect(await world.call('POST', claim, { headers })).toMatchObject({
    status: 409,
    body: { errorCode: 'GRANT_NOT_ACTIVE' },
  })
  const none = `${path}/${randomUUID()}/claim`
  expect((await world.post(none, world.keys.secret)).status).toBe(404)
  expect((await world.post(`${path}/nothing/claim`, world.keys.secret)).status).toBe(404)
})

test('the lists of grants are filtered by several values, and by user, reward and time', async () => {
  const other = await call.badge()
  const { userId, grantId } = await claimable()
  const { uuid: second } = await call.give(userId, other)
  now = later(1)
  const { uuid: third } = await call.give(userId, reward, {
    heldUntil: later(5).toISOString(),
  })
  const of = `user(by: { externalId: "${userId}" })`
  const ofUser = async (filter: string) => {
    const { body, text } = await world.graphql(
      `{ ${of} { grants(filter: { ${filter} }) { nodes { uuid } totalCount { value precision } } } }`,
    )
    if (body.errors) throw new Error(text)
    return body.data.user.grants.nodes.map(({ uuid }: { uuid: string }) => uuid)
  }
  expect(await ofUser('')).toEqual([third, second, grantId])
  expect(await ofUser('statuses: [READY, HELD]')).toEqual([third, grantId])
  expect(await ofUser(`rewardIds: ["${other.uuid}"]`)).toEqual([second])
  expect(await ofUser('sources: [GOAL]')).toEqual([])
  expect(await ofUser('statuses: []')).toEqual([])
  const ofAll = async (filter: string) => {
    const { body } = await world.graphql(`{ grants(filter: { ${filter} }) { nodes { uuid } } }`)
    return body.data.grants.nodes.map(({ uuid }: { uuid: string }) => uuid)
  }
  const byUser = `user: { externalId: "${userId}" }`
  expect(await ofAll(byUser)).toEqual([third, second, grantId])
  expect(await ofAll(`${byUser}, createdAt: { from: "${now.toISOString()}" }`)).toEqual([third])
  expect(await ofAll(`${byUser}, rewardIds: ["${reward.uuid}", "${other.uuid}"]`)).toHaveLength(3)
  expect(await ofAll('user: { externalId: "nobody" }')).toEqual([])
})
