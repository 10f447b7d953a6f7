import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus } from '../../src/campaigns/campaign-management.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { seeded } from '../games/random.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let now = new Date('2026-06-01T12:00:00Z')
let call: ReturnType<typeof callsTo>
/** The random numbers of this world: these first, then those of a seeded generator. */
let draws: number[] = []
const random = seeded(7)
beforeAll(async () => {
  world = await createWorld({
    clock: () => now,
    random: { int: (bound) => Math.min(draws.shift() ?? random.int(bound), bound - 1) },
  })
  call = callsTo(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

describe('an event', () => {
  it('returns every documented field; a loss has no prize', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    draws = [999_999]
    const { status, body } = await call.buy(slug, 'anna')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          pointsEarned: 100,
          totalPoints: 100,
          instantWin: { won: false, pointsEarned: 0, message: 'No win this time' },
          message: 'Event recorded: 100 points earned',
        },
      },
    })
    expect(await call.balance('anna')).toBe(100)
  })

  it('that wins returns the prize and its code; the points are credited on redemption', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    draws = [0, 0]
    const { data } = (await call.buy(slug, 'ben')).body
    expect(data.instantWin).toEqual({
      won: true,
      prizeTier: 'Gold',
      pointsEarned: 500,
      winCode: expect.stringMatching(/^WIN(-[A-HJKMNP-Z2-9]{4}){3}$/),
      message: 'You won Gold! Redeem the win code for 500 points.',
    })
    expect(data).toMatchObject({ pointsEarned: 10, totalPoints: 10 })
    expect(await call.balance('ben')).toBe(10)
  })

  it('has no instantWin where the campaign has no instant win', async () => {
    const slug = await makeCampaign(world, 'summer-sale', { instantWinRules: null })
    expect(Object.keys((await call.buy(slug, 'ben')).body.data).sort()).toEqual([
      'message',
      'pointsEarned',
      'totalPoints',
    ])
  })

  it('without a rule for its type earns 0 points and counts as a play', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { maxEventsPerUser: 1 })
    const { body } = await call.record(slug, { userId: 'cleo', eventType: 'wave' })
    expect(body.data).toMatchObject({ pointsEarned: 0, totalPoints: 0, message: 'Event recorded' })
    expect((await call.buy(slug, 'cleo')).status).toBe(409)
  })

  it('adds points to its campaign only, and to the wallet if the campaign credits wallets', async () => {
    const first = await makeCampaign(world, 'summer-sale', { instantWinRules: null })
    const other = await makeCampaign(world, 'summer-sale', {
      creditsWallet: false,
      instantWinRules: null,
    })
    expect((await call.buy(first, 'dora')).body.data.totalPoints).toBe(100)
    expect((await call.buy(first, 'dora')).body.data.totalPoints).toBe(200)
    expect((await call.buy(other, 'dora')).body.data.totalPoints).toBe(100)
    expect(await call.balance('dora')).toBe(200)
    const { body } = await world.get('/v1/users/dora/history', world.keys.secret)
    expect(body.data[0]).toMatchObject({
      eventType: 'campaign_event',
      points: 100,
      metadata: { campaign: first, eventType: 'purchase' },
    })
  })

  it('is on the timeline with its metadata, and a win is announced without its code', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const metadata = { order: 'o-1', items: [1, 2], Zoë: null }
    const sent = { userId: 'eve', eventType: 'purchase', metadata }
    const { data } = (await call.record(slug, sent)).body
    const user = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'eve' } })
    const campaign = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
    const [line] = await world.runtime.db.userActivity.findMany({ where: { userId: user.id } })
    expect(line).toMatchObject({
      category: 'CAMPAIGN',
      eventType: 'purchase',
      sourceId: campaign.id,
      points: 10,
      metadata,
    })
    const event = await world.runtime.db.event.findUniqueOrThrow({ where: { id: line?.id ?? '' } })
    expect(event.type).toBe('campaign.instant_win_won')
    expect(event.data).toEqual({
      winId: line?.id,
      campaignId: campaign.id,
      campaignSlug: slug,
      userId: 'eve',
      eventType: 'purchase',
      prizeTier: data.instantWin.prizeTier,
      pointsEarned: data.instantWin.pointsEarned,
      expiresAt: new Date(now.getTime() + 30 * 24 * 3600_000).toISOString(),
      environment: 'TEST',
      wonAt: now.toISOString(),
    })
  })

  it('draws by the weights of the tiers in stock', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', {
      instantWinRules: {
        winRate: 0.5,
        prizeTiers: [
          { name: 'A', points: 1, weight: 2, maxWins: 1 },
          { name: 'B', points: 1, weight: 3, maxWins: 2 },
        ],
      },
    })
    // Luck, tier, code; a code takes three draws. Below 500,000 is lucky; 0 and 1 are A, 2 to 4 are B.
    const code = [100, 200, 300]
    const play = async (luck: number, place: number, shift: number) => {
      draws = [luck, place, ...code.map((i) => i + shift)]
      return (await call.buy(slug, 'fay')).body.data.instantWin.prizeTier ?? null
    }
    expect(await play(500_000, 0, 0)).toBe(null)
    expect(await play(499_999, 2, 1)).toBe('B')
    expect(await play(0, 1, 2)).toBe('A')
    expect(await play(0, 0, 3)).toBe('B') // A is gone: every place is B's
    expect(await play(0, 0, 4)).toBe(null)
    expect(await call.winStats(slug)).toEqual({
      totalPlays: 5,
      totalWins: 3,
      winRate: 60,
      tiers: [
        { name: 'A', wins: 1, maxWins: 1, remaining: 0 },
        { name: 'B', wins: 2, maxWins: 2, remaining: 0 },
      ],
    })
  })
})

describe('a refused event', () => {
  it('with an invalid body is 400 and names all fields', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const { status, body } = await call.record(slug, { userId: 5, metadata: [] })
    expect([status, body.message]).toEqual([400, 'Invalid request body'])
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'eventType',
      'metadata',
      'userId',
    ])
  })

  it('beyond the play limit is 409 and earns nothing', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { maxEventsPerUser: 2 })
    await call.buy(slug, 'gus')
    await call.buy(slug, 'gus')
    const { status, body } = await call.buy(slug, 'gus')
    expect([status, body.message]).toEqual([409, 'User has exceeded maximum plays'])
    expect((await call.participant(slug, 'gus')).body.data).toMatchObject({
      plays: 2,
      playsLeft: 0,
      totalPoints: 20,
    })
    expect((await call.winStats(slug)).totalPlays).toBe(2)
  })

  it('in a campaign that is not running is 404 and creates no user', async () => {
    const start = new Date(now.getTime() + 1000)
    const end = new Date(now.getTime() + 2000)
    const timed = await makeCampaign(world, 'summer-sale', { startsAt: start, endsAt: end })
    const running = await makeCampaign(world, 'summer-sale')
    const key = { ...world.tenant, slug: running }
    const expectClosed = async (slug: string) => {
      const { status, body } = await call.buy(slug, 'hal')
      expect([status, body.message]).toEqual([404, 'Campaign not found or not active'])
    }
    await expectClosed('no-such')
    await expectClosed('codes')
    await expectClosed('Summer-Sale')
    await expectClosed(await makeCampaign(world, 'winter-archive'))
    await expectClosed(await makeCampaign(world, 'summer-sale', { status: 'DRAFT' }))
    await expectClosed(timed)
    await changeCampaignStatus(world.runtime, key, 'PAUSED')
    await expectClosed(running)
    expect((await world.get('/v1/users/hal/balance', world.keys.secret)).status).toBe(404)

    now = start
    expect((await call.buy(timed, 'hal')).status).toBe(200)
    now = new Date(end.getTime() - 1)
    expect((await call.buy(timed, 'hal')).status).toBe(200)
    now = end
    await expectClosed(timed)
    await changeCampaignStatus(world.runtime, key, 'ACTIVE')
    expect((await call.buy(running, 'hal')).status).toBe(200)
  })

  it('does not affect the others of its batch', async () => {
    const slug = await makeCampaign(world, 'summer-sale', {
      instantWinRules: null,
      maxEventsPerUser: 1,
    })
    const answers = await Promise.all([
      call.buy(slug, 'ida'),
      call.buy('no-such', 'ida'),
      call.buy(slug, 'ida'),
      call.record(slug, { userId: '' }),
      call.buy(slug, 'jo'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 409, 400, 200])
  })
})
