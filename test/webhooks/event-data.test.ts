/** `Event.data`: a type for each kind of event. */
import { randomUUID } from 'node:crypto'
import { type GraphQLObjectType, type GraphQLUnionType, getNamedType, isLeafType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventDataType } from '../../src/kit/schema/event-data.ts'
import { listEventKinds } from '../../src/kit/streams/events.ts'
import { schema } from '../../src/schema.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { statementCounter } from '../count-statements.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.post('/v1/webhooks', world.keys.secret, { url: 'https://8.8.8.8/', events: ['*'] })
})
afterAll(() => world.end())

const members = (schema.getType('EventData') as GraphQLUnionType).getTypes()

/** All fields of all members at once, as a client that shows every event asks for them. */
const everything = members
  .map((type: GraphQLObjectType) => {
    const fields = Object.values(type.getFields()).map((field) =>
      isLeafType(getNamedType(field.type)) ? field.name : `${field.name} { __typename }`,
    )
    return `... on ${type.name} { ${fields.join(' ')} }`
  })
  .join('\n')

const ask = async (document: string) => {
  const { body, text } = await world.graphql(document)
  expect(body.errors, text).toBeUndefined()
  return body.data
}

const plant = (type: string, data: object) =>
  world.runtime.db.event.create({
    data: { ...world.tenant, id: randomUUID(), type, data, occurredAt: new Date() },
  })

test('every type of event has a GraphQL type whose fields can be read', async () => {
  const kinds = listEventKinds()
  const untyped = kinds.filter(({ type }) => !eventDataType(type)).map(({ type }) => type)
  expect(untyped, 'their `*.events.graphql.ts` has no `eventType`').toEqual([])
  for (const { type, example } of kinds) await plant(type, example)
  // All of them at once cost more than an operation may.
  const nodes: { name: string; data: { __typename: string } }[] = []
  let after = ''
  while (nodes.length < kinds.length) {
    const { events } = await ask(`{ events(first: 10 ${after}) { pageInfo { endCursor }
      nodes { name payload data { __typename ${everything} } } } }`)
    expect(events.nodes.length).toBeGreaterThan(0)
    nodes.push(...events.nodes)
    after = `after: "${events.pageInfo.endCursor}"`
  }
  expect(nodes).toHaveLength(kinds.length)
  const names = nodes.map(({ data }) => data.__typename)
  expect(names.sort()).toEqual(members.map(({ name }) => name).sort())
  const dataOf = (name: string) => nodes.find((node) => node.name === name)?.data
  // Objects that an event names but that no longer exist are null.
  expect(dataOf('points.awarded')).toEqual({
    __typename: 'PointsAwardedEventData',
    externalId: 'alice',
    user: null,
    ledgerEntry: null,
    eventType: 'signup',
    points: 100,
    balance: 350,
    reference: 'signup-4711',
  })
  expect(dataOf('match.completed')).toEqual({
    __typename: 'ArenaMatchCompletedEventData',
    match: null,
    status: 'COMPLETED',
    agent1Score: 2,
    agent2Score: 0,
    winnerSlot: 'AGENT1',
    endReason: null,
    eloChange: 16,
  })
  expect(dataOf('journey.stage_changed')).toMatchObject({ previousStage: 'NEW', stage: 'ACTIVE' })
})

test('an event links to its objects, the same from the feed and from a delivery', async () => {
  await world.givePoints('ann', 1)
  const play = { userId: 'ann', gameType: 'ENIGMA_BOXES' }
  expect((await world.post('/v1/games/play', world.keys.public, play)).status).toBe(200)
  const data = `data {
    ... on PointsAwardedEventData { user { externalId } ledgerEntry { points } }
    ... on GamePlayedEventData { user { externalId } play { user { externalId } pointsSpent } pointsSpent } }`
  const { events, webhookDeliveries } = await ask(`{
    events(last: 2) { nodes { uuid ${data} } }
    webhookDeliveries(first: 2) { nodes { event { uuid ${data} } } } }`)
  const user = { externalId: 'ann' }
  const [awarded, played] = events.nodes
  expect(awarded.data).toEqual({ user, ledgerEntry: { points: 100 } })
  const { pointsSpent } = played.data
  expect(played.data).toEqual({ user, play: { user, pointsSpent }, pointsSpent })
  expect(webhookDeliveries.nodes.map(({ event }: { event: object }) => event)).toEqual([
    played,
    awarded,
  ])
  await ask(`mutation { eraseUser(input: { user: { externalId: "ann" } }) { __typename } }`)
  const erased = (await ask(`{ events(last: 2) { nodes { ${data} } } }`)).events.nodes
  for (const node of erased) expect(node.data.user.externalId).toMatch(/^erased-/)
})

test('an event links to the ticket, the offer, the redemption and the referral that it names', async () => {
  const { keys, post } = world
  const lottery = await makeLottery(world)
  const entry = { lotterySlug: lottery.slug, userId: 'ben', email: 'ben@x.example' }
  const ticket = (await post('/v1/lotteries/entries', keys.secret, entry)).body.data
  const offers = '/v1/user-journeys/users/ben/offers'
  const wanted = { offerType: 'vip_play', title: 'For Ben', pointsValue: 5 }
  const { offer } = (await post(offers, keys.secret, wanted)).body.data
  await post(`${offers}/${offer.id}/claim`, keys.public)
  const slug = await makeCampaign(world, 'summer-sale')
  const { generate, redeem, referralCode, refer } = callsTo(world)
  const { codes, batch } = (await generate({ slug, batchSize: 1, pointsValue: 1 })).body.data
  await redeem(slug, { userId: 'ben', code: codes[0] })
  const code = (await referralCode(slug, 'ben')).body.data.referralCode
  await refer(slug, { referrerId: 'ben', refereeId: 'cleo', referralCode: code })
  const { events } = await ask(`{ events(last: 20) { nodes { name data {
    ... on LotteryEntryCreatedEventData { ticket { uuid user { externalId } draw { lottery { slug } } } }
    ... on JourneyOfferClaimedEventData { offer { uuid status user { externalId } } }
    ... on CampaignCodeRedeemedEventData { redemption { user { externalId } codeBatch { uuid } } }
    ... on CampaignReferralCompletedEventData { referral { referrer { externalId } referee { externalId } } }
  } } } }`)
  const dataOf = (name: string) =>
    events.nodes.findLast((node: { name: string }) => node.name === name).data
  const user = { externalId: 'ben' }
  const draw = { lottery: { slug: lottery.slug } }
  expect(dataOf('lottery.entry_created')).toEqual({ ticket: { uuid: ticket.id, user, draw } })
  expect(dataOf('journey.offer_claimed')).toEqual({
    offer: { uuid: offer.id, status: 'CLAIMED', user },
  })
  expect(dataOf('campaign.code_redeemed')).toEqual({
    redemption: { user, codeBatch: { uuid: batch.id } },
  })
  expect(dataOf('campaign.referral_completed')).toEqual({
    referral: { referrer: user, referee: { externalId: 'cleo' } },
  })
})

test('fifty events take as many statements as one', async () => {
  const read = (first: number) => () =>
    ask(`{ events(last: ${first}, filter: { names: ["points.*"] }) { nodes { data {
      ... on PointsAwardedEventData { user { balance } ledgerEntry { points } } } } } }`)
  for (let i = 0; i < 50; i++) await world.givePoints(`u${i}`, 1)
  const statementsOf = statementCounter(world)
  const [item, fifty] = [await statementsOf(read(1)), await statementsOf(read(50))]
  expect(item).toBeGreaterThan(1)
  // Concurrent reads go in two batches.
  expect(fifty).toBeLessThanOrEqual(item + 3)
})

test('an event of another shape, or of a retired type, has only its payload', async () => {
  const planted = [
    await plant('points.awarded', { userId: 5 }),
    await plant('points.burnt', { userId: 'ann' }),
  ]
  const { events } = await ask(
    '{ events(last: 2) { nodes { type name payload data { __typename } } } }',
  )
  expect(events.nodes).toEqual([
    { type: 'POINTS_AWARDED', name: 'points.awarded', payload: { userId: 5 }, data: null },
    { type: null, name: 'points.burnt', payload: { userId: 'ann' }, data: null },
  ])
  await world.runtime.db.event.deleteMany({ where: { id: { in: planted.map(({ id }) => id) } } })
})
