/** What blocked users cannot do, once by REST and once by GraphQL. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { countAll } from '../programme/goals.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'
import { type Blocks, blocksOf, outcomeOf, refusal } from './blocks.ts'

const start = new Date('2026-03-02T09:00:00Z')
let world: World
let shop: Shop
let call: Blocks
let arena: Arena
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
  call = blocksOf(world)
  arena = await createArena(world)
})
beforeEach(() => {
  now = start
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

/** An operation of a user: by REST, and by GraphQL as the name of the mutation and its input. */
type Operation = {
  rest: [path: string, body?: object]
  mutation: [name: string, input: object]
  isLive?: boolean
  key?: 'public'
}

/** Prepares an operation that would succeed if the user were not blocked. */
const operations: Record<string, (userId: string) => Promise<Operation>> = {
  'a play': async (userId) => ({
    rest: ['/v1/games/play', { userId, gameType: 'NEON_WHEEL' }],
    mutation: ['playGame', { user: { externalId: userId }, gameType: 'NEON_WHEEL' }],
    key: 'public',
  }),
  'an event of a campaign': async (userId) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const eventType = 'purchase'
    return {
      rest: [`/v1/campaigns/${slug}/events`, { userId, eventType }],
      mutation: [
        'recordCampaignEvent',
        { campaign: { slug }, user: { externalId: userId }, eventType },
      ],
    }
  },
  'a code': async (userId) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const { body } = await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 5 })
    const [code] = body.data.codes
    return {
      rest: [`/v1/campaigns/${slug}/redeem`, { userId, code }],
      mutation: ['redeemCode', { campaign: { slug }, user: { externalId: userId }, code }],
    }
  },
  'a win code': async (userId) => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const { body } = await callsTo(world).buy(slug, userId)
    const { winCode } = body.data.instantWin
    return {
      rest: [`/v1/campaigns/${slug}/instant-win/redeem`, { userId, winCode }],
      mutation: ['redeemWinCode', { campaign: { slug }, user: { externalId: userId }, winCode }],
    }
  },
  'a referral by the user': async (userId) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const { body } = await callsTo(world).referralCode(slug, userId)
    const { referralCode } = body.data
    const referee = randomUUID()
    return {
      rest: [
        `/v1/campaigns/${slug}/referrals`,
        { referrerId: userId, refereeId: referee, referralCode },
      ],
      mutation: [
        'recordReferral',
        {
          ...{ campaign: { slug }, referralCode },
          ...{ referrer: { externalId: userId }, referee: { externalId: referee } },
        },
      ],
    }
  },
  'a referral of the user': async (userId) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const referrer = await call.newUser()
    const { body } = await callsTo(world).referralCode(slug, referrer)
    const { referralCode } = body.data
    return {
      rest: [
        `/v1/campaigns/${slug}/referrals`,
        { referrerId: referrer, refereeId: userId, referralCode },
      ],
      mutation: [
        'recordReferral',
        {
          ...{ campaign: { slug }, referralCode },
          ...{ referrer: { externalId: referrer }, referee: { externalId: userId } },
        },
      ],
    }
  },
  'a purchase': async (userId) => {
    const { slug } = await shop.sold('BADGE', 10)
    return {
      rest: [`/v1/users/${userId}/rewards/${slug}/buy`, {}],
      mutation: ['buyReward', { user: { externalId: userId }, reward: { slug } }],
    }
  },
  'a claim of a grant': async (userId) => {
    const { slug } = await shop.pointsReward(10)
    const { uuid: grantId } = await shop.give(userId, { slug }, { needsClaim: true })
    return {
      rest: [`/v1/users/${userId}/grants/${grantId}/claim`, {}],
      mutation: ['claimGrant', { grantId, user: { externalId: userId } }],
    }
  },
  'the code of a grant': async (userId) => {
    const reward = await shop.createReward({ name: `code ${randomUUID()}`, kind: 'CODE' })
    await shop.addCodes(reward.slug, [randomUUID()])
    const { uuid: grantId } = await shop.give(userId, reward)
    return {
      rest: [`/v1/users/${userId}/grants/${grantId}/reveal`, {}],
      mutation: ['revealCode', { grantId, user: { externalId: userId } }],
    }
  },
  'a claim of an offer': async (userId) => {
    const path = `/v1/user-journeys/users/${userId}/offers`
    const { body } = await world.post(path, world.keys.secret, {
      offerType: 'welcome_bonus',
      pointsValue: 5,
    })
    const offerId = body.data.offer.id
    return {
      rest: [`${path}/${offerId}/claim`, {}],
      mutation: ['claimOffer', { user: { externalId: userId }, offerId }],
    }
  },
  'joining a goal': async (userId) => {
    const slug = `goal-${randomUUID()}`
    await call.read(
      `mutation ($slug: String!) {
        createGoal(input: { slug: $slug, name: "Goal", joinMode: OPT_IN, repeat: ONCE, tasks: [{ target: 1,
          measure: { facts: [POINTS_AWARDED] } }] }) { __typename ... on Error { message } }
        startGoal(input: { goal: { slug: $slug } }) { __typename } }`,
      { slug },
    )
    await countAll(world.runtime)
    return {
      rest: [`/v1/users/${userId}/goals/${slug}/join`, {}],
      mutation: ['joinGoal', { user: { externalId: userId }, goal: { slug } }],
    }
  },
  'a lottery ticket': async (userId) => {
    const { slug } = await makeLottery(world)
    const email = 'player@example.com'
    return {
      rest: ['/v1/lotteries/entries', { email, lotterySlug: slug, userId }],
      mutation: ['enterLottery', { email, lottery: { slug }, user: { externalId: userId } }],
    }
  },
  spending: async (userId) => ({
    rest: ['/v1/points/spend', { userId, points: 10, reason: 'a mug' }],
    mutation: ['spendPoints', { user: { externalId: userId }, points: 10, reason: 'a mug' }],
  }),
  'a seat in a session': async (userId) => {
    await world.givePoints(userId, 1, 'signup', world.partner.live.secret)
    const game = await arena.publish()
    const { id: sessionId } = await arena.openSession(game.id)
    return {
      rest: [`/v1/arena/games/sessions/${sessionId}/join`, { userId }],
      mutation: [
        'joinArenaSession',
        { arenaSessionId: sessionId, player: { user: { externalId: userId } } },
      ],
      isLive: true,
    }
  },
  'support of an agent': async (userId) => {
    await world.givePoints(userId, 1, 'signup', world.partner.live.secret)
    const { id } = await makeAgent(world.runtime, world.partner.partnerId, 'random')
    return {
      rest: [`/v1/arena/agents/${id}/support`, { userId, amount: 5 }],
      mutation: [
        'supportArenaAgent',
        { arenaAgentId: id, user: { externalId: userId }, points: 5 },
      ],
      isLive: true,
    }
  },
}

describe('while a user is blocked', () => {
  it.each(Object.entries(operations))(
    '%s is refused, and is possible after it',
    async (_, prepare) => {
      const userId = await call.newUser()
      const { rest, mutation, isLive = false, key = 'secret' } = await prepare(userId)
      const keys = isLive ? world.partner.live : world.keys
      await call.block(userId, {}, keys.secret)
      const send = () => world.post(rest[0], keys[key], rest[1] ?? {})
      const before = (
        await world.server.database.pool.query({ text: 'SELECT count(*) FROM ledger_entry' })
      ).rows
      expect(outcomeOf(await send())).toEqual(refusal)
      const [name, input] = mutation
      const result = await shop.mutate(name, '__typename', input as never, keys)
      expect(result).toMatchObject({ code: 'USER_BLOCKED', status: 'BLOCKED', since: null })
      const after = (
        await world.server.database.pool.query({ text: 'SELECT count(*) FROM ledger_entry' })
      ).rows
      expect(after).toEqual(before)
      await world.post(`/v1/users/${userId}/unblock`, keys.secret, {})
      expect(Math.floor((await send()).status / 100)).toBe(2)
    },
  )

  it('refuses after what was not found, and before what is too dear', async () => {
    const userId = await call.newUser()
    await call.block(userId)
    const play = (body: object) => world.post('/v1/games/play', world.keys.public, body)
    expect((await play({ userId: randomUUID(), gameType: 'NEON_WHEEL' })).status).toBe(404)
    const { slug } = await shop.sold('BADGE', 10_000)
    const buy = (of: string) => shop.buyByRest(userId, of)
    expect((await buy('unknown')).status).toBe(404)
    expect(outcomeOf(await buy(slug))).toEqual(refusal)
    const missing = `/v1/users/${userId}/grants/${randomUUID()}/claim`
    expect((await world.post(missing, world.keys.secret, {})).status).toBe(404)
  })

  it('awards, tracking, gifts, corrections and reads go on, unless it is for fraud', async () => {
    const userId = await call.newUser()
    await call.block(userId, { reason: 'SELF_EXCLUSION' })
    await world.givePoints(userId, 1)
    const event = { externalId: userId, eventType: 'visit', category: 'CUSTOM' }
    expect((await world.post('/v1/user-journeys/events', world.keys.secret, event)).status).toBe(
      200,
    )
    const input = { user: { externalId: userId }, points: -50, reason: 'a mistake' }
    expect(await shop.mutate('adjustPoints', 'user { balance }', input)).toMatchObject({
      user: { balance: 150 },
    })
    const balance = await world.get(`/v1/users/${userId}/balance`, world.keys.secret)
    expect(balance.body.data.totalPoints).toBe(150)
  })
})

test('nothing passes after the answer to a block that races with plays, awards and tickets', async () => {
  const { slug } = await makeLottery(world)
  for (const delayMs of [0, 25]) {
    const userId = await call.newUser(20)
    let isBlocked = false
    const late: string[] = []
    const repeat = async (name: string, send: () => Promise<{ status: number }>) => {
      for (let n = 0; n < 6; n++) {
        const wasBlocked = isBlocked
        const { status } = await send()
        if (wasBlocked && status !== 403) late.push(`${name}: ${status}`)
      }
    }
    const email = 'player@example.com'
    await Promise.all([
      repeat('play', () =>
        world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' }),
      ),
      repeat('award', () =>
        world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup' }),
      ),
      repeat('ticket', () =>
        world.post('/v1/lotteries/entries', world.keys.secret, {
          email,
          lotterySlug: slug,
          userId,
        }),
      ),
      repeat('spend', () =>
        world.post('/v1/points/spend', world.keys.secret, { userId, points: 1, reason: 'x' }),
      ),
      (async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        await call.block(userId, { reason: 'FRAUD' })
        isBlocked = true
      })(),
    ])
    expect(late).toEqual([])
    const { id, externalId } = await call.row(userId)
    const [row] = (
      await world.server.database.pool.query({
        text: `SELECT b.blocked_at, (SELECT max(created_at) FROM ledger_entry WHERE user_id = $1) AS entry,
            (SELECT count(*) FROM ledger_entry WHERE user_id = $1) AS entries
          FROM user_block b WHERE b.user_id = $1`,
        values: [id],
      })
    ).rows
    expect(externalId).toBe(userId)
    expect(Number(row.entries)).toBeGreaterThan(0)
  }
})
