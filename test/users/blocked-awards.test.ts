/** What users get while they are blocked, and which leaderboards they are on. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { markLeaderboard } from '../../src/leaderboard/leaderboard.sql.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { countAll } from '../programme/goals.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'
import { type Blocks, blocksOf, outcomeOf, refusal } from './blocks.ts'

const start = new Date('2026-03-02T09:00:00Z')
let world: World
let shop: Shop
let call: Blocks
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
  call = blocksOf(world)
})
beforeEach(() => {
  now = start
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const dayMs = 86_400_000
const later = (days: number) => new Date(now.getTime() + days * dayMs)

describe('a user who is blocked for fraud', () => {
  const award = (userId: string, reference: string, more: object = {}) =>
    world.post('/v1/points/award', world.keys.secret, {
      userId,
      eventType: 'signup',
      reference,
      ...more,
    })

  it('gets no award, and its reference stays unused', async () => {
    const userId = await call.newUser()
    const reference = randomUUID()
    await call.block(userId, { reason: 'FRAUD' })
    expect(outcomeOf(await award(userId, reference))).toEqual(refusal)
    expect(outcomeOf(await award(userId, reference, { timeZone: 'Europe/Prague' }))).toEqual(
      refusal,
    )
    expect((await award(userId, reference, { eventType: 'unknown' })).status).toBe(404)
    await call.unblock(userId)
    expect((await award(userId, reference)).status).toBe(200)
    await call.block(userId, { reason: 'FRAUD' })
    // It says that it was awarded before, which is true.
    expect((await award(userId, reference)).status).toBe(409)
  })

  it('does not fail the others of a list, also not those with the same reference', async () => {
    const [blocked, other, third] = [await call.newUser(), await call.newUser(), randomUUID()]
    await call.block(blocked, { reason: 'FRAUD' })
    const shared = randomUUID()
    const awards = [
      { userId: blocked, eventType: 'signup', reference: shared },
      { userId: other, eventType: 'signup', reference: shared },
      { userId: blocked, eventType: 'signup', reference: randomUUID() },
      { userId: third, eventType: 'signup', reference: randomUUID() },
    ]
    const { body } = await world.post('/v1/points/award/batch', world.keys.secret, { awards })
    const codes = body.data.results.map(
      (result: { errorCode?: string }) => result.errorCode ?? 'awarded',
    )
    expect(codes).toEqual(['USER_BLOCKED', 'awarded', 'USER_BLOCKED', 'awarded'])
    expect(Number((await call.row(blocked)).balance)).toBe(100)
  })

  it('gets no gift, and its reference stays unused', async () => {
    const userId = await call.newUser()
    const reward = await shop.pointsReward(10)
    const reference = randomUUID()
    await call.block(userId, { reason: 'FRAUD' })
    expect(await shop.give(userId, reward, { reference })).toMatchObject({ code: 'USER_BLOCKED' })
    await call.unblock(userId)
    expect(await shop.give(userId, reward, { reference })).toMatchObject({ status: 'ISSUED' })
  })

  it('is on no leaderboard, and returns when the block ends', async () => {
    const { partnerId, test: keys } = await world.createPartner()
    const { secret } = keys
    const by = { secret }
    const names = ['ann', 'bob', 'cid', 'dan'] as const
    for (const [n, name] of names.entries()) await world.givePoints(name, 4 - n, 'signup', secret)
    const ranks = async () => {
      const { body } = await world.get('/v1/leaderboard', keys.public)
      return body.data.map(
        ({ rank, userId }: { rank: number; userId: string }) => `${rank} ${userId}`,
      )
    }
    const places = async () => {
      const data = await call.read(
        `{ leaderboard(last: 2) { nodes { rank user { externalId } } totalCount { value } }
          leaderboardAround(user: { externalId: "bob" }) { rank }
          ${names.map((name) => `${name}: user(by: { externalId: "${name}" }) { rank }`).join(' ')} }`,
        {},
        by,
      )
      return {
        ranks: names.map((name) => data[name].rank),
        last: data.leaderboard.nodes.map((node: { rank: number }) => node.rank),
        total: data.leaderboard.totalCount.value,
        around: data.leaderboardAround?.length ?? null,
      }
    }
    const whole = ['1 ann', '2 bob', '3 cid', '4 dan']
    expect(await ranks()).toEqual(whole)
    await call.block('bob', { reason: 'FRAUD', until: later(1) }, secret)
    expect(await ranks()).toEqual(['1 ann', '2 cid', '3 dan'])
    const hidden = { ranks: [1, null, 2, 3], last: [2, 3], total: 3, around: null }
    expect(await places()).toEqual(hidden)
    // Ranks that count from marks agree with those that count from the top.
    await markLeaderboard(world.runtime.db, { partnerId, environment: 'TEST' }, now, 1, 1)
    expect(await places()).toEqual(hidden)
    now = later(1)
    expect(await ranks()).toEqual(whole)
    // Behind marks, the end counts once they are counted again.
    await markLeaderboard(world.runtime.db, { partnerId, environment: 'TEST' }, now, 1, 1)
    expect((await places()).ranks).toEqual([1, 2, 3, 4])
  })

  it('is on no leaderboard of a campaign', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const [first, second] = [randomUUID(), randomUUID()]
    const promotion = callsTo(world)
    for (const userId of [first, first, second]) await promotion.buy(slug, userId)
    const board = async () => {
      const { body } = await world.get(`/v1/campaigns/${slug}/leaderboard`, world.keys.secret)
      return body.data.entries.map((entry: { rank: number; userId: string }) => [
        entry.rank,
        entry.userId,
      ])
    }
    const rank = async (userId: string) =>
      (await promotion.participant(slug, userId)).body.data.rank
    await call.block(first, { reason: 'FRAUD' })
    expect(await board()).toEqual([[1, second]])
    expect([await rank(first), await rank(second)]).toEqual([null, 1])
    await call.block(first, { reason: 'OTHER' })
    expect(await board()).toEqual([
      [1, first],
      [2, second],
    ])
  })
})

describe('what happens by itself', () => {
  const settle = async () => {
    await countAll(world.runtime)
    await decideGoals(world.runtime)
    await settleDueStreaks(world.runtime)
    await settleDueGrants(world.runtime)
  }

  it.each([
    ['the block ends by itself', { until: new Date(start.getTime() + dayMs) }],
    ['the user is unblocked', {}],
  ])('grants wait, and are issued once %s', async (_, more) => {
    const [userId, other] = [await call.newUser(), await call.newUser()]
    await call.block(userId, more)
    const reward = await shop.pointsReward(30)
    const users = [userId, other].map((name) => world.userKey(name))
    const [grant, neighbour] = await shop.grantAll(users, reward.uuid)
    await settle()
    await settle()
    const statusOf = async (item: { id: string } | undefined) =>
      (await shop.grant(item?.id ?? '')).status
    expect([await statusOf(grant), await statusOf(neighbour)]).toEqual(['READY', 'ISSUED'])
    expect(await shop.balance(userId)).toBe(100)
    now = later(1)
    if (!('until' in more)) {
      await settle()
      expect(await statusOf(grant)).toBe('READY')
      await call.unblock(userId)
    }
    await settle()
    await settle()
    expect(await statusOf(grant)).toBe('ISSUED')
    expect(await shop.balance(userId)).toBe(130)
  })

  it('a gift waits for the end of a block that is not for fraud', async () => {
    const userId = await call.newUser()
    await call.block(userId, { until: later(1) })
    const { uuid, status } = await shop.give(userId, await shop.pointsReward(5))
    expect(status).toBe('READY')
    now = later(1)
    await settle()
    expect((await shop.grant(uuid)).status).toBe('ISSUED')
  })

  it('a streak pauses for the days of the block', async () => {
    const slug = `daily-${randomUUID()}`
    await call.read(
      `mutation ($slug: String!) {
        createGoal(input: { slug: $slug, name: "Daily", window: DAY, repeat: EACH_WINDOW, tasks: [{ target: 1,
          measure: { facts: [ACTIVITY], eventTypes: ["visit"] } }], streak: { freezes: { initial: 0, max: 0 } } }) {
          __typename ... on Error { message } }
        startGoal(input: { goal: { slug: $slug } }) { __typename } }`,
      { slug },
    )
    await settle()
    const userId = await call.newUser()
    const visit = async () => {
      const event = { externalId: userId, eventType: 'visit', category: 'CUSTOM' }
      await world.post('/v1/user-journeys/events', world.keys.secret, event)
      await settle()
    }
    const streak = async () => {
      const data = await call.read(
        `query ($id: String!) { user(by: { externalId: $id }) { streaks { nodes {
          goal { slug } length state history { windowStart status } } } } }`,
        { id: userId },
      )
      return data.user.streaks.nodes.find(
        (node: { goal: { slug: string } }) => node.goal.slug === slug,
      )
    }
    await visit()
    // On March 3rd to 5th, the user is blocked.
    now = later(1)
    await call.block(userId, { until: later(2) })
    await settle()
    now = later(1)
    expect(await streak()).toMatchObject({ length: 1, state: 'PAUSED' })
    await settle()
    now = later(2)
    await visit()
    expect(await streak()).toMatchObject({
      length: 2,
      state: 'ALIVE',
      history: [
        { windowStart: '2026-03-02', status: 'MET' },
        { windowStart: '2026-03-03', status: 'PAUSED' },
        { windowStart: '2026-03-04', status: 'PAUSED' },
        { windowStart: '2026-03-05', status: 'PAUSED' },
        { windowStart: '2026-03-06', status: 'MET' },
      ],
    })
    // What is met while blocked counts, and after it days have to be met again.
    await call.block(userId)
    now = later(1)
    await visit()
    await call.unblock(userId)
    now = later(2)
    await settle()
    expect(await streak()).toMatchObject({ length: 0, state: 'BROKEN' })
  })
})
