import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

/** Writes that the database itself refuses. */
let world: World
beforeAll(async () => {
  world = await createWorld()
  const call = callsTo(world)
  const slug = await makeCampaign(world, 'golden-ticket', {
    referralRules: { referrerPoints: 1, refereePoints: 1 },
  })
  for (let i = 0; i < 9; i++) await call.buy(slug, 'ann')
  const { referralCode } = (await call.referralCode(slug, 'ann')).body.data
  await call.refer(slug, { referrerId: 'ann', refereeId: 'ben', referralCode })
  const made = await call.generate({ slug, batchSize: 1, pointsValue: 1 })
  await call.redeem(slug, { code: made.body.data.codes[0], userId: 'ann' })
})
afterAll(() => world.end())

const copyOf = (table: string, changes: string, columns: string) =>
  `INSERT INTO ${table} (${columns}) SELECT ${changes} FROM ${table} LIMIT 1`

const tenant = 'partner_id, environment'
const event = `${tenant}, campaign_id, user_id, event_type, points, drawn, occurred_at`
const referral = `${tenant}, campaign_id, referrer_reward, referee_reward, created_at`

describe('the database refuses', () => {
  it.each([
    ['more wins than there are prizes', 'UPDATE prize_tier SET wins = wins + 1'],
    ['a stock below what was won', 'UPDATE prize_tier SET max_wins = wins - 1'],
    [
      'a play past the limit',
      copyOf(
        'campaign_event',
        `gen_random_uuid(), 21, 20, ${event}`,
        `id, play_no, play_limit, ${event}`,
      ),
    ],
    [
      'the same play twice',
      copyOf(
        'campaign_event',
        `gen_random_uuid(), 1, 20, ${event}`,
        `id, play_no, play_limit, ${event}`,
      ),
    ],
    [
      'a second referral of a referee',
      copyOf(
        'referral',
        `gen_random_uuid(), referrer_id, referee_id, ${referral}`,
        `id, referrer_id, referee_id, ${referral}`,
      ),
    ],
    ['a referral of oneself', 'UPDATE referral SET referee_id = referrer_id'],
    ['more redeemed codes than were made', 'UPDATE code_batch SET redeemed = redeemed + 1'],
    ['half a redemption', 'UPDATE campaign_code SET redemption_id = NULL'],
    ['half a redemption of a win', 'UPDATE instant_win SET redeemed_at = now()'],
    ['a campaign called codes', `UPDATE campaign SET slug = 'codes'`],
    ['an end before the start', `UPDATE campaign SET starts_at = now(), ends_at = now()`],
  ])('%s', async (_, text) => {
    const { pool } = world.server.database
    await expect(pool.query({ text })).rejects.toThrow(/violates (check|unique)|duplicate key/)
  })
})
