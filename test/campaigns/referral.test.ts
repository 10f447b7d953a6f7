import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus } from '../../src/campaigns/campaign-management.ts'
import { recordReferrals } from '../../src/campaigns/referral.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { TesseraError } from '../../src/kit/errors.ts'
import type { ExternalId } from '../../src/kit/user-id.ts'
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

type RingUser = { externalId: ExternalId; code: string }

/** Three users with their codes, each of whom may refer the next. */
const ringOf = async (name: string): Promise<RingUser[]> => {
  const ids = ['x', 'y', 'z'].map((letter) => `${name}-${letter}`)
  for (const id of ids) await world.givePoints(id, 1, 'daily_login')
  return Promise.all(
    ids.map(async (id) => ({ externalId: id as ExternalId, code: await codeOf(id) })),
  )
}

const askOf = (users: RingUser[], i: number) => {
  const [item, next] = [users[i], users[(i + 1) % users.length]] as [RingUser, RingUser]
  const who = { referrer: item.externalId, referee: next.externalId, referralCode: item.code }
  return { ...world.tenant, slug, ...who }
}

const codesOf = (results: unknown[]) =>
  results.map((result) => (result instanceof TesseraError ? result.code : null))

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

  it.each([
    ['case', 'Hal@Example.com', 'hal@example.COM'],
    ['blanks', 'hal2@example.com', ' hal2@ example.com\u00a0'],
    ['characters without width', 'hal3@example.com', 'hal3\u200b@example.com\ufeff'],
    ['a plus-tag', 'hal4@example.com', 'hal4+friend@example.com'],
    ['two plus-tags', 'hal5+a@example.com', 'hal5+b+c@example.com'],
    ['full width', 'hal6@example.com', 'ｈal6＠example.com'],
    ['case of an id that is no address', 'hal-7', 'HAL-7'],
  ])('of oneself by another spelling is 400: %s', async (_, referrer, referee) => {
    const message = 'Self-referral not allowed'
    await world.givePoints(referrer, 1, 'daily_login')
    const code = (await call.referralCode(slug, encodeURIComponent(referrer))).body.data
      .referralCode
    await expectRefused(refer(referrer, referee, code), 400, message)
    // Nor by way of a friend.
    const friend = `friend of ${referrer}`
    expect((await refer(referrer, friend, code)).status).toBe(200)
    const back = (await call.referralCode(slug, encodeURIComponent(friend))).body.data.referralCode
    await expectRefused(refer(friend, referee, back), 400, message)
  })

  it('of another person is accepted: another tag of an id that is no address, another name', async () => {
    for (const referrer of ['ian+a', 'ian@example.com']) await world.givePoints(referrer, 1)
    const code = (await call.referralCode(slug, encodeURIComponent('ian+a'))).body.data.referralCode
    expect((await refer('ian+a', 'ian+b', code)).status).toBe(200)
    const other = (await call.referralCode(slug, 'ian@example.com')).body.data.referralCode
    for (const referee of ['ian@example.org', 'iana@example.com', 'ian.@example.com'])
      expect((await refer('ian@example.com', referee, other)).status).toBe(200)
  })

  it('in a ring of three is 400, one after the other and in one batch', async () => {
    const message = 'Self-referral not allowed'
    for (const userId of ['ring-a', 'ring-b', 'ring-c']) await world.givePoints(userId, 1)
    expect((await refer('ring-a', 'ring-b')).status).toBe(200)
    expect((await refer('ring-b', 'ring-c')).status).toBe(200)
    await expectRefused(refer('ring-c', 'ring-a'), 400, message)
    expect((await refer('ring-c', 'ring-d')).status).toBe(200)
    for (const first of [0, 1, 2]) {
      const users = await ringOf(`batch-${first}`)
      const requested = users.map((_, i) => askOf(users, i))
      const results = await recordReferrals(world.runtime, [
        ...requested.slice(first),
        ...requested.slice(0, first),
      ])
      expect(codesOf(results)).toEqual([null, null, 'SELF_REFERRAL'])
    }
  })

  it('in a ring of three is refused to one of three simultaneous callers, without a deadlock', async () => {
    for (let n = 0; n < 8; n++) {
      const users = await ringOf(`parallel-${n}`)
      const results = await Promise.all(
        users.map(async (_, i) => (await recordReferrals(world.runtime, [askOf(users, i)]))[0]),
      )
      expect(codesOf(results).sort()).toEqual(['SELF_REFERRAL', null, null])
    }
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
