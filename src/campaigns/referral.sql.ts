/** Statements that record referrals. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { referralCompleted } from './campaign.events.ts'

const pairRows = inputRows({ campaignId: 'uuid', referrerId: 'uuid', refereeId: 'uuid?' })

/** The code of each referrer, who has referred them and the referee, and who has referred the one who referred them. */
export const readPairs = statement(
  'read_referral_pairs',
  returns({
    n: 'int',
    code: 'text?',
    refereeReferredBy: 'text?',
    refereeReferredAt: 'timestamptz?',
    referrerReferredBy: 'text?',
    theirReferredBy: 'text?',
  }),
  (pairs: ItemsOf<typeof pairRows>) => Prisma.sql`
    SELECT k.n,
      (SELECT referral_code FROM campaign_participant p
        WHERE p.campaign_id = k.campaign_id AND p.user_id = k.referrer_id) AS code,
      (SELECT u.external_id FROM referral r JOIN end_user u ON u.id = r.referrer_id
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referee_id) AS "refereeReferredBy",
      (SELECT r.created_at FROM referral r
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referee_id) AS "refereeReferredAt",
      f.external_id AS "referrerReferredBy",
      (SELECT u.external_id FROM referral r JOIN end_user u ON u.id = r.referrer_id
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = f.id) AS "theirReferredBy"
    FROM ${pairRows(pairs, 'k')}
    LEFT JOIN LATERAL (SELECT u.id, u.external_id FROM referral r JOIN end_user u ON u.id = r.referrer_id
      WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referrer_id LIMIT 1) f ON true`,
)

const referralRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  campaignId: 'uuid',
  referrerId: 'uuid',
  refereeId: 'uuid',
  referrerReward: 'int',
  refereeReward: 'int',
  data: 'json',
})

/** Writes and announces referrals. */
export const insertReferrals = statement(
  'record_referrals',
  returnsNothing,
  (referrals: ItemsOf<typeof referralRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at FROM ${referralRows(referrals)}
    ), event AS (${emit(referralCompleted, Prisma.sql`SELECT * FROM input`)}
    )
    INSERT INTO referral (id, partner_id, environment, campaign_id, referrer_id, referee_id,
      referrer_reward, referee_reward, created_at)
    SELECT id, partner_id, environment, campaign_id, referrer_id, referee_id, referrer_reward,
      referee_reward, occurred_at FROM input`,
)
