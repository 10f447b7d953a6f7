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
          occursAt refusal points campaignPoints eventCount eventsLeft
          mechanics { mechanic firing reason }
          prizes { prizeTier { name remainingCount } winRate } } } }`,
      { slug, user: { externalId: userId }, ...event },
      by,
    )
    if (body.errors) return body.errors[0].extensions.code
    return body.data.campaign?.simulatedEvent ?? null
  }
  const firing = ({ mechanics }: { mechanics: { firing: string }[] }) =>
    mechanics.slice(0, 3).map((one) => one.firing)
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
})
