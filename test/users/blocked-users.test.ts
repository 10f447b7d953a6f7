/** What a block refuses, what goes on, and when it ends. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { markLeaderboard } from '../../src/leaderboard/leaderboard.sql.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { countAll } from '../programme/goals.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'

const start = new Date('2026-03-02T09:00:00Z')
let world: World
let shop: Shop
let arena: Arena
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
  arena = await createArena(world)
})
beforeEach(() => {
  now = start
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const dayMs = 86_400_000
const later = (days: number) => new Date(now.getTime() + days * dayMs)

type Block = { reason?: string; note?: string; until?: Date }

const block = async (userId: string, { reason = 'ABUSE', ...more }: Block = {}, key?: string) => {
  const path = `/v1/users/${userId}/block`
  const answer = await world.post(path, key ?? world.keys.secret, { reason, ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const unblock = (userId: string) => world.post(`/v1/users/${userId}/unblock`, world.keys.secret, {})

const newUser = async (hundreds = 1) => {
  const userId = randomUUID()
  await world.givePoints(userId, hundreds)
  return userId
}

const read = async (query: string, variables: Record<string, unknown> = {}, by?: object) => {
  const { body } = await world.graphql(query, variables, by)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

const userRow = (externalId: string) =>
  world.runtime.db.endUser.findFirstOrThrow({ where: { ...world.tenant, externalId } })

const refusal = { status: 403, errorCode: 'USER_BLOCKED' }
const outcomeOf = (answer: { status: number; body: { errorCode?: string } }) => ({
  status: answer.status,
  errorCode: answer.body.errorCode,
})

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
    const referrer = await newUser()
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
    await read(
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
      const userId = await newUser()
      const { rest, mutation, isLive = false, key = 'secret' } = await prepare(userId)
      const keys = isLive ? world.partner.live : world.keys
      await block(userId, {}, keys.secret)
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
    const userId = await newUser()
    await block(userId)
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
    const userId = await newUser()
    await block(userId, { reason: 'SELF_EXCLUSION' })
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

describe('a block', () => {
  it('is shown with its reason and note to backends and members only', async () => {
    const userId = await newUser()
    const until = later(7)
    expect(await block(userId, { reason: 'ABUSE', note: 'seven accounts', until })).toEqual({
      userId,
      block: {
        reason: 'ABUSE',
        note: 'seven accounts',
        blockedAt: now.toISOString(),
        until: until.toISOString(),
      },
    })
    const query = `query ($id: String!) { user(by: { externalId: $id }) {
      block { reason note blockedAt until } } }`
    const seen = { blockedAt: now.toISOString(), until: until.toISOString() }
    expect((await read(query, { id: userId })).user.block).toEqual({
      reason: 'ABUSE',
      note: 'seven accounts',
      ...seen,
    })
    expect((await read(query, { id: userId }, { public: world.keys.public })).user.block).toEqual({
      reason: null,
      note: null,
      ...seen,
    })
    now = until
    expect((await read(query, { id: userId })).user.block).toBeNull()
  })

  it('ends by itself when its end is past', async () => {
    const userId = await newUser()
    await block(userId, { until: later(1) })
    const play = async () =>
      (await world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' }))
        .status
    now = new Date(later(1).getTime() - 1)
    expect(await play()).toBe(403)
    now = new Date(now.getTime() + 1)
    expect(await play()).toBe(200)
  })

  it('is replaced by another one, and unblocking a user who is not blocked changes nothing', async () => {
    const userId = await newUser()
    await block(userId, { until: later(1) })
    now = new Date(now.getTime() + 1000)
    await block(userId, { reason: 'OTHER' })
    const { id } = await userRow(userId)
    const blocks = () =>
      world.runtime.db.userBlock.findMany({ where: { userId: id }, orderBy: { blockedAt: 'asc' } })
    expect(await blocks()).toMatchObject([
      { reason: 'ABUSE', endedAt: now },
      { reason: 'OTHER', until: null, endedAt: null },
    ])
    now = new Date(now.getTime() + 1000)
    expect((await unblock(userId)).body.data).toEqual({ userId, block: null })
    now = new Date(now.getTime() + 1000)
    expect((await unblock(userId)).status).toBe(200)
    const events = await world.runtime.db.event.findMany({
      where: { type: { in: ['user.blocked', 'user.unblocked'] } },
      orderBy: { occurredAt: 'asc' },
    })
    const own = events.filter(({ data }) => (data as { userId: string }).userId === userId)
    const about = ({ type, data }: (typeof own)[number]) => [type, data]
    expect(own.map(about)).toEqual([
      [
        'user.blocked',
        {
          userId,
          reason: 'ABUSE',
          until: new Date(start.getTime() + dayMs).toISOString(),
          blockedAt: start.toISOString(),
        },
      ],
      ['user.blocked', { userId, reason: 'OTHER', blockedAt: expect.any(String) }],
      ['user.unblocked', { userId, reason: 'OTHER', unblockedAt: expect.any(String) }],
    ])
  })

  it('is written to the audit log without its note, and refuses an end that is past', async () => {
    const userId = await newUser()
    const bearer = await world.signInAs('EDITOR')
    const input = { user: { externalId: userId }, reason: 'FRAUD', note: 'a secret remark' }
    await shop.mutate('blockUser', 'user { id }', input, { bearer })
    await shop.mutate('unblockUser', 'user { id }', { user: { externalId: userId } }, { bearer })
    const { id } = await userRow(userId)
    const entries = await world.runtime.db.auditEntry.findMany({
      where: { targetId: id },
      orderBy: { at: 'asc' },
    })
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['blockUser', 'unblockUser'])
    expect(JSON.stringify(entries)).toContain('FRAUD')
    expect(JSON.stringify(entries)).not.toContain('a secret remark')
    const past = { ...input, until: later(-1).toISOString() }
    expect(await shop.mutate('blockUser', 'user { id }', past)).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const analyst = await world.signInAs('ANALYST')
    const { body } = await world.graphql(
      `mutation ($input: BlockUserInput!) { blockUser(input: $input) { __typename } }`,
      { input },
      { bearer: analyst },
    )
    expect(body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
  })

  it('is part of the data of a user, and loses reason, note and names when the user is erased', async () => {
    const userId = await newUser()
    const bearer = await world.signInAs('EDITOR')
    await block(userId, { reason: 'FRAUD', note: 'seven accounts' })
    const note = { user: { externalId: userId }, text: 'called twice' }
    await shop.mutate('addUserNote', 'userNote { id }', note, { bearer })
    const query = `query ($id: String!) { userData(by: { externalId: $id }) {
      blocks { reason note until endedAt } notes { text } } }`
    expect((await read(query, { id: userId })).userData).toEqual({
      blocks: [{ reason: 'FRAUD', note: 'seven accounts', until: null, endedAt: null }],
      notes: [{ text: 'called twice' }],
    })
    now = new Date(now.getTime() + 1000)
    await unblock(userId)
    await block(userId)
    const { id } = await userRow(userId)
    await shop.mutate('eraseUser', 'user { id }', { user: { externalId: userId } })
    const text = JSON.stringify(
      [
        await world.runtime.db.endUser.findUnique({ where: { id } }),
        await world.runtime.db.userBlock.findMany({ where: { userId: id } }),
        await world.runtime.db.userNote.findMany({ where: { userId: id } }),
        await world.runtime.db.event.findMany({ where: { type: { startsWith: 'user.' } } }),
      ],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    )
    for (const gone of [userId, 'seven accounts', 'called twice']) expect(text).not.toContain(gone)
    expect(await world.runtime.db.userBlock.findMany({ where: { userId: id } })).toMatchObject([
      { reason: null },
      { reason: null },
    ])
  })
})

describe('a user who is blocked for fraud', () => {
  const award = (userId: string, reference: string, more: object = {}) =>
    world.post('/v1/points/award', world.keys.secret, {
      userId,
      eventType: 'signup',
      reference,
      ...more,
    })

  it('gets no award, and its reference stays unused', async () => {
    const userId = await newUser()
    const reference = randomUUID()
    await block(userId, { reason: 'FRAUD' })
    expect(outcomeOf(await award(userId, reference))).toEqual(refusal)
    expect(outcomeOf(await award(userId, reference, { timeZone: 'Europe/Prague' }))).toEqual(
      refusal,
    )
    expect((await award(userId, reference, { eventType: 'unknown' })).status).toBe(404)
    await unblock(userId)
    expect((await award(userId, reference)).status).toBe(200)
    await block(userId, { reason: 'FRAUD' })
    // It says that it was awarded before, which is true.
    expect((await award(userId, reference)).status).toBe(409)
  })

  it('does not fail the others of a list, also not those with the same reference', async () => {
    const [blocked, other, third] = [await newUser(), await newUser(), randomUUID()]
    await block(blocked, { reason: 'FRAUD' })
    const shared = randomUUID()
    const awards = [
      { userId: blocked, eventType: 'signup', reference: shared },
      { userId: other, eventType: 'signup', reference: shared },
      { userId: blocked, eventType: 'signup', reference: randomUUID() },
      { userId: third, eventType: 'signup', reference: randomUUID() },
    ]
    const { body } = await world.post('/v1/points/award/batch', world.keys.secret, { awards })
    const codes = body.data.results.map((one: { errorCode?: string }) => one.errorCode ?? 'awarded')
    expect(codes).toEqual(['USER_BLOCKED', 'awarded', 'USER_BLOCKED', 'awarded'])
    expect(Number((await userRow(blocked)).balance)).toBe(100)
  })

  it('gets no gift, and its reference stays unused', async () => {
    const userId = await newUser()
    const reward = await shop.pointsReward(10)
    const reference = randomUUID()
    await block(userId, { reason: 'FRAUD' })
    expect(await shop.give(userId, reward, { reference })).toMatchObject({ code: 'USER_BLOCKED' })
    await unblock(userId)
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
      const data = await read(
        `{ leaderboard(last: 2) { nodes { rank user { externalId } } totalCount { value } }
          leaderboardAround(user: { externalId: "bob" }) { rank }
          ${names.map((name) => `${name}: user(by: { externalId: "${name}" }) { rank }`).join(' ')} }`,
        {},
        by,
      )
      return {
        ranks: names.map((name) => data[name].rank),
        last: data.leaderboard.nodes.map((one: { rank: number }) => one.rank),
        total: data.leaderboard.totalCount.value,
        around: data.leaderboardAround?.length ?? null,
      }
    }
    const whole = ['1 ann', '2 bob', '3 cid', '4 dan']
    expect(await ranks()).toEqual(whole)
    await block('bob', { reason: 'FRAUD', until: later(1) }, secret)
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
    const call = callsTo(world)
    for (const userId of [first, first, second]) await call.buy(slug, userId)
    const board = async () => {
      const { body } = await world.get(`/v1/campaigns/${slug}/leaderboard`, world.keys.secret)
      return body.data.entries.map((one: { rank: number; userId: string }) => [
        one.rank,
        one.userId,
      ])
    }
    const rank = async (userId: string) => (await call.participant(slug, userId)).body.data.rank
    await block(first, { reason: 'FRAUD' })
    expect(await board()).toEqual([[1, second]])
    expect([await rank(first), await rank(second)]).toEqual([null, 1])
    await block(first, { reason: 'OTHER' })
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
    const [userId, other] = [await newUser(), await newUser()]
    await block(userId, more)
    const reward = await shop.pointsReward(30)
    const users = [userId, other].map((name) => world.userKey(name))
    const [grant, neighbour] = await shop.grantAll(users, reward.uuid)
    await settle()
    await settle()
    const statusOf = async (one: { id: string } | undefined) =>
      (await shop.grant(one?.id ?? '')).status
    expect([await statusOf(grant), await statusOf(neighbour)]).toEqual(['READY', 'ISSUED'])
    expect(await shop.balance(userId)).toBe(100)
    now = later(1)
    if (!('until' in more)) {
      await settle()
      expect(await statusOf(grant)).toBe('READY')
      await unblock(userId)
    }
    await settle()
    await settle()
    expect(await statusOf(grant)).toBe('ISSUED')
    expect(await shop.balance(userId)).toBe(130)
  })

  it('a gift waits for the end of a block that is not for fraud', async () => {
    const userId = await newUser()
    await block(userId, { until: later(1) })
    const { uuid, status } = await shop.give(userId, await shop.pointsReward(5))
    expect(status).toBe('READY')
    now = later(1)
    await settle()
    expect((await shop.grant(uuid)).status).toBe('ISSUED')
  })

  it('a streak pauses for the days of the block', async () => {
    const slug = `daily-${randomUUID()}`
    await read(
      `mutation ($slug: String!) {
        createGoal(input: { slug: $slug, name: "Daily", window: DAY, repeat: EACH_WINDOW, tasks: [{ target: 1,
          measure: { facts: [ACTIVITY], eventTypes: ["visit"] } }], streak: { freezes: { initial: 0, max: 0 } } }) {
          __typename ... on Error { message } }
        startGoal(input: { goal: { slug: $slug } }) { __typename } }`,
      { slug },
    )
    await settle()
    const userId = await newUser()
    const visit = async () => {
      const event = { externalId: userId, eventType: 'visit', category: 'CUSTOM' }
      await world.post('/v1/user-journeys/events', world.keys.secret, event)
      await settle()
    }
    const streak = async () => {
      const data = await read(
        `query ($id: String!) { user(by: { externalId: $id }) { streaks { nodes {
          goal { slug } length state history { windowStart status } } } } }`,
        { id: userId },
      )
      return data.user.streaks.nodes.find(
        (one: { goal: { slug: string } }) => one.goal.slug === slug,
      )
    }
    await visit()
    // On March 3rd to 5th, the user is blocked.
    now = later(1)
    await block(userId, { until: later(2) })
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
    await block(userId)
    now = later(1)
    await visit()
    await unblock(userId)
    now = later(2)
    await settle()
    expect(await streak()).toMatchObject({ length: 0, state: 'BROKEN' })
  })
})

describe('lists of users', () => {
  it('are filtered by whether users are blocked now', async () => {
    const { secret } = (await world.createPartner()).test
    for (const name of ['ann', 'bob', 'cid']) await world.givePoints(name, 1, 'signup', secret)
    await block('ann', {}, secret)
    await block('bob', { until: later(1) }, secret)
    const names = async (filter: string) =>
      (
        await read(
          `{ users(filter: ${filter}) { nodes { externalId } totalCount { value } } }`,
          {},
          { secret },
        )
      ).users.nodes.map(({ externalId }: { externalId: string }) => externalId)
    expect(await names('{ isBlocked: true }')).toEqual(['ann', 'bob'])
    expect(await names('{ isBlocked: false }')).toEqual(['cid'])
    expect(await names('{ isBlocked: true, balance: { min: 1 } }')).toEqual(['ann', 'bob'])
    expect(await names('{ isBlocked: null }')).toEqual(['ann', 'bob', 'cid'])
    now = later(1)
    expect(await names('{ isBlocked: true }')).toEqual(['ann'])
  })
})

describe('notes about a user', () => {
  it('are written, read and deleted by members only, and audited without their text', async () => {
    const userId = await newUser()
    const bearer = await world.signInAs('EDITOR')
    const add = (text: string) =>
      shop.mutate(
        'addUserNote',
        'userNote { id uuid text member { email } }',
        { user: { externalId: userId }, text },
        { bearer },
      )
    const first = await add('called about a prize')
    const second = await add('called again')
    const list = `query ($id: String!) { user(by: { externalId: $id }) { notes { nodes { text } } } }`
    expect((await read(list, { id: userId }, { bearer })).user.notes.nodes).toEqual([
      { text: 'called again' },
      { text: 'called about a prize' },
    ])
    const { body } = await world.graphql(list, { id: userId })
    expect(body.errors?.length).toBe(1)
    const gone = await shop.mutate(
      'deleteUserNote',
      'deletedId',
      { noteId: first.userNote.id },
      { bearer },
    )
    expect(gone.deletedId).toBe(first.userNote.id)
    expect(
      await shop.mutate('deleteUserNote', 'deletedId', { noteId: first.userNote.id }, { bearer }),
    ).toMatchObject({
      code: 'USER_NOTE_NOT_FOUND',
    })
    expect((await read(list, { id: userId }, { bearer })).user.notes.nodes).toHaveLength(1)
    const entries = await world.runtime.db.auditEntry.findMany({
      where: { action: { in: ['addUserNote', 'deleteUserNote'] } },
    })
    expect(entries.length).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify(entries)).not.toContain('called')
    expect(second.userNote.text).toBe('called again')
  })
})

test('nothing passes after the answer to a block that races with plays, awards and tickets', async () => {
  const { slug } = await makeLottery(world)
  for (const delayMs of [0, 25]) {
    const userId = await newUser(20)
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
        await block(userId, { reason: 'FRAUD' })
        isBlocked = true
      })(),
    ])
    expect(late).toEqual([])
    const { id, externalId } = await userRow(userId)
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
