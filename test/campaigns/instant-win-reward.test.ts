/** Prizes of instant wins that give a reward at once. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = shopOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

/** A campaign in which each event wins the only prize. */
const createCampaign = (reward: string | null, slug = randomUUID()) =>
  shop.mutate(
    'createCampaign',
    'campaign { slug instantWinRules { prizeTiers { reward { slug } } } }',
    {
      slug,
      name: 'Everybody wins',
      status: 'ACTIVE',
      eventRules: [],
      instantWinRules: {
        winRate: 1,
        prizeTiers: [
          {
            name: 'Prize',
            points: 7,
            maxWins: 20,
            reward: reward === null ? null : { slug: reward },
          },
        ],
      },
    },
  )

const act = (slug: string, userId: string) =>
  world.post(`/v1/campaigns/${slug}/events`, world.keys.secret, { userId, eventType: 'visit' })

const grantsOf = async (userId: string) => {
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { grants(filter: { sources: [INSTANT_WIN] }) {
      nodes { status source reward { slug } } } } }`,
    { id: userId },
  )
  return body.data.user.grants.nodes
}

test('a win gives the reward of its prize in the same transaction', async () => {
  const { slug: reward } = await shop.createReward({ name: 'Mug', kind: 'ITEM', stock: 5 })
  const { campaign } = await createCampaign(reward)
  expect(campaign.instantWinRules.prizeTiers).toEqual([{ reward: { slug: reward } }])
  const userId = randomUUID()
  const { body } = await act(campaign.slug, userId)
  expect(body.data.instantWin).toBeTruthy()
  expect(await grantsOf(userId)).toEqual([
    { status: 'ISSUED', source: 'INSTANT_WIN', reward: { slug: reward } },
  ])
})

test('of many wins at once, as many get the reward as there are; the others can be retried', async () => {
  const { slug: reward } = await shop.badge({ stock: 3 })
  const { campaign } = await createCampaign(reward)
  const users = Array.from({ length: 10 }, () => randomUUID())
  await Promise.all(users.map((userId) => act(campaign.slug, userId)))
  const statuses = (await Promise.all(users.map(grantsOf))).flat().map(({ status }) => status)
  expect(statuses.filter((status) => status === 'ISSUED')).toHaveLength(3)
  expect(statuses.filter((status) => status === 'FAILED')).toHaveLength(7)
})

test('a reward that does not exist is refused', async () => {
  expect(await createCampaign('unknown')).toMatchObject({ code: 'REWARD_NOT_FOUND' })
})
