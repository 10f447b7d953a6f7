import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus, updateCampaign } from '../../src/campaigns/campaign-management.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import {
  type Answer,
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../world.ts'
import { callsTo, count, makeCampaign, times } from './promotion.ts'

type Call = ReturnType<typeof callsTo>

/** Promises that hold for any number of simultaneous callers and servers. */
const promises = (callOn: (i: number) => Call, world: () => World) => {
  const prizes = (answers: Answer[]) =>
    Object.entries(
      Object.groupBy(
        answers.flatMap(({ body }) => body.data?.instantWin.prizeTier ?? []),
        (name: string) => name,
      ),
    )
      .map(([name, list]) => `${list?.length} ${name}`)
      .sort()

  it('200 events on golden-ticket win exactly 3 Gold and 5 Silver', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket')
    const answers = await Promise.all(times(200, (i) => callOn(i).buy(slug, `player-${i % 40}`)))
    expect(count(answers, 200)).toBe(200)
    expect(prizes(answers)).toEqual(['3 Gold', '5 Silver'])
    const codes = answers.flatMap(({ body }) => body.data.instantWin.winCode ?? [])
    expect(new Set(codes).size).toBe(8)
    const late = await callOn(0).buy(slug, 'late')
    expect(late.body.data.instantWin).toEqual({
      won: false,
      pointsEarned: 0,
      message: 'No win this time',
    })
    expect(await callOn(1).winStats(slug)).toEqual({
      totalPlays: 201,
      totalWins: 8,
      winRate: 3.98,
      tiers: [
        { name: 'Gold', wins: 3, maxWins: 3, remaining: 0 },
        { name: 'Silver', wins: 5, maxWins: 5, remaining: 0 },
      ],
    })
  })

  it('100 events of one user are exactly 20 plays', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket')
    const answers = await Promise.all(times(100, (i) => callOn(i).buy(slug, 'eager')))
    expect([count(answers, 200), count(answers, 409)]).toEqual([20, 80])
    const totals = answers.flatMap(({ body }) => body.data?.totalPoints ?? [])
    expect(totals.sort((a, b) => a - b)).toEqual(times(20, (i) => 10 * (i + 1)))
  })

  it('of 50 wrong codes of one user, 10 are tried', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket')
    const guess = (i: number) =>
      callOn(i).redeem(slug, { code: 'GOLD-AAAAAAAA', userId: 'guesser' })
    const answers = await Promise.all(times(50, guess))
    expect([count(answers, 400), count(answers, 429)]).toEqual([10, 40])
    expect(await world().runtime.db.throttle.findMany({ select: { tries: true } })).toEqual([
      { tries: 10 },
    ])
    await world().runtime.db.throttle.deleteMany()
  })

  it('50 right codes of one user are all redeemed at a node, and count as no guess', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket')
    const made = await callOn(0).generate({ slug, batchSize: 50, pointsValue: 5 })
    const codes: string[] = made.body.data.codes
    const redeem = (code: string) => callOn(0).redeem(slug, { code, userId: 'collector' })
    const answers = await Promise.all(codes.map(redeem))
    expect(count(answers, 200)).toBe(50)
    expect(await world().runtime.db.throttle.findMany({ where: { tries: { gt: 0 } } })).toEqual([])
    await world().runtime.db.throttle.deleteMany()
  })

  it('50 users on one code are one redemption', async () => {
    const slug = await makeCampaign(world(), 'summer-sale')
    const made = await callOn(0).generate({ slug, batchSize: 1, pointsValue: 70 })
    const [code] = made.body.data.codes
    const answers = await Promise.all(
      times(50, (i) => callOn(i).redeem(slug, { code, userId: `finder-${i}` })),
    )
    expect([count(answers, 200), count(answers, 400)]).toEqual([1, 49])
    const balances = await Promise.all(
      times(50, async (i) => {
        const { status, body } = await world().get(
          `/v1/users/finder-${i}/balance`,
          world().keys.secret,
        )
        return status === 200 ? body.data.totalPoints : null
      }),
    )
    expect(balances.filter((points) => points !== null)).toEqual([70])
    expect(await callOn(0).codeStats(slug)).toMatchObject({ active: 0, redeemed: 1 })
  })

  it('a code that is redeemed and revoked at once is either', async () => {
    const slug = await makeCampaign(world(), 'summer-sale')
    const { body } = await callOn(0).generate({ slug, batchSize: 20, pointsValue: 5 })
    const codes = body.data.codes as string[]
    const revoke = async (code: string): Promise<string> => {
      const { body } = await world().graphql(
        'mutation ($input: RevokeCodeInput!) { revokeCode(input: $input) { __typename } }',
        { input: { campaignCode: { code } } },
      )
      return body.data.revokeCode.__typename
    }
    const answers = await Promise.all(
      codes.map((code, i) =>
        Promise.all([revoke(code), callOn(i).redeem(slug, { code, userId: `user-${i % 5}` })]),
      ),
    )
    const redeemed = answers.filter(([, { status }]) => status === 200)
    const revoked = answers.filter(([type]) => type === 'RevokeCodePayload')
    expect(redeemed.length + revoked.length).toBe(20)
    expect(await callOn(0).codeStats(slug)).toMatchObject({
      active: 0,
      redeemed: redeemed.length,
      revoked: revoked.length,
    })
  })

  it('50 callers with one win code are one redemption', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket')
    const { winCode, pointsEarned } = (await callOn(0).buy(slug, 'winner')).body.data.instantWin
    const before = await callOn(0).balance('winner')
    const body = { winCode, userId: 'winner' }
    const answers = await Promise.all(times(50, (i) => callOn(i).redeemWin(slug, body)))
    expect(count(answers, 200)).toBe(1)
    expect(await callOn(0).balance('winner')).toBe(before + pointsEarned)
  })

  it('30 referrers of one referee are one referral', async () => {
    const slug = await makeCampaign(world(), 'summer-sale')
    const referrers = times(30, (i) => `referrer-${i}`)
    const codes = await Promise.all(
      referrers.map(async (userId, i) => {
        await world().givePoints(userId, 1, 'daily_login')
        return (await callOn(i).referralCode(slug, userId)).body.data.referralCode
      }),
    )
    const refereeId = `wanted-${slug}`
    const answers = await Promise.all(
      referrers.map((referrerId, i) =>
        callOn(i).refer(slug, { referrerId, refereeId, referralCode: codes[i] }),
      ),
    )
    const messages = answers.map(({ status, body }) => body.message ?? status)
    expect(messages.filter((message) => message === 200)).toHaveLength(1)
    expect(messages.filter((message) => message === 'User has already been referred')).toHaveLength(
      29,
    )
    expect(await callOn(0).balance(refereeId)).toBe(100)
  })

  it('two users who refer each other at the same time are one referral', async () => {
    const slug = await makeCampaign(world(), 'summer-sale')
    for (let round = 0; round < 5; round++) {
      const pair = [`left-${round}`, `right-${round}`] as const
      for (const userId of pair) await world().givePoints(userId, 1, 'daily_login')
      const answers = await Promise.all(
        pair.map(async (referrerId, i) => {
          const { body } = await callOn(i).referralCode(slug, referrerId)
          const { referralCode } = body.data
          return callOn(i).refer(slug, { referrerId, refereeId: pair[1 - i], referralCode })
        }),
      )
      expect([count(answers, 200), count(answers, 400)]).toEqual([1, 1])
    }
  })

  it('no event is accepted after a pause has returned, and more stock gives exactly that many more wins', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket', { maxEventsPerUser: null })
    const key = { ...world().tenant, slug }
    const early = times(40, (i) => callOn(i).buy(slug, `early-${i}`))
    await changeCampaignStatus(world().runtime, key, 'PAUSED')
    const late = await Promise.all(times(40, (i) => callOn(i).buy(slug, `late-${i}`)))
    expect(count(late, 404)).toBe(40)
    await Promise.all(early)
    await changeCampaignStatus(world().runtime, key, 'ACTIVE')
    const plays = times(120, (i) => callOn(i).buy(slug, `more-${i % 10}`))
    const tiers = [
      { name: 'Gold', points: 500, weight: 1, maxWins: 10 },
      { name: 'Silver', points: 100, weight: 1, maxWins: 6 },
    ]
    await updateCampaign(world().runtime, {
      ...key,
      instantWinRules: { winRate: 1, prizeTiers: tiers },
    })
    await Promise.all(plays)
    await Promise.all(times(30, (i) => callOn(i).buy(slug, `more-${i}`)))
    const { totalWins, tiers: left } = await callOn(0).winStats(slug)
    expect(totalWins).toBe(16)
    expect(left.map(({ remaining }: { remaining: number }) => remaining)).toEqual([0, 0])
  })

  it('simultaneous events, codes, wins and awards for the same users keep every point', async () => {
    const slug = await makeCampaign(world(), 'golden-ticket', { maxEventsPerUser: null })
    const made = await callOn(0).generate({ slug, batchSize: 60, pointsValue: 3 })
    const codes: string[] = made.body.data.codes
    const user = (i: number) => `busy-${slug}-${i % 4}`
    const answers = await Promise.all([
      ...times(60, (i) => callOn(i).buy(slug, user(i))),
      ...codes.map((code, i) => callOn(i + 1).redeem(slug, { code, userId: user(i) })),
      ...times(60, (i) =>
        world().post('/v1/points/award', world().keys.secret, {
          userId: user(i + 2),
          eventType: 'daily_login',
        }),
      ),
    ])
    expect(count(answers, 200)).toBe(180)
    const balances = await Promise.all(times(4, (i) => callOn(0).balance(user(i))))
    expect(balances.reduce((a, b) => a + b)).toBe(60 * 10 + 60 * 3 + 60 * 10)
  })
}

describe('one server', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
  afterAll(() => world.end())
  promises(
    () => callsTo(world),
    () => world,
  )
})

describe.runIf(onPostgres)('two servers on one database', () => {
  let database: TestDatabase
  let worlds: World[] = []
  const main = () => worlds[0] as World
  beforeAll(async () => {
    database = await createDatabase()
    worlds = await Promise.all([createWorld({ database }), createWorld({ database })])
  })
  afterEach(async () => expect(await audit(main().server.database.pool)).toBe(0))
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.end()))
    await database?.drop()
  })
  promises((i) => callsTo(worlds[i % 2] as World, main().keys.secret), main)
})
