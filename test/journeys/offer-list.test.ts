/** The offers of a partner to all of its users. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(() => world.end())

const dayMs = 86_400_000
const root = '/v1/user-journeys/users'

/** The titles of the offers that a filter finds, newest first. */
const titles = async (filter: object = {}, by: Parameters<World['graphql']>[2] = world.keys) => {
  const { body, text } = await world.graphql(
    `query ($filter: OfferFilter) { offers(filter: $filter, first: 50) {
      totalCount { value } nodes { title user { externalId } } } }`,
    { filter },
    by,
  )
  expect(body.errors, text).toBeUndefined()
  const { nodes, totalCount } = body.data.offers
  expect(totalCount.value).toBe(nodes.length)
  return nodes.map((node: { title: string; user: { externalId: string } }) => {
    expect(node.title).toContain(node.user.externalId)
    return node.title
  })
}

const offer = async (externalId: string, title: string, more: object = {}) => {
  const by = world.keys
  await world.post(root, by.public, { externalId })
  const content = { offerType: 'vip_play', title: `${title} of ${externalId}`, ...more }
  const { body, status } = await world.post(`${root}/${externalId}/offers`, by.secret, content)
  expect(status).toBe(200)
  return body.data.offer.id as string
}

it('offers of all users are found by status and type, newest first', async () => {
  const claimed = await offer('ann', 'first', { offerType: 'welcome_bonus' })
  await offer('ben', 'second')
  await offer('ann', 'third', { expiresAt: new Date(+now + dayMs).toISOString() })
  await world.post(`${root}/ann/offers/${claimed}/claim`, world.keys.public)
  now = new Date(+now + 2 * dayMs)
  await offer('cleo', 'fourth')
  expect(await titles()).toEqual([
    'fourth of cleo',
    'third of ann',
    'second of ben',
    'first of ann',
  ])
  expect(await titles({ statuses: ['CLAIMED'] })).toEqual(['first of ann'])
  expect(await titles({ statuses: ['EXPIRED'] })).toEqual(['third of ann'])
  expect(await titles({ statuses: ['ACTIVE'] })).toEqual(['fourth of cleo', 'second of ben'])
  expect(await titles({ statuses: ['EXPIRED', 'CLAIMED'] })).toEqual([
    'third of ann',
    'first of ann',
  ])
  expect(await titles({ statuses: [] })).toEqual([])
  expect(await titles({ offerTypes: ['WELCOME_BONUS'] })).toEqual(['first of ann'])
  expect(await titles({ offerTypes: ['VIP_PLAY'], statuses: ['EXPIRED'] })).toEqual([
    'third of ann',
  ])
})

it('offers are found by their rule', async () => {
  const { body } = await world.graphql(
    `mutation { setOfferRule(input: { stage: NEW, offerType: DAILY_FREE_SPIN, title: "by rule" }) {
      ... on SetOfferRulePayload { offerRule { id uuid } } } }`,
  )
  const { id, uuid } = body.data.setOfferRule.offerRule
  await world.runtime.db.offer.updateMany({
    where: { title: 'second of ben' },
    data: { ruleId: uuid },
  })
  expect(await titles({ offerRuleId: id })).toEqual(['second of ben'])
  expect(await titles({ offerRuleId: uuid, statuses: ['CLAIMED'] })).toEqual([])
})

it('another partner, another environment and a public key see none of them', async () => {
  const { test } = await world.createPartner()
  expect(await titles({}, test)).toEqual([])
  expect(await titles({}, world.partner.live)).toEqual([])
  const { body } = await world.graphql(
    '{ offers { nodes { id } } }',
    {},
    { public: world.keys.public },
  )
  expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
})
