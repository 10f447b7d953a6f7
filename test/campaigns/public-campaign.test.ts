/** The owner gets a `Campaign`; everyone else the same object, with what is public of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let partnerSlug: string
let slug: string

beforeAll(async () => {
  world = await createWorld()
  const { partnerId: id } = world.partner
  partnerSlug = (await world.runtime.db.partner.findUniqueOrThrow({ where: { id } })).slug
  slug = await makeCampaign(world, 'golden-ticket', {
    maxEventsPerUser: 7,
    description: 'Eight tickets',
    referralRules: { referrerPoints: 3, refereePoints: 2 },
  })
  await callsTo(world).buy(slug, 'ann')
})
afterAll(() => world.end())

const forAll = `id slug name description partnerName environment status phase startsAt endsAt takesCodes
  participantCount eventRules { eventType points } pageUrl leaders { rank name campaignPoints } createdAt
  prizes { name points maxWins remainingCount } referrerPoints`
const forOwner = `__typename ... on Campaign { maxEventsPerUser creditsWallet updatedAt version
  instantWinRules { winRate winCodeDays prizeTiers { name winCount weight } }
  referralRules { referrerPoints refereePoints } instantWinStats { drawCount winCount winRate }
  participant(by: { externalId: "ann" }) { eventCount } leaderboard { nodes { rank } } }`

const show = async (by: object, fields = `${forAll} ${forOwner}`, ofSlug = slug) => {
  const { body } = await world.graphql(
    `{ publicCampaign(partnerSlug: "${partnerSlug}", slug: "${ofSlug}", environment: TEST) { ${fields} } }`,
    {},
    by,
  )
  expect(body.errors).toBeUndefined()
  return body.data.publicCampaign
}

test('the owner sees everything, with a key and as a member', async () => {
  const bearer = await world.signInAs('OWNER')
  const seen = {
    __typename: 'Campaign',
    slug,
    phase: 'ACTIVE',
    takesCodes: true,
    participantCount: 1,
    description: 'Eight tickets',
    leaders: [{ rank: 1, name: 'a•••', campaignPoints: 10 }],
    maxEventsPerUser: 7,
    creditsWallet: true,
    createdAt: expect.any(String),
    version: expect.any(Number),
    instantWinRules: {
      winRate: 1,
      winCodeDays: 30,
      prizeTiers: [{ weight: expect.any(Number) }, {}],
    },
    referralRules: { referrerPoints: 3, refereePoints: 2 },
    prizes: [{ name: 'Gold' }, { name: 'Silver' }],
    referrerPoints: 3,
    instantWinStats: { drawCount: 1, winCount: 1, winRate: 1 },
    participant: { eventCount: 1 },
    leaderboard: { nodes: [{ rank: 1 }] },
  }
  for (const by of [{ secret: world.keys.secret }, { bearer }])
    expect(await show(by)).toMatchObject(seen)
})

test('others see what the page shows, without odds, participants and counts', async () => {
  const other = await world.createPartner()
  const owner = await show({ secret: world.keys.secret }, forAll)
  const strangers = [
    {},
    { public: world.keys.public },
    { secret: world.partner.live.secret },
    { secret: other.test.secret },
    { bearer: await world.signInAs('OWNER', other.partnerId) },
    // Participants lead to users, whom an operator of another partner does not see.
    { bearer: await world.signInAs('OPERATOR', other.partnerId) },
  ]
  for (const by of strangers) {
    expect(await show(by, forAll)).toEqual(owner)
    expect(await show(by, forOwner)).toEqual({ __typename: 'CampaignView' })
  }
})

test('`node` finds it for everyone by one id, until its partner is closed', async () => {
  const { id } = await show({}, 'id')
  const byId = async (by: object) =>
    (await world.graphql(`{ node(id: "${id}") { __typename id } }`, {}, by)).body.data.node
  expect(await byId({ secret: world.keys.secret })).toEqual({ __typename: 'Campaign', id })
  for (const by of [{}, { public: world.keys.public }])
    expect(await byId(by)).toEqual({ __typename: 'CampaignView', id })
  const close = (closedAt: Date | null) =>
    world.runtime.db.partner.update({ where: { id: world.partner.partnerId }, data: { closedAt } })
  await close(new Date())
  expect(await byId({})).toBeNull()
  await close(null)
  expect(await byId({})).toEqual({ __typename: 'CampaignView', id })
})

test('a draft or unknown campaign is null to everyone', async () => {
  const draft = await makeCampaign(world, 'summer-sale', { status: 'DRAFT' })
  for (const item of [draft, 'no-such', 'A B'])
    for (const by of [{}, { secret: world.keys.secret }])
      expect(await show(by, 'slug', item)).toBe(null)
})

test('a campaign without instant win accepts codes while a batch is open', async () => {
  const of = await makeCampaign(world, 'summer-sale', { instantWinRules: null })
  const takesCodes = async () => (await show({}, 'takesCodes', of)).takesCodes
  expect(await takesCodes()).toBe(false)
  const { status } = await callsTo(world).generate({ slug: of, batchSize: 1, pointsValue: 5 })
  expect(status).toBe(200)
  expect(await takesCodes()).toBe(true)
  await world.runtime.db.codeBatch.updateMany({
    where: { campaign: { slug: of } },
    data: { revokedAt: new Date() },
  })
  expect(await takesCodes()).toBe(false)
})
