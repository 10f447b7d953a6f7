import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
beforeAll(async () => {
  world = await createWorld()
  call = callsTo(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

describe('a simulated event', () => {
  const simulate = async ({ slug, userId, ...event }: Record<string, string>, by?: object) => {
    const { body } = await world.graphql(
      `query ($slug: String!, $user: UserBy!, $eventType: String!, $at: DateTime) {
        campaign(by: { slug: $slug }) { simulatedEvent(user: $user, eventType: $eventType, occursAt: $at) {
          asIfActive occursAt refusal points campaignPoints eventCount eventsLeft
          mechanics { mechanic firing reason }
          prizes { prizeTier { name remainingCount } winRate } } } }`,
      { slug, user: { externalId: userId }, ...event },
      by,
    )
    if (body.errors) return body.errors[0].extensions.code
    return body.data.campaign?.simulatedEvent ?? null
  }
  const firing = ({ mechanics }: { mechanics: { firing: string }[] }) =>
    mechanics.slice(0, 3).map((mechanic) => mechanic.firing)
  const yes = 'FIRES'
  const no = 'DOES_NOT_FIRE'

  it('predicts what the real event does, and writes nothing', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { maxEventsPerUser: 2 })
    const counts = async () => {
      const { db } = world.runtime
      return [
        await db.endUser.count(),
        await db.campaignEvent.count(),
        await db.campaignParticipant.count(),
        await db.counter.count(),
      ]
    }
    const before = await counts()
    const event = { slug, userId: 'sim', eventType: 'purchase' }
    const first = await simulate(event)
    expect(await counts()).toEqual(before)
    expect(first).toMatchObject({
      asIfActive: false,
      refusal: null,
      points: 10,
      campaignPoints: 10,
      eventCount: 0,
      eventsLeft: 2,
      prizes: [
        { prizeTier: { name: 'Gold', remainingCount: 3 }, winRate: 0.5 },
        { prizeTier: { name: 'Silver', remainingCount: 5 }, winRate: 0.5 },
      ],
    })
    expect(firing(first)).toEqual([yes, yes, yes])
    const { data } = (await call.buy(slug, 'sim')).body
    expect([data.pointsEarned, data.totalPoints, data.instantWin.won]).toEqual([10, 10, true])
    expect(await simulate(event, world.partner.live)).toBe(null)
    await call.buy(slug, 'sim')
    const third = await simulate(event)
    expect(third).toMatchObject({
      refusal: 'MAX_PLAYS_EXCEEDED',
      points: 0,
      campaignPoints: 20,
    })
    expect(third.mechanics[0].reason).toBe('The user has played 2 times; 2 is the maximum')
    expect((await call.buy(slug, 'sim')).body.errorCode).toBe(third.refusal)
  })

  it('names a reason for each mechanic that would not fire', async () => {
    const slug = await makeCampaign(world, 'summer-sale', {
      creditsWallet: false,
      startsAt: new Date('2030-01-01'),
      endsAt: new Date('2030-02-01'),
      instantWinRules: { winRate: 0.001, prizeTiers: [{ name: 'A', points: 1, maxWins: 0 }] },
    })
    const at = async (moment: string, eventType = 'wave') => {
      const result = await simulate({ slug, userId: 'nobody', eventType, at: moment })
      return result.mechanics.map(({ mechanic, firing, reason }: Record<string, string>) => [
        mechanic,
        firing,
        reason,
      ])
    }
    expect(await at('2030-01-15T00:00:00Z')).toEqual([
      ['POINTS', no, 'No rule says what the event type wave is worth'],
      ['WALLET', no, 'Points of this campaign do not go to the wallet'],
      ['INSTANT_WIN', no, 'Every prize is out of stock'],
      ['REFERRAL', no, 'An event is no referral: referrals have a call of their own'],
      ['CODE', no, 'An event redeems no code: codes have a call of their own'],
    ])
    expect((await at('2029-12-31T23:59:59Z', 'purchase'))[0][2]).toBe(
      'The campaign has not begun by then',
    )
    expect((await at('2030-02-01T00:00:00Z', 'purchase'))[0][2]).toBe(
      'The campaign has ended by then',
    )
    expect((await at('2030-01-01T00:00:00Z', 'purchase'))[0]).toEqual([
      'POINTS',
      yes,
      'The event type purchase is worth 100 points',
    ])
    const chancy = await makeCampaign(world, 'summer-sale')
    const { mechanics } = await simulate({ slug: chancy, userId: 'x', eventType: 'purchase' })
    expect(mechanics[2]).toEqual({
      mechanic: 'INSTANT_WIN',
      firing: 'MAY_FIRE',
      reason: '10% of events win',
    })
    expect(await simulate({ slug: 'no-such', userId: 'x', eventType: 'y' })).toBe(null)
    expect(await simulate({ slug, userId: 'a\0b', eventType: 'y' })).toBe('INVALID_PARAMETERS')
  })

  it('looks at a draft as if it was started, at its start if that is ahead', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { status: 'DRAFT' })
    const draft = await simulate({ slug, userId: 'sim', eventType: 'purchase' })
    expect(draft).toMatchObject({ asIfActive: true, refusal: null, points: 10 })
    expect(firing(draft)).toEqual([yes, yes, yes])
    expect((await call.buy(slug, 'sim')).body.errorCode).toBe('CAMPAIGN_NOT_ACTIVE')
    const startsAt = '2999-01-01T00:00:00.000Z'
    const later = await makeCampaign(world, 'golden-ticket', {
      status: 'DRAFT',
      startsAt: new Date(startsAt),
    })
    const event = { slug: later, userId: 'sim', eventType: 'purchase' }
    expect(await simulate(event)).toMatchObject({ occursAt: startsAt, refusal: null })
    expect(await simulate({ ...event, at: '2998-12-31T00:00:00Z' })).toMatchObject({
      asIfActive: true,
      refusal: 'CAMPAIGN_NOT_ACTIVE',
    })
  })
})

describe('a launch check', () => {
  const check = async (slug: string, changes?: object) => {
    const { body } = await world.graphql(
      `query ($slug: String!, $changes: CampaignChangesInput) {
        campaign(by: { slug: $slug }) { launchCheck(changes: $changes) {
          issues { severity code message } startsAt endsAt creditsWallet
          costs { source pointsEach pointsPerUser pointsInAll } pointsPerUser pointsInAll
          prizePointsPerEvent rewards { maxCount reward { name } } } } }`,
      { slug, ...(changes && { changes }) },
    )
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data.campaign.launchCheck
  }
  const codes = ({ issues }: { issues: { code: string }[] }) => issues.map(({ code }) => code)

  it('says the most that prizes in stock, events, referrals and codes can give', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', {
      status: 'DRAFT',
      description: 'Gold',
      maxEventsPerUser: 2,
    })
    const costs = [
      { source: 'EVENTS', pointsEach: 10, pointsPerUser: 20, pointsInAll: null },
      { source: 'PRIZES', pointsEach: 500, pointsPerUser: 1000, pointsInAll: 2000 },
    ]
    expect(await check(slug)).toEqual({
      ...{ issues: [], startsAt: null, endsAt: null, creditsWallet: true, costs, rewards: [] },
      ...{ pointsPerUser: 1020, pointsInAll: null, prizePointsPerEvent: 300 },
    })
    await call.generate({ slug, batchSize: 3, pointsValue: 7 })
    const changes = {
      eventRules: [],
      referralRules: { referrerPoints: 5, refereePoints: 0 },
      instantWinRules: {
        winRate: 0.5,
        prizeTiers: [{ name: 'Gold', points: 2_147_483_647, maxWins: 2_147_483_647 }],
      },
    }
    const huge = Number.MAX_SAFE_INTEGER
    expect((await check(slug, changes)).costs).toEqual([
      {
        source: 'PRIZES',
        pointsEach: 2_147_483_647,
        pointsPerUser: 2 * 2_147_483_647,
        pointsInAll: huge,
      },
      { source: 'REFERRALS', pointsEach: 5, pointsPerUser: null, pointsInAll: null },
      { source: 'CODES', pointsEach: 7, pointsPerUser: 21, pointsInAll: 21 },
    ])
    expect(await check(slug, { eventRules: [] })).toMatchObject({ pointsInAll: 2021 })
  })

  it('counts only the stock that is left', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    for (let i = 0; i < 8; i++) await call.buy(slug, `winner-${i}`)
    const all = { name: 'Gold', points: 500, maxWins: 4 }
    expect(codes(await check(slug))).toContain('NO_PRIZES_LEFT')
    const changes = { instantWinRules: { winRate: 1, prizeTiers: [all] } }
    const { costs, prizePointsPerEvent } = await check(slug, changes)
    expect([costs[1].pointsInAll, prizePointsPerEvent]).toEqual([500, 500])
  })

  it('names what is missing or in the way, and the rewards of prizes', async () => {
    const { body } = await world.graphql(
      'mutation { createReward(input: { name: "Mug", kind: ITEM, stock: 3 }) { __typename } }',
    )
    expect(body.data.createReward.__typename).toBe('CreateRewardPayload')
    const bare = await makeCampaign(world, 'golden-ticket', {
      status: 'DRAFT',
      description: '',
      eventRules: [],
      instantWinRules: null,
    })
    expect(codes(await check(bare))).toEqual(['NO_MECHANICS', 'NO_DESCRIPTION'])
    const win = (winRate: number, tiers: object[]) => ({
      description: 'Mugs',
      instantWinRules: { winRate, prizeTiers: tiers },
    })
    const mug = { name: 'A', points: 0, maxWins: 5, reward: { slug: 'mug' } }
    expect(await check(bare, win(0.1, [mug]))).toMatchObject({
      issues: [
        {
          severity: 'WARNING',
          code: 'REWARD_RUNS_OUT',
          message: 'The reward Mug has 3 in stock, but its prizes can be won 5 times.',
        },
      ],
      rewards: [{ maxCount: 5, reward: { name: 'Mug' } }],
      costs: [],
    })
    expect(codes(await check(bare, win(0, [mug])))).toEqual(['NO_MECHANICS', 'NO_WIN_CHANCE'])
    const over = await check(bare, { ...win(0.1, []), endsAt: '2020-01-01T00:00:00Z' })
    expect(over.issues[0]).toMatchObject({ severity: 'BLOCKER', code: 'ALREADY_OVER' })
    await world.graphql(
      'mutation { archiveReward(input: { reward: { slug: "mug" } }) { __typename } }',
    )
    expect(codes(await check(bare, win(0.1, [mug])))).toEqual(['REWARD_ARCHIVED'])
  })
})
