/** Offers that give a reward: by their type, by their rule, or of their own. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
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

const offerFields = `uuid status points reward { slug } grant { uuid status source freePlaysLeft }`

const create = (userId: string, more: object = {}) =>
  shop.mutate('createOffer', `offer { ${offerFields} }`, {
    user: { externalId: userId },
    offerType: 'DAILY_FREE_SPIN',
    ...more,
  })

const claim = (userId: string, offerId: string) =>
  shop.mutate('claimOffer', `offer { ${offerFields} } user { balance }`, {
    user: { externalId: userId },
    offerId,
  })

const setReward = (offerType: string, slug: string | null) =>
  shop.mutate('setOfferReward', 'offerReward { offerType reward { slug } }', {
    offerType,
    reward: slug === null ? null : { slug },
  })

const spin = () =>
  shop.createReward({
    name: `spin ${randomUUID()}`,
    kind: 'FREE_PLAYS',
    freePlays: { gameType: 'NEON_WHEEL', count: 1, validDays: 1 },
  })

test('an offer gives the reward of its type once it is claimed, with its points', async () => {
  const { slug } = await spin()
  expect(await setReward('DAILY_FREE_SPIN', slug)).toEqual({
    __typename: 'SetOfferRewardPayload',
    offerReward: { offerType: 'DAILY_FREE_SPIN', reward: { slug } },
  })
  const userId = await shop.newUser()
  const { offer } = await create(userId, { points: 5 })
  expect(offer).toMatchObject({ reward: { slug }, grant: null })
  const claimed = await claim(userId, offer.uuid)
  expect(claimed).toMatchObject({
    offer: { status: 'CLAIMED', grant: { status: 'ISSUED', source: 'OFFER', freePlaysLeft: 1 } },
    user: { balance: 105 },
  })
  const { body } = await world.post('/v1/games/play', world.keys.public, {
    userId,
    gameType: 'NEON_WHEEL',
  })
  expect(body.data).toMatchObject({ pointsSpent: 0 })
  expect(await claim(userId, offer.uuid)).toMatchObject({ code: 'OFFER_NOT_ACTIVE' })
  expect(await world.runtime.db.rewardGrant.count({ where: { sourceId: offer.uuid } })).toBe(1)
})

test('an offer can name its reward, and a type without one gives none', async () => {
  const userId = await shop.newUser()
  const badge = await shop.badge()
  const { offer } = await create(userId, { reward: { slug: badge.slug } })
  expect((await claim(userId, offer.uuid)).offer).toMatchObject({
    reward: { slug: badge.slug },
    grant: { status: 'ISSUED' },
  })
  await setReward('WELCOME_BONUS', badge.slug)
  expect(await setReward('WELCOME_BONUS', null)).toMatchObject({ offerReward: null })
  const plain = await create(userId, { offerType: 'WELCOME_BONUS' })
  expect((await claim(userId, plain.offer.uuid)).offer).toMatchObject({ reward: null, grant: null })
  expect(await create(userId, { reward: { slug: 'unknown' } })).toMatchObject({
    code: 'REWARD_NOT_FOUND',
  })
  await shop.archiveReward({ reward: { slug: badge.slug } })
  expect(await create(userId, { reward: { slug: badge.slug } })).toMatchObject({
    code: 'REWARD_ARCHIVED',
  })
  expect(await setReward('VIP_PLAY', badge.slug)).toMatchObject({ code: 'REWARD_ARCHIVED' })
})

test('a reward without stock is a grant that has failed, and can be retried', async () => {
  const userId = await shop.newUser()
  const none = await shop.badge({ stock: 0 })
  const { offer } = await create(userId, { reward: { slug: none.slug } })
  expect((await claim(userId, offer.uuid)).offer).toMatchObject({
    status: 'CLAIMED',
    grant: { status: 'FAILED' },
  })
})

test('the rule of a stage gives its reward only where the stage is proven, and not while it is paused', async () => {
  const badge = await shop.badge()
  const { offerRule } = await shop.mutate(
    'setOfferRule',
    'offerRule { id reward { slug } pausedAt }',
    {
      stage: 'NEW',
      offerType: 'WELCOME_FREE_PLAY',
      reward: { slug: badge.slug },
    },
  )
  expect(offerRule).toMatchObject({ reward: { slug: badge.slug }, pausedAt: null })
  const offersOf = async (userId: string) => {
    await journeyJobs[0]?.run(world.runtime)
    const { body } = await world.graphql(
      `query ($id: String!) { user(by: { externalId: $id }) { offers { nodes { reward { slug } } } } }`,
      { id: userId },
    )
    return body.data.user.offers.nodes
  }
  const pause = (name: string) =>
    shop.mutate(name, 'offerRule { pausedAt }', { offerRuleId: offerRule.id })
  expect(await offersOf(await shop.newUser())).toEqual([{ reward: { slug: badge.slug } }])
  const unproven = randomUUID()
  await world.post('/v1/user-journeys/users', world.keys.public, { externalId: unproven })
  expect(await offersOf(unproven)).toEqual([{ reward: null }])
  expect((await pause('pauseOfferRule')).offerRule.pausedAt).toEqual(expect.any(String))
  expect(await offersOf(await shop.newUser())).toEqual([])
  expect((await pause('resumeOfferRule')).offerRule.pausedAt).toBeNull()
  expect(await offersOf(await shop.newUser())).toHaveLength(1)
})
