/**
 * How many users a public key, and visitors of pages, can create from a network. Neighbours that were looked for: the
 * routes, mutations and lists that create users; plays, offers and seeds, which create none; pages of campaigns;
 * tokens of users, secret keys, other keys and networks; two servers.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import {
  type Answer,
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../world.ts'

const max = 5

let now = Date.parse('2026-11-28T12:00:00Z')
let world: World
beforeAll(async () => {
  world = await createWorld({
    config: { newUserLimit: max, trustProxy: ['127.0.0.0/8'] },
    clock: () => new Date(now),
  })
})
afterAll(() => world.end())
beforeEach(() => world.runtime.db.throttle.deleteMany())

let last = 0
const freshId = () => `user-${++last}`
const freshIds = (count: number) => Array.from({ length: count }, freshId)
const users = () => world.runtime.db.endUser.count({ where: world.tenant })
const event = (externalId: string) => ({ externalId, category: 'CUSTOM', eventType: 'click' })
const input = (externalId: string) =>
  `user: { externalId: "${externalId}" }, category: CUSTOM, eventType: "click"`

type Send = (externalId: string, key?: string, headers?: Record<string, string>) => Promise<Answer>

const rest =
  (path: string, bodyOf: (externalId: string) => object): Send =>
  (externalId, key = world.keys.public, headers) =>
    world.post(path, key, bodyOf(externalId), headers)

/** An answer of GraphQL with the status and code that REST has for it. */
const graphql =
  (documentOf: (externalId: string) => string): Send =>
  async (externalId, key = world.keys.public) => {
    const answer = await world.graphql(documentOf(externalId), {}, { public: key })
    const { code } = answer.body.data?.result ?? {}
    if (code === undefined) return answer
    return { ...answer, status: code === 'RATE_LIMITED' ? 429 : 400, body: { errorCode: code } }
  }

const ways: Record<string, Send> = {
  'POST /v1/user-journeys/users': rest('/v1/user-journeys/users', (externalId) => ({ externalId })),
  'POST /v1/user-journeys/events': rest('/v1/user-journeys/events', event),
  trackUser: graphql(
    (id) => `mutation { result: trackUser(input: { user: { externalId: "${id}" } }) {
      ... on Error { code } } }`,
  ),
  trackActivity: graphql(
    (id) => `mutation { result: trackActivity(input: { ${input(id)} }) { ... on Error { code } } }`,
  ),
}

describe.each(Object.entries(ways))('%s', (_, send) => {
  test(`creates ${max} users by public key, then answers 429; users who exist go on`, async () => {
    const before = await users()
    const ids = freshIds(max)
    for (const id of ids) expect((await send(id)).status).toBe(200)
    const refused = await send(freshId())
    expect([refused.status, refused.body.errorCode]).toEqual([429, 'RATE_LIMITED'])
    for (const id of ids) expect((await send(id)).status).toBe(200)
    expect(await users()).toBe(before + max)
  })

  test(`creates ${max} of 30 users whose first calls come at once, each counted once`, async () => {
    const before = await users()
    const ids = freshIds(30)
    const answers = await Promise.all([...ids, ...ids].map((id) => send(id)))
    expect(await users()).toBe(before + max)
    const created = answers.filter(({ status }) => status === 200)
    expect(created.length).toBeGreaterThanOrEqual(max)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})

const track = (ids: string[]) =>
  world.post('/v1/user-journeys/track', world.keys.public, { events: ids.map(event) })

test('a list creates users up to the limit, rejects the other new ones, and goes on with the rest', async () => {
  const [known] = freshIds(1) as [string]
  await ways.trackUser?.(known, world.keys.public)
  const before = await users()
  const ids = freshIds(300)
  const { status, body } = await track([...ids, known, ...ids.slice(0, max - 1), known])
  expect(status).toBe(200)
  expect(await users()).toBe(before + max - 1)
  // The second event of a new user is accepted, too.
  expect(body.data).toMatchObject({ accepted: 2 * (max - 1) + 2, rejected: 300 - (max - 1) })
  const { error } = body.data.results.find(
    ({ status }: { status: string }) => status === 'rejected',
  )
  expect(error).toBe(`At most ${max} new users may come from a network in ten minutes`)
})

test('a list of events of one new user counts one user', async () => {
  const id = freshId()
  expect((await track(Array(400).fill(id))).body.data.accepted).toBe(400)
  const [row] = await world.runtime.db.throttle.findMany()
  expect(row?.tries).toBe(1)
})

test('trackActivities rejects new users above the limit, too', async () => {
  const list = freshIds(max + 3).map((id) => `{ ${input(id)} }`)
  const { body } = await world.graphql(
    `mutation { trackActivities(input: { activities: [${list.join(' ')}] }) {
      ... on TrackActivitiesPayload { results { __typename } } } }`,
    {},
    { public: world.keys.public },
  )
  const types = body.data.trackActivities.results.map(
    ({ __typename }: { __typename: string }) => __typename,
  )
  expect(types.sort()).toEqual([
    ...Array(3).fill('LimitError'),
    ...Array(max).fill('TrackActivityPayload'),
  ])
})

test('the refusal says how long to wait, and after ten minutes there are new users again', async () => {
  const send = ways['POST /v1/user-journeys/users'] as Send
  for (const id of freshIds(max)) await send(id)
  const { headers, body } = await send(freshId())
  expect(headers.get('retry-after')).toBe('600')
  expect(body.message).toBe(`At most ${max} new users may come from a network in ten minutes`)
  now += 600_001
  expect((await send(freshId())).status).toBe(200)
})

test('keys and networks are counted apart', async () => {
  const send = ways['POST /v1/user-journeys/users'] as Send
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  for (const id of freshIds(max)) await send(id, undefined, from('192.0.2.1'))
  expect((await send(freshId(), undefined, from('192.0.2.1'))).status).toBe(429)
  expect((await send(freshId(), undefined, from('192.0.2.2'))).status).toBe(200)
  const { test: others } = await world.createPartner()
  expect((await send(freshId(), others.public, from('192.0.2.1'))).status).toBe(200)
  for (const id of freshIds(max)) await send(id, undefined, from('2001:db8::1'))
  expect((await send(freshId(), undefined, from('2001:db8::2'))).status).toBe(429)
})

test('a token of a user does not lift the limit', async () => {
  const tokenOf = async (id: string) =>
    (await world.post(`/v1/users/${id}/token`, world.keys.secret, {})).body.data.token
  const send = ways['POST /v1/user-journeys/users'] as Send
  for (const id of freshIds(max)) {
    const headers = { 'x-user-token': await tokenOf(id) }
    expect((await send(id, undefined, headers)).status).toBe(200)
  }
  const id = freshId()
  expect((await send(id, undefined, { 'x-user-token': await tokenOf(id) })).status).toBe(429)
})

test('secret keys are not limited, nor is a request with a secret key and a public one', async () => {
  const list = (ids: string[]) =>
    `mutation { trackActivities(input: { activities: [${ids.map((id) => `{ ${input(id)} }`).join(' ')}] }) {
      ... on TrackActivitiesPayload { results { __typename } } } }`
  for (const by of [{ secret: world.keys.secret }, world.keys]) {
    const { body } = await world.graphql(list(freshIds(3 * max)), {}, by)
    expect(body.data.trackActivities.results).toEqual(
      Array(3 * max).fill({ __typename: 'TrackActivityPayload' }),
    )
  }
  await Promise.all(freshIds(3 * max).map((id) => world.givePoints(id, 1)))
  expect(await world.runtime.db.throttle.count()).toBe(0)
})

test('a refused invalid call counts nobody', async () => {
  const future = { ...event(freshId()), occurredAt: '2099-01-01T00:00:00Z' }
  const { status } = await world.post('/v1/user-journeys/events', world.keys.public, future)
  expect(status).toBe(400)
  expect(await world.runtime.db.throttle.count()).toBe(0)
})

test('plays, offers and seeds by public key create no users', async () => {
  const before = await users()
  for (const field of [
    'playGame(input: { user: { externalId: "nobody" }, gameType: NEON_WHEEL })',
    'rotatePlaySeed(input: { user: { externalId: "nobody" } })',
    'claimOffer(input: { user: { externalId: "nobody" }, offerId: "0190a0a0-0000-7000-8000-000000000000" })',
  ]) {
    const document = `mutation { result: ${field} { __typename ... on Error { code } } }`
    const { body } = await world.graphql(document, {}, { public: world.keys.public })
    expect(body.data.result.code).toMatch(/_NOT_FOUND$/)
  }
  expect(await users()).toBe(before)
})

test('visitors who redeem codes on a page create as many, by partner and network', async () => {
  const slug = await makeCampaign(world, 'golden-ticket')
  const made = await callsTo(world).generate({ slug, batchSize: max + 2, pointsValue: 5 })
  const codes: string[] = made.body.data.codes
  const { partnerId: id } = world.partner
  const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({ where: { id } })
  const redeem = async (code: string | undefined, externalId: string) => {
    const { body } = await world.graphql(
      `mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) {
        ... on Error { code } ... on RedeemPublicCodePayload { points } } }`,
      { input: { partnerSlug, slug, environment: 'TEST', externalId, code } },
      {},
    )
    return body.data.redeemPublicCode
  }
  const ids = freshIds(max)
  for (const [n, id] of ids.entries()) expect(await redeem(codes[n], id)).toEqual({ points: 5 })
  expect(await redeem(codes[max], freshId())).toEqual({ code: 'RATE_LIMITED' })
  // The code was not used up, and users who exist go on.
  expect(await redeem(codes[max], ids[0] as string)).toEqual({ points: 5 })
})

describe.runIf(onPostgres)('two servers on one database', () => {
  let database: TestDatabase
  let worlds: World[] = []
  beforeAll(async () => {
    database = await createDatabase()
    const config = { newUserLimit: max }
    worlds = await Promise.all([
      createWorld({ database, config }),
      createWorld({ database, config }),
    ])
  })
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.end()))
    await database?.drop()
  })

  test(`create ${max} of 40 users together`, async () => {
    const [main] = worlds as [World]
    const answers = await Promise.all(
      freshIds(40).map((externalId, n) =>
        (worlds[n % 2] as World).post('/v1/user-journeys/users', main.keys.public, { externalId }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(max)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - max)
    expect(await main.runtime.db.endUser.count({ where: main.tenant })).toBe(max)
  })
})
