import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/rest/routes.ts'
import { operationsOf } from '../graphql/documents.ts'
import { createWorld, type Keys, type World } from '../world.ts'

/** Part of every text of partner B and of LIVE. The TEST keys of partner A must never see it. */
const mark = `mark${randomUUID().slice(0, 8)}`
const foreignUser = `${mark}-user`
const nobody = '00000000-0000-7000-8000-000000000000'
const root = '/v1/user-journeys'

let world: World
type Filled = { keys: Keys; offerId: string; ids: Record<string, string> }
let foreign: Filled[]

const graphql = async (document: string, by: Keys) => {
  const { body } = await world.graphql(document, {}, by)
  expect(body.errors).toBeUndefined()
  return body.data
}

/** Fills an environment by the routes and mutations that write it. */
const fill = async (keys: Keys, name: string): Promise<Filled> => {
  const event = { externalId: name, category: 'CAMPAIGN', eventType: `${name} event` }
  const calls = [
    [`${root}/users`, { externalId: name, displayName: `${name} n`, tags: { [name]: name } }],
    [`${root}/events`, { ...event, sourceId: `${name} source`, reference: `${name} ref` }],
    [`${root}/track`, { events: [{ ...event, metadata: { [name]: name } }] }],
  ] as const
  for (const [path, body] of calls)
    expect((await world.post(path, keys.public, body)).status).toBe(200)
  const offer = { offerType: 'vip_play', title: `${name} offer`, metadata: { [name]: name } }
  const made = await world.post(`${root}/users/${name}/offers`, keys.secret, offer)
  const data = await graphql(
    `mutation {
      rule: setOfferRule(input: { stage: CHURNED, offerType: VIP_PLAY, title: "${name} rule" }) {
        ... on SetOfferRulePayload { offerRule { id } } }
      segment: createSegment(input: { name: "${name} segment", source: "x" }) {
        ... on CreateSegmentPayload { segment { id } } }
      rules: setClassificationRules(input: { newMaxEvents: 77 }) { __typename } }`,
    keys,
  )
  const seen = await graphql(
    `{ user(by: { externalId: "${name}" }) {
      offers { nodes { id } } activities { nodes { id } }
      journey { stageChanges { nodes { id } } } } }`,
    keys,
  )
  const { offers, activities, journey } = seen.user
  return {
    keys,
    offerId: made.body.data.offer.id,
    ids: {
      Offer: offers.nodes[0].id,
      Activity: activities.nodes[0].id,
      StageChange: journey.stageChanges.nodes[0].id,
      OfferRule: data.rule.offerRule.id,
      Segment: data.segment.segment.id,
    },
  }
}

let own: Filled
beforeAll(async () => {
  world = await createWorld()
  const other = await world.createPartner(`${mark}-partner`)
  foreign = []
  for (const keys of [other.test, other.live, world.partner.live])
    foreign.push(await fill(keys, foreignUser))
  own = await fill(world.keys, 'ann')
})
afterAll(() => world.end())

const nodeTypes = ['Offer', 'Activity', 'StageChange', 'OfferRule', 'Segment']

describe.each(nodeTypes)('a %s', (type) => {
  const nodeOf = (id: string, by: Keys) =>
    world.graphql('query ($id: ID!) { node(id: $id) { __typename id } }', { id }, by)

  it('is found by its id, only by its owner', async () => {
    const id = own.ids[type] as string
    expect((await nodeOf(id, world.keys)).body).toMatchObject({
      data: { node: { __typename: type, id } },
    })
    const forged = Buffer.from(`${type}:${nobody}`).toString('base64url')
    for (const [requested, by] of [
      [forged, world.keys],
      ...foreign.map(({ ids }) => [ids[type] as string, world.keys] as const),
      ...foreign.map(({ keys }) => [id, keys] as const),
    ] as const)
      expect((await nodeOf(requested, by)).body.data).toEqual({ node: null })
  })
})

const mine = routes.filter(({ path }) => path.startsWith(root))

it('there are eight routes', () => expect(mine).toHaveLength(8))

describe("partner A's TEST keys", () => {
  const bodies: Record<string, (user: string) => unknown> = {
    offers: () => ({ offerType: 'vip_play' }),
  }

  it.each(mine.filter(({ path }) => path.includes('{')))(
    'see and change nothing foreign by $method $path',
    async ({ method, path, key }) => {
      const call = (user: string, offerId: string, keys: Keys) =>
        world.call(method, path.replace('{externalId}', user).replace('{offerId}', offerId), {
          key: keys[key as keyof Keys],
          ...(method === 'POST' && { body: bodies[path.split('/').at(-1) ?? '']?.(user) }),
        })
      const gist = ({ status, text }: { status: number; text: string }) => [
        status,
        text.replace(/"requestId":"[^"]+"/, ''),
      ]
      for (const { offerId, keys } of foreign) {
        const answer = await call(foreignUser, offerId, world.keys)
        expect(answer.text).not.toContain(mark)
        expect(gist(answer)).toEqual(gist(await call('nobody', nobody, world.keys)))
        expect(gist(await call('ann', offerId, world.keys))[0]).toBe(
          path.includes('{offerId}') ? 404 : gist(await call('ann', nobody, world.keys))[0],
        )
        // The owner sees it, so the test can fail.
        if (method === 'GET') expect((await call(foreignUser, offerId, keys)).text).toContain(mark)
      }
      const offers = await world.runtime.db.offer.findMany({
        where: { id: { in: foreign.map(({ offerId }) => offerId) } },
      })
      expect(offers.map(({ status }) => status)).toEqual(['active', 'active', 'active'])
    },
  )

  it.each([
    ['eraseUser', 'mutation'],
    ['createOffer', 'mutation'],
    ['claimOffer', 'mutation'],
    ['cancelOffer', 'mutation'],
    ['updateSegment', 'mutation'],
    ['deleteSegment', 'mutation'],
    ['deleteOfferRule', 'mutation'],
  ] as const)('reach nothing foreign by %s', async (name, root) => {
    const { document = '' } = operationsOf(root, 1).find((item) => item.name === name) ?? {}
    for (const { offerId, ids } of foreign) {
      const ask = (externalId: string, offerId: string, id: unknown, offerRuleId: unknown) => {
        const user = { externalId }
        const inputs: Record<string, object> = {
          eraseUser: { user },
          createOffer: { user, offerType: 'VIP_PLAY' },
          claimOffer: { user, offerId },
          cancelOffer: { offerId },
          updateSegment: { segment: { id }, stage: 'NEW' },
          deleteSegment: { segment: { id } },
          deleteOfferRule: { offerRuleId },
        }
        return world.graphql(document, { input: inputs[name] })
      }
      const answer = await ask(foreignUser, offerId, ids.Segment, ids.OfferRule)
      expect(answer.text).not.toContain(mark)
      expect(answer.text).toMatch(/NOT_FOUND|NotFoundError/)
      expect(answer.text).toBe((await ask('nobody', nobody, nobody, nobody)).text)
    }
  })

  it.each([
    'user(by: { externalId: "$" })',
    'userData(by: { externalId: "$" })',
    'segment(by: { name: "$ segment" })',
  ])('find nothing foreign by %s', async (lookup) => {
    for (const { keys } of foreign) {
      const document = `{ found: ${lookup.replace('$', foreignUser)} { __typename } }`
      expect((await world.graphql(document)).body).toEqual({
        data: { found: null },
        extensions: expect.anything(),
      })
      expect((await graphql(document, keys)).found).not.toBeNull()
    }
  })

  it('count only their own users, and have their own rules', async () => {
    const { body } =
      await world.graphql(`{ users { totalCount { value } } segments { totalCount { value } }
      offerRules { stage } classificationRules { newMaxEvents } }`)
    expect(body.data).toEqual({
      users: { totalCount: { value: 1 } },
      segments: { totalCount: { value: 1 } },
      offerRules: [{ stage: expect.any(String) }],
      classificationRules: { newMaxEvents: 77 },
    })
    const live = await world.createPartner()
    const theirs = await world.graphql('{ classificationRules { newMaxEvents } }', {}, live.test)
    expect(theirs.body.data.classificationRules.newMaxEvents).toBe(3)
  })
})
