import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus } from '../../src/campaigns/campaign-management.ts'
import { audit } from '../../tools/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
let slug: string
beforeAll(async () => {
  world = await createWorld()
  call = callsTo(world)
  slug = await makeCampaign(world, 'summer-sale')
  for (const userId of ['ann', 'ben', 'cat']) await world.givePoints(userId, 1, 'daily_login')
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const codeOf = async (userId: string, of = slug): Promise<string> =>
  (await call.referralCode(of, userId)).body.data.referralCode

const refer = async (referrerId: string, refereeId: string, referralCode?: string, of = slug) =>
  call.refer(of, {
    referrerId,
    refereeId,
    referralCode: referralCode ?? (await codeOf(referrerId, of)),
  })

const expectRefused = async (
  answer: Promise<{ status: number; body: { message: string } }>,
  status: number,
  message: string,
) => {
  const got = await answer
  expect([got.status, got.body.message]).toEqual([status, message])
}

describe('a referral code', () => {
  it('is created on the first call and stays the same', async () => {
    const first = await call.referralCode(slug, 'ann')
    expect({ status: first.status, body: first.body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          referralCode: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/),
          referralCount: 0,
          totalRewardsEarned: 0,
        },
      },
    })
    const again = await Promise.all([1, 2, 3].map(() => codeOf('ann')))
    expect(new Set(again)).toEqual(new Set([first.body.data.referralCode]))
    const other = await makeCampaign(world, 'summer-sale')
    expect(await codeOf('ann', other)).not.toBe(first.body.data.referralCode)
  })

  it('of an unknown user or campaign is 404', async () => {
    const message = 'Campaign or user not found'
    await expectRefused(call.referralCode(slug, 'nobody'), 404, message)
    await expectRefused(call.referralCode('no-such', 'ann'), 404, message)
    await expectRefused(call.referralCode('codes', 'ann'), 404, message)
    await expectRefused(call.referralCode(slug, 'a%00b'), 404, message)
  })
})

describe('a referral', () => {
  it('rewards both users, creates the referee, and is announced', async () => {
    const { status, body } = await refer('ben', 'new-friend')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: { referrerReward: 200, refereeReward: 100, message: 'Referral completed' },
      },
    })
    expect([await call.balance('ben'), await call.balance('new-friend')]).toEqual([210, 100])
    const { body: code } = await call.referralCode(slug, 'ben')
    expect(code.data).toMatchObject({ referralCount: 1, totalRewardsEarned: 200 })
    const { db } = world.runtime
    const event = await db.event.findFirstOrThrow({
      where: { type: 'campaign.referral_completed' },
    })
    expect(event.data).toMatchObject({
      campaignSlug: slug,
      referrerId: 'ben',
      refereeId: 'new-friend',
      referrerReward: 200,
      refereeReward: 100,
      environment: 'TEST',
    })
    const lines = await db.userActivity.findMany({ where: { category: 'CAMPAIGN' } })
    expect(lines.map(({ eventType, points }) => [eventType, points]).sort()).toEqual([
      ['referral', 200],
      ['referred', 100],
    ])
  })

  it('of oneself is 400', async () => {
    await expectRefused(refer('ann', 'ann'), 400, 'Self-referral not allowed')
    expect((await refer('ann', 'ivy')).status).toBe(200)
    await expectRefused(refer('ivy', 'ann'), 400, 'Self-referral not allowed')
  })

  it('of a user who was referred before is 400, even by the same referrer', async () => {
    expect((await refer('ann', 'dan')).status).toBe(200)
    await expectRefused(refer('ann', 'dan'), 400, 'User has already been referred')
    await expectRefused(refer('cat', 'dan'), 400, 'User has already been referred')
    const other = await makeCampaign(world, 'summer-sale')
    expect((await refer('cat', 'dan', undefined, other)).status).toBe(200)
  })

  it("needs the referrer's code, in capitals or not; another code is 400", async () => {
    await codeOf('cat')
    const message = 'Invalid referral code'
    await expectRefused(refer('ann', 'eli', await codeOf('cat')), 400, message)
    await expectRefused(refer('ann', 'eli', 'x'), 400, message)
    await world.givePoints('codeless', 1)
    await expectRefused(refer('codeless', 'eli', 'null'), 400, message)
    expect((await world.get('/v1/users/eli/balance', world.keys.secret)).status).toBe(404)
    expect((await refer('ann', 'eli', (await codeOf('ann')).toLowerCase())).status).toBe(200)
  })

  it('by an unknown referrer, or in a campaign that is not running, is 404', async () => {
    const message = 'Campaign or user not found'
    await expectRefused(refer('nobody', 'fay', 'ABCDEFGH'), 404, message)
    await expectRefused(refer('ann', 'fay', 'ABCDEFGH', 'no-such'), 404, message)
    const paused = await makeCampaign(world, 'summer-sale')
    const code = await codeOf('ann', paused)
    await changeCampaignStatus(world.runtime, { ...world.tenant, slug: paused }, 'PAUSED')
    await expectRefused(refer('ann', 'fay', code, paused), 404, message)
  })

  it('in a campaign without referrals is 400', async () => {
    const golden = await makeCampaign(world, 'golden-ticket')
    await expectRefused(refer('ann', 'gil', 'X', golden), 400, 'This campaign has no referrals')
    await expectRefused(call.referralCode(golden, 'ann'), 400, 'This campaign has no referrals')
  })

  it('names all invalid fields', async () => {
    const { status, body } = await call.refer(slug, { referrerId: 1, refereeId: '' })
    expect([status, body.message]).toEqual([400, 'Invalid request body'])
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'refereeId',
      'referralCode',
      'referrerId',
    ])
  })
})
