import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { demoCampaigns } from '../../src/demo/demo.ts'
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

const fields = `slug name description environment status phase startsAt endsAt maxEventsPerUser
  creditsWallet eventRules { eventType points } referralRules { referrerPoints refereePoints } pageUrl
  instantWinRules { winRate winCodeDays prizeTiers { name points weight winCount maxWins remainingCount } }`

/** Runs a mutation on a campaign that is named by its slug. Returns the campaign or the error. */
const change = async (
  name: string,
  given: object,
  by?: { bearer: string; environment?: 'LIVE' },
) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const { of, slug, ...more } = given as { slug?: string; of?: string }
  const input = {
    ...more,
    ...(name === 'createCampaign' || of ? { slug } : {}),
    ...(name === 'createCampaign' ? {} : { campaign: { slug: of ?? slug } }),
  }
  const { body } = await world.graphql(
    `mutation ($input: ${Name}Input!) {
      ${name}(input: $input) { __typename ... on ${Name}Payload { campaign { __typename ${fields} } }
        ... on Error { code message } ... on ValidationError { errors { path } } } }`,
    { input },
    by,
  )
  if (!body.data) throw new Error(JSON.stringify(body))
  return body.data[name].campaign ?? body.data[name]
}

/** Clones a campaign that is named by its slug. Returns the copy or the error. */
const cloneOf = (of: string, copy: object, by?: { bearer: string; environment?: 'LIVE' }) =>
  change('cloneCampaign', { ...copy, of }, by)

describe('a campaign', () => {
  it('is created with all its mechanics, and returns them', async () => {
    const made = await change('createCampaign', {
      ...demoCampaigns[0],
      endsAt: '2999-01-01T00:00:00Z',
    })
    expect(made).toMatchObject({
      __typename: 'Campaign',
      slug: 'summer-sale',
      environment: 'TEST',
      status: 'ACTIVE',
      phase: 'ACTIVE',
      endsAt: '2999-01-01T00:00:00.000Z',
      maxEventsPerUser: 100,
      creditsWallet: true,
      eventRules: [
        { eventType: 'daily_login', points: 10 },
        { eventType: 'purchase', points: 100 },
        { eventType: 'signup', points: 50 },
      ],
      referralRules: { referrerPoints: 200, refereePoints: 100 },
      instantWinRules: {
        winRate: 0.1,
        winCodeDays: 30,
        prizeTiers: [{ name: 'Gold', remainingCount: 100 }, { name: 'Silver' }, { name: 'Bronze' }],
      },
    })
    expect(made.pageUrl).toMatch(/\/campaign\/partner-[\w-]+\/summer-sale\?env=test$/)
    const { body } = await world.graphql(
      '{ campaigns(filter: { statuses: [ACTIVE] }) { totalCount { value } nodes { slug pageUrl } } campaign(by: { slug: "summer-sale" }) { id } }',
    )
    expect(body.data.campaigns).toMatchObject({
      totalCount: { value: 1 },
      nodes: [{ slug: 'summer-sale' }],
    })
    const found = await world.graphql(
      `{ ${['SUMMER', 'r-sal', '50%', '_', 'nothing']
        .map((text, n) => `c${n}: campaigns(filter: { search: "${text}" }) { nodes { slug } }`)
        .join(' ')} }`,
    )
    expect(found.body.data).toEqual({
      c0: { nodes: [{ slug: 'summer-sale' }] },
      c1: { nodes: [{ slug: 'summer-sale' }] },
      c2: { nodes: [] },
      c3: { nodes: [] },
      c4: { nodes: [] },
    })
    const node = await world.graphql(
      `{ node(id: "${body.data.campaign.id}") { ... on Campaign { slug } } }`,
    )
    expect(node.body.data.node.slug).toBe('summer-sale')
  })

  it('needs a unique slug that is not reserved', async () => {
    const taken = await change('createCampaign', demoCampaigns[0] as never)
    expect(taken).toMatchObject({
      __typename: 'TakenError',
      message: 'A campaign with this slug already exists',
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

  it('is refused with all its errors', async () => {
    const refused = await change('createCampaign', {
      slug: 'faults',
      name: '',
      maxEventsPerUser: 0,
      eventRules: [
        { eventType: 'a', points: 1 },
        { eventType: 'a', points: 0 },
      ],
      instantWinRules: { winRate: 1.5, prizeTiers: [{ name: 'x', points: -1, maxWins: -1 }] },
      referralRules: { referrerPoints: -1, refereePoints: 1 },
    })
    const names = refused.errors.map(({ path }: { path: string[] }) => path.join('.')).sort()
    expect(names).toEqual([
      'eventRules',
      'eventRules.1.points',
      'instantWinRules.prizeTiers.0.maxWins',
      'instantWinRules.prizeTiers.0.points',
      'instantWinRules.winRate',
      'maxEventsPerUser',
      'name',
      'referralRules.referrerPoints',
    ])
    const dates = { startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' }
    const backwards = await change('createCampaign', { slug: 'faults', name: 'x', ...dates })
    expect(backwards.errors).toEqual([{ path: ['endsAt'] }])
  })

  it('can be edited while it runs: omitted fields stay, null removes', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    await call.buy(slug, 'ann')
    const before = await change('updateCampaign', { slug })
    const renamed = await change('updateCampaign', { slug, name: 'New', maxEventsPerUser: null })
    expect(renamed).toEqual({ ...before, name: 'New', maxEventsPerUser: null })
    const rules = [{ eventType: 'review', points: 7 }]
    await change('updateCampaign', { slug, eventRules: rules, instantWinRules: null })
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
    expect((await change('updateCampaign', { slug, endsAt: '2000-01-01T00:00:00Z' })).phase).toBe(
      'ENDED',
    )
    for (const field of ['name', 'creditsWallet'])
      expect((await change('updateCampaign', { slug, [field]: null })).code).toBe(
        'VALIDATION_FAILED',
      )
    const start = { slug, startsAt: '2001-01-01T00:00:00Z' }
    expect((await change('updateCampaign', start)).code).toBe('VALIDATION_FAILED')
  })

  it('keeps its wins: a prize that was won cannot be deleted, nor its stock fall below its wins', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    for (let i = 0; i < 8; i++) await call.buy(slug, `player-${i}`)
    const set = (tiers: object[]) =>
      change('updateCampaign', { slug, instantWinRules: { winRate: 1, prizeTiers: tiers } })
    const gold = { name: 'Gold', points: 500, maxWins: 3 }
    const silver = { name: 'Silver', points: 100, maxWins: 5 }
    expect((await set([gold])).code).toBe('PRIZE_TIER_WON')
    expect((await set([{ ...gold, maxWins: 2 }, silver])).code).toBe('PRIZE_TIER_WON')
    const more = await set([
      silver,
      { ...gold, points: 600, maxWins: 4 },
      { name: 'Tin', points: 1, maxWins: 0 },
    ])
    expect(more.instantWinRules.prizeTiers).toEqual([
      { name: 'Silver', points: 100, weight: 1, winCount: 5, maxWins: 5, remainingCount: 0 },
      { name: 'Gold', points: 600, weight: 1, winCount: 3, maxWins: 4, remainingCount: 1 },
      { name: 'Tin', points: 1, weight: 1, winCount: 0, maxWins: 0, remainingCount: 0 },
    ])
    const { instantWin } = (await call.buy(slug, 'late')).body.data
    expect(instantWin).toMatchObject({ won: true, prizeTier: 'Gold', pointsEarned: 600 })
    expect((await set([silver, { ...gold, maxWins: 4 }])).instantWinRules.prizeTiers).toHaveLength(
      2,
    )
  })

  it('can be started, paused and ended; an end is final', async () => {
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

  it('can be named by id or slug, and has the same id in both answers', async () => {
    const slug = await makeCampaign(world, 'winter-archive')
    const { id: uuid } = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
    const rename = `mutation ($campaign: CampaignBy!, $name: String!) {
      updateCampaign(input: { campaign: $campaign, name: $name }) {
        ... on UpdateCampaignPayload { campaign { id uuid name } } ... on Error { code } } }`
    const id = Buffer.from(`Campaign:${uuid}`).toString('base64url')
    for (const campaign of [{ slug }, { id }, { id: uuid }]) {
      const name = `By ${Object.keys(campaign)}`
      const { body } = await world.graphql(rename, { campaign, name })
      expect(body.data.updateCampaign).toEqual({ campaign: { id, uuid, name } })
    }
    const foreign = (await world.createPartner()).test
    const { body } = await world.graphql(rename, { campaign: { id }, name: 'x' }, foreign)
    expect(body.data.updateCampaign).toEqual({ code: 'CAMPAIGN_NOT_FOUND' })
  })

  it('can be cloned to LIVE by a member, as a draft with full stock', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    for (let i = 0; i < 3; i++) await call.buy(slug, 'ann')
    const bearer = await world.signInAs('OWNER')
    const copy = { slug: `${slug}-live`, toEnvironment: 'LIVE' }
    const clone = (by?: { bearer: string; environment?: 'LIVE' }, given: object = copy) =>
      cloneOf(slug, given, by)
    const made = await clone({ bearer })
    const original = await change('updateCampaign', { slug })
    expect(made).toEqual({
      ...original,
      slug: `${slug}-live`,
      environment: 'LIVE',
      status: 'DRAFT',
      phase: 'DRAFT',
      pageUrl: original.pageUrl.replace('?env=test', '-live'),
      instantWinRules: {
        ...original.instantWinRules,
        prizeTiers: original.instantWinRules.prizeTiers.map((tier: { maxWins: number }) => ({
          ...tier,
          winCount: 0,
          remainingCount: tier.maxWins,
        })),
      },
    })
    expect((await clone({ bearer })).code).toBe('CAMPAIGN_SLUG_TAKEN')
    expect((await clone({ bearer, environment: 'LIVE' })).code).toBe('CAMPAIGN_NOT_FOUND')
    const back = { slug: `${slug}-back`, toEnvironment: 'TEST', name: 'Back' }
    expect(await cloneOf(`${slug}-live`, back, { bearer, environment: 'LIVE' })).toMatchObject({
      name: 'Back',
      environment: 'TEST',
    })
    const other = await world.createPartner()
    const stranger = await world.signInAs('OPERATOR', other.partnerId)
    expect((await clone({ bearer: stranger })).code).toBe('CAMPAIGN_NOT_FOUND')
    expect(await clone()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: ['toEnvironment'] }],
    })
  })

  it('can be cloned within its environment with a key, without dates that are over', async () => {
    const slug = await makeCampaign(world, 'summer-sale', {
      description: 'Sun',
      startsAt: new Date('2020-01-01'),
      endsAt: new Date('2999-01-01'),
      onReversal: 'REVOKE',
    })
    await change('updateCampaign', { slug, instantWinRules: null })
    const copy = await cloneOf(slug, { slug: `${slug}-2`, name: 'Again' })
    expect(copy).toEqual({
      ...(await change('updateCampaign', { slug })),
      ...{ slug: `${slug}-2`, name: 'Again', status: 'DRAFT', phase: 'DRAFT', startsAt: null },
      pageUrl: copy.pageUrl,
    })
    const rows = await world.runtime.db.campaign.findMany({
      where: { slug: { in: [slug, `${slug}-2`] } },
      include: { tiers: { orderBy: { position: 'asc' } } },
      orderBy: { slug: 'asc' },
    })
    // The prizes of an instant win that is off are kept, too.
    const prizes = rows.map(({ onReversal, tiers }) => [onReversal, tiers.map(({ name }) => name)])
    expect(prizes[1]).toEqual(prizes[0])
    expect(prizes[1]?.[1]).toHaveLength(3)
  })
})
