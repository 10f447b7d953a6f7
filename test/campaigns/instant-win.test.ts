import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus } from '../../src/campaigns/campaign-management.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
let now = new Date('2026-06-01T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = callsTo(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

/** Wins a prize in a campaign in which every event wins. */
const win = async (slug: string, userId: string) =>
  (await call.buy(slug, userId)).body.data.instantWin as {
    winCode: string
    prizeTier: string
    pointsEarned: number
  }

const refused = async (answer: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await answer
  return [status, body.message]
}

describe('a win code', () => {
  it('pays its prize once, to its winner', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const { winCode, prizeTier, pointsEarned } = await win(slug, 'anna')
    expect(await refused(call.redeemWin(slug, { winCode, userId: 'ben' }))).toEqual([
      400,
      'Invalid or expired win code',
    ])
    const { status, body } = await call.redeemWin(slug, { winCode, userId: 'anna' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          prizeTier,
          pointsEarned,
          message: `${prizeTier} redeemed: ${pointsEarned} points earned`,
        },
      },
    })
    expect(await call.balance('anna')).toBe(10 + pointsEarned)
    expect(await refused(call.redeemWin(slug, { winCode, userId: 'anna' }))).toEqual([
      400,
      'Win code has already been redeemed',
    ])
    expect(await call.balance('anna')).toBe(10 + pointsEarned)
    const { body: shown } = await call.participant(slug, 'anna')
    expect(shown.data).toMatchObject({ totalPoints: 10 + pointsEarned, plays: 1, wins: 1 })
  })

  it('is accepted in lower case and with spaces around it', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const { winCode } = await win(slug, 'cleo')
    const typed = `  ${winCode.toLowerCase()} `
    expect((await call.redeemWin(slug, { winCode: typed, userId: 'cleo' })).status).toBe(200)
  })

  it('is valid for 30 days, even after the campaign has ended', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const [early, late] = [await win(slug, 'dora'), await win(slug, 'dora')]
    await changeCampaignStatus(world.runtime, { ...world.tenant, slug }, 'ENDED')
    now = new Date(now.getTime() + 30 * 24 * 3600_000 - 1)
    const redeem = (winCode: string) => call.redeemWin(slug, { winCode, userId: 'dora' })
    expect((await redeem(early.winCode)).status).toBe(200)
    now = new Date(now.getTime() + 1)
    expect(await refused(redeem(late.winCode))).toEqual([400, 'Invalid or expired win code'])
    expect(await refused(redeem(early.winCode))).toEqual([
      400,
      'Win code has already been redeemed',
    ])
  })

  it('of another campaign is invalid; in an unknown campaign it is 404', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const other = await makeCampaign(world, 'golden-ticket')
    const { winCode } = await win(slug, 'eve')
    const body = { winCode, userId: 'eve' }
    expect(await refused(call.redeemWin(other, body))).toEqual([400, 'Invalid or expired win code'])
    expect(await refused(call.redeemWin('no-such', body))).toEqual([404, 'Campaign not found'])
    expect(await refused(call.redeemWin('codes', body))).toEqual([404, 'Campaign not found'])
    const live = callsTo(world, world.partner.live.secret)
    expect(await refused(live.redeemWin(slug, body))).toEqual([404, 'Campaign not found'])
    expect((await call.redeemWin(slug, body)).status).toBe(200)
  })

  it('is refused after ten wrong codes of the same user, but not for other users', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const { winCode } = await win(slug, 'fay')
    const wrong = { winCode: 'WIN-AAAA-BBBB-CCCC', userId: 'fay' }
    for (let i = 0; i < 10; i++) expect((await call.redeemWin(slug, wrong)).status).toBe(400)
    const { status, headers } = await call.redeemWin(slug, { winCode, userId: 'fay' })
    expect([status, headers.get('retry-after')]).toEqual([429, '600'])
    expect((await call.redeemWin(slug, { ...wrong, userId: 'gus' })).status).toBe(400)
    now = new Date(now.getTime() + 600_000)
    expect((await call.redeemWin(slug, { winCode, userId: 'fay' })).status).toBe(200)
  })
})

it('the stats of a campaign without instant win are zeros; of an unknown campaign, 404', async () => {
  const slug = await makeCampaign(world, 'winter-archive')
  expect(await call.winStats(slug)).toEqual({ totalPlays: 0, totalWins: 0, winRate: 0, tiers: [] })
  const { status, body } = await world.get(
    '/v1/campaigns/no-such/instant-win/stats',
    world.keys.secret,
  )
  expect([status, body.message]).toEqual([404, 'Campaign not found'])
})
