import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../prisma/invariants.ts'
import { demoCampaigns } from '../../prisma/seed/campaigns.ts'
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

const fields = `slug name description environment status isRunning startsAt endsAt maxPlaysPerUser
  creditsWallet eventRules { eventType points } referrals { referrerReward refereeReward } gameUrl
  instantWin { winsPerMillion winCodeDays tiers { name points weight wins maxWins remaining } }`

/** Runs a mutation; gives the campaign, or the error. */
const change = async (name: string, input: object, by?: { bearer: string }) => {
  const { body } = await world.graphql(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
      ${name}(input: $input) { __typename ... on Campaign { ${fields} }
        ... on Error { code message } ... on ValidationError { errors { path } } } }`,
    { input },
    by,
  )
  if (!body.data) throw new Error(JSON.stringify(body))
  return body.data[name]
}

describe('a campaign', () => {
  it('is made with all its mechanics, and says so', async () => {
    const made = await change('createCampaign', {
      ...demoCampaigns[0],
      endsAt: '2999-01-01T00:00:00Z',
    })
    expect(made).toMatchObject({
      __typename: 'Campaign',
      slug: 'summer-sale',
      environment: 'TEST',
      status: 'ACTIVE',
      isRunning: true,
      endsAt: '2999-01-01T00:00:00.000Z',
      maxPlaysPerUser: 100,
      creditsWallet: true,
      eventRules: [
        { eventType: 'daily_login', points: 10 },
        { eventType: 'purchase', points: 100 },
        { eventType: 'signup', points: 50 },
      ],
      referrals: { referrerReward: 200, refereeReward: 100 },
      instantWin: {
        winsPerMillion: 100_000,
        winCodeDays: 30,
        tiers: [{ name: 'Gold', remaining: 100 }, { name: 'Silver' }, { name: 'Bronze' }],
      },
    })
    expect(made.gameUrl).toMatch(/\/campaign\/partner-[\w-]+\/summer-sale\?env=test$/)
    const { body } = await world.graphql(
      '{ campaigns(filter: { status: ACTIVE }) { totalCount { value } nodes { slug gameUrl } } campaign(slug: "summer-sale") { id } }',
    )
    expect(body.data.campaigns).toMatchObject({
      totalCount: { value: 1 },
      nodes: [{ slug: 'summer-sale' }],
    })
    const node = await world.graphql(
      `{ node(id: "${body.data.campaign.id}") { ... on Campaign { slug } } }`,
    )
    expect(node.body.data.node.slug).toBe('summer-sale')
  })

  it('needs a slug of its own that is not reserved', async () => {
    const taken = await change('createCampaign', demoCampaigns[0] as never)
    expect(taken).toMatchObject({
      __typename: 'TakenError',
      message: 'There is a campaign with this slug already',
    })
    for (const slug of [
      'codes',
      'Upper',
      'a b',
      '-a',
      'a-',
      'a--b',
      'ä',
      '',
      'a/b',
      'x'.repeat(65),
    ]) {
      const refused = await change('createCampaign', { slug, name: 'x' })
      expect([slug, refused.code, refused.errors?.[0]?.path.join('.')]).toEqual([
        slug,
        'VALIDATION_FAILED',
        'slug',
      ])
    }
  })

  it('is refused with all its faults', async () => {
    const refused = await change('createCampaign', {
      slug: 'faults',
      name: '',
      maxPlaysPerUser: 0,
      eventRules: [
        { eventType: 'a', points: 1 },
        { eventType: 'a', points: 0 },
      ],
      instantWin: { winsPerMillion: 1_000_001, tiers: [{ name: 'x', points: -1, maxWins: -1 }] },
      referrals: { referrerReward: -1, refereeReward: 1 },
    })
    const names = refused.errors.map(({ path }: { path: string[] }) => path.join('.')).sort()
    expect(names).toEqual([
      'eventRules',
      'eventRules.1.points',
      'instantWin.tiers.0.maxWins',
      'instantWin.tiers.0.points',
      'instantWin.winsPerMillion',
      'maxPlaysPerUser',
      'name',
      'referrals.referrerReward',
    ])
    const dates = { startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' }
    const backwards = await change('createCampaign', { slug: 'faults', name: 'x', ...dates })
    expect(backwards.errors).toEqual([{ path: ['endsAt'] }])
  })

  it('is edited while it runs: what is left out stays, and null takes away', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    await call.buy(slug, 'ann')
    const before = await change('updateCampaign', { slug })
    const renamed = await change('updateCampaign', { slug, name: 'New', maxPlaysPerUser: null })
    expect(renamed).toEqual({ ...before, name: 'New', maxPlaysPerUser: null })
    const rules = [{ eventType: 'review', points: 7 }]
    await change('updateCampaign', { slug, eventRules: rules, instantWin: null })
    expect((await call.buy(slug, 'ann')).body.data).toEqual({
      pointsEarned: 0,
      totalPoints: 10,
      message: 'Event recorded',
    })
    const review = await call.record(slug, { userId: 'ann', eventType: 'review' })
    expect(review.body.data.pointsEarned).toBe(7)
    expect((await change('updateCampaign', { slug: 'no-such', name: 'x' })).code).toBe(
      'CAMPAIGN_NOT_FOUND',
    )
    expect(
      (await change('updateCampaign', { slug, endsAt: '2000-01-01T00:00:00Z' })).isRunning,
    ).toBe(false)
    const start = { slug, startsAt: '2001-01-01T00:00:00Z' }
    expect((await change('updateCampaign', start)).code).toBe('VALIDATION_FAILED')
  })

  it('keeps what was won: a prize cannot go, nor its stock fall below its wins', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    for (let i = 0; i < 8; i++) await call.buy(slug, `player-${i}`)
    const set = (tiers: object[]) =>
      change('updateCampaign', { slug, instantWin: { winsPerMillion: 1_000_000, tiers } })
    const gold = { name: 'Gold', points: 500, maxWins: 3 }
    const silver = { name: 'Silver', points: 100, maxWins: 5 }
    expect((await set([gold])).code).toBe('PRIZE_TIER_WON')
    expect((await set([{ ...gold, maxWins: 2 }, silver])).code).toBe('PRIZE_TIER_WON')
    const more = await set([
      silver,
      { ...gold, points: 600, maxWins: 4 },
      { name: 'Tin', points: 1, maxWins: 0 },
    ])
    expect(more.instantWin.tiers).toEqual([
      { name: 'Silver', points: 100, weight: 1, wins: 5, maxWins: 5, remaining: 0 },
      { name: 'Gold', points: 600, weight: 1, wins: 3, maxWins: 4, remaining: 1 },
      { name: 'Tin', points: 1, weight: 1, wins: 0, maxWins: 0, remaining: 0 },
    ])
    const { instantWin } = (await call.buy(slug, 'late')).body.data
    expect(instantWin).toMatchObject({ won: true, prizeTier: 'Gold', pointsEarned: 600 })
    expect((await set([silver, { ...gold, maxWins: 4 }])).instantWin.tiers).toHaveLength(2)
  })

  it('is started, paused and ended, and an end is for good', async () => {
    const slug = await makeCampaign(world, 'summer-sale', { status: 'DRAFT' })
    const steps = [
      'pause',
      'start',
      'start',
      'pause',
      'pause',
      'start',
      'end',
      'start',
      'pause',
      'end',
    ]
    const seen = []
    for (const step of steps) {
      const { status, code } = await change(`${step}Campaign`, { slug })
      seen.push(status ?? code)
    }
    const no = 'CAMPAIGN_STATUS_CONFLICT'
    expect(seen).toEqual([no, 'ACTIVE', no, 'PAUSED', no, 'ACTIVE', 'ENDED', no, no, no])
    expect((await change('startCampaign', { slug: 'no-such' })).code).toBe('CAMPAIGN_NOT_FOUND')
  })

  it('is cloned from TEST to LIVE by a member: a draft with full stock', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    for (let i = 0; i < 3; i++) await call.buy(slug, 'ann')
    const bearer = await world.signInAs('DEVELOPER')
    const clone = await change('cloneCampaign', { slug, newSlug: `${slug}-live` }, { bearer })
    const original = await change('updateCampaign', { slug })
    expect(clone).toEqual({
      ...original,
      slug: `${slug}-live`,
      environment: 'LIVE',
      status: 'DRAFT',
      isRunning: false,
      gameUrl: original.gameUrl.replace('?env=test', '-live'),
      instantWin: {
        ...original.instantWin,
        tiers: original.instantWin.tiers.map((tier: { maxWins: number }) => ({
          ...tier,
          wins: 0,
          remaining: tier.maxWins,
        })),
      },
    })
    expect(
      (await change('cloneCampaign', { slug, newSlug: `${slug}-live` }, { bearer })).code,
    ).toBe('CAMPAIGN_SLUG_TAKEN')
    const other = await world.createPartner()
    const stranger = await world.signInAs('ADMIN', other.partnerId)
    expect((await change('cloneCampaign', { slug }, { bearer: stranger })).code).toBe(
      'CAMPAIGN_NOT_FOUND',
    )
    const { body } = await world.graphql(
      `mutation { cloneCampaign(input: { slug: "${slug}" }) { __typename } }`,
    )
    expect(body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
  })
})

describe('a simulated event', () => {
  const simulate = async (input: object) => {
    const { body } = await world.graphql(
      `query ($input: SimulateCampaignEventInput!) { simulateCampaignEvent(input: $input) {
        at accepted refusal pointsEarned totalPoints plays playsLeft
        mechanics { mechanic firing reason } prizes { name remaining chance } } }`,
      { input },
    )
    return body.data?.simulateCampaignEvent ?? body.errors[0].extensions.code
  }
  const firing = ({ mechanics }: { mechanics: { firing: string }[] }) =>
    mechanics.slice(0, 3).map((one) => one.firing)
  const yes = 'FIRES'
  const no = 'DOES_NOT_FIRE'

  it('says what would happen, and it does; it writes nothing', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { maxPlaysPerUser: 2 })
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
      accepted: true,
      refusal: null,
      pointsEarned: 10,
      totalPoints: 10,
      plays: 0,
      playsLeft: 2,
      prizes: [
        { name: 'Gold', remaining: 3, chance: 0.5 },
        { name: 'Silver', remaining: 5, chance: 0.5 },
      ],
    })
    expect(firing(first)).toEqual([yes, yes, yes])
    const { data } = (await call.buy(slug, 'sim')).body
    expect([data.pointsEarned, data.totalPoints, data.instantWin.won]).toEqual([10, 10, true])
    await call.buy(slug, 'sim')
    const third = await simulate(event)
    expect(third).toMatchObject({
      accepted: false,
      refusal: 'MAX_PLAYS_EXCEEDED',
      pointsEarned: 0,
      totalPoints: 20,
    })
    expect(third.mechanics[0].reason).toBe('The user has played 2 times; 2 is the maximum')
    expect((await call.buy(slug, 'sim')).body.errorCode).toBe(third.refusal)
  })

  it('names a reason for each mechanic that would not fire', async () => {
    const slug = await makeCampaign(world, 'summer-sale', {
      creditsWallet: false,
      startsAt: new Date('2030-01-01'),
      endsAt: new Date('2030-02-01'),
      instantWin: { winsPerMillion: 1000, tiers: [{ name: 'A', points: 1, maxWins: 0 }] },
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
      reason: '100000 of a million events win',
    })
    expect(await simulate({ slug: 'no-such', userId: 'x', eventType: 'y' })).toBe(
      'CAMPAIGN_NOT_FOUND',
    )
    expect(await simulate({ slug, userId: 'a\0b', eventType: 'y' })).toBe('VALIDATION_FAILED')
  })
})

it('the leaderboard ranks by points, then by who came first, then by userId; by page and by cursor', async () => {
  const slug = await makeCampaign(world, 'summer-sale', { instantWin: null })
  for (const userId of ['c', 'b', 'a', 'd']) await call.buy(slug, userId)
  await call.buy(slug, 'd')
  await call.record(slug, { userId: 'z', eventType: 'wave' })
  const board = async (query = '') =>
    (await world.get(`/v1/campaigns/${slug}/leaderboard${query}`, world.keys.secret)).body
  const { status, data } = await board()
  expect(status).toBe('success')
  expect(data.totalParticipants).toBe(5)
  expect(data.entries[0]).toEqual({
    rank: 1,
    userId: 'd',
    displayName: null,
    totalPoints: 200,
    eventsCount: 2,
  })
  for (const { rank, userId, totalPoints, eventsCount } of data.entries)
    expect((await call.participant(slug, userId)).body.data).toMatchObject({
      rank,
      totalPoints,
      eventsCount,
      plays: eventsCount,
    })
  expect((await call.participant(slug, 'd')).body.data.displayName).toBe(null)
  expect(data.entries.map(({ userId }: { userId: string }) => userId).join('')).toBe('dcbaz')
  expect((await board('?limit=2')).data.entries).toEqual(data.entries.slice(0, 2))
  expect((await board('?limit=0')).code).toBe(400)
  const seen = []
  let after: string | null = null
  do {
    const { body } = await world.graphql(
      `query ($after: String) { campaign(slug: "${slug}") { leaderboard(first: 2, after: $after) {
        nodes { rank userId displayName totalPoints eventsCount: plays } pageInfo { hasNextPage endCursor } } } }`,
      { after },
    )
    const { nodes, pageInfo } = body.data.campaign.leaderboard
    seen.push(...nodes)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
  expect(seen).toEqual(data.entries)
  expect((await call.participant(slug, 'nobody')).body.message).toBe('Campaign or user not found')
  expect((await call.participant('no-such', 'a')).body.message).toBe('Campaign not found')
})
