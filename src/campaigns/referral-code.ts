/** What users hand to others, so that a referral is known to be theirs. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { addToCounters } from '../core/counters.ts'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import {
  type Campaign,
  type CampaignParticipant,
  type EndUser,
  Prisma,
} from '../generated/prisma/client.ts'
import { findUsers, lockUsers, UserBy } from '../users/end-user.ts'
import { CampaignBy, type CampaignKey, holdCampaigns } from './campaign.ts'
import { drawReferralCode } from './code.rules.ts'
import type { Participant } from './participant.ts'
import { participantColumns } from './participant-list.ts'

export const CreateReferralCode = z
  .object({ campaign: CampaignBy, user: UserBy.describe('Who refers; must exist.') })
  .describe('Whose code.')

type AskedCode = CampaignKey & { userId: string }

/**
 * Gives users the codes that they hand to others, and makes one for who has none. In one transaction.
 *
 * CAMPAIGN_OR_USER_NOT_FOUND or REFERRALS_NOT_ENABLED in the place of a refused one.
 */
export const giveReferralCodes = (
  work: Work,
  asked: AskedCode[],
): Promise<(Participant | Error)[]> =>
  inTransaction(work.tx, async (tx) => giveIn({ ...work, tx }, asked))

const giveIn = async (work: Work, asked: AskedCode[]): Promise<(Participant | Error)[]> => {
  const campaigns = await holdCampaigns(work, asked)
  const keys = asked.map((ask) => ({ ...tenantOf(ask), externalId: ask.userId }))
  await lockUsers(work, keys)
  const users = await findUsers(work, keys)
  const owners = asked.flatMap((_, n) => {
    const [campaign, user] = [campaigns[n], users[n]]
    return campaign && user && campaign.referrerReward !== null ? [{ n, campaign, user }] : []
  })
  const codes = await makeCodes(work, owners)
  const results: (Participant | Error)[] = asked.map((_, n) =>
    campaigns[n] && users[n]
      ? new TesseraError('REFERRALS_NOT_ENABLED')
      : new TesseraError('CAMPAIGN_OR_USER_NOT_FOUND', {
          what: campaigns[n] ? 'USER' : 'CAMPAIGN',
        }),
  )
  for (const { n, campaign, user } of owners) {
    const row = codes.get(`${campaign.id} ${user.id}`)
    if (row) results[n] = { ...row, user }
  }
  return results
}

/**
 * Makes codes for who has none, and participants of who is none. A code that was there for another user
 * fails the transaction, which draws another when it is run again.
 */
const makeCodes = async (
  { tx, clock, random }: Work,
  owners: { campaign: Campaign; user: EndUser }[],
): Promise<Map<string, CampaignParticipant>> => {
  const now = clock()
  const rows = owners.map(({ campaign, user }) => ({
    id: uuid(),
    partner_id: campaign.partnerId,
    environment: campaign.environment,
    campaign_id: campaign.id,
    user_id: user.id,
    external_id: user.externalId,
    code: drawReferralCode(random),
  }))
  const given = await tx.$queryRaw<CampaignParticipant[]>`/* give_referral_codes */
    WITH given AS (
      INSERT INTO campaign_participant AS p (id, partner_id, environment, campaign_id, user_id,
        external_id, referral_code, points_reached_at, joined_at)
      SELECT DISTINCT ON (campaign_id, user_id) id, partner_id, environment, campaign_id, user_id,
        external_id, code, ${now}::timestamptz, ${now}::timestamptz
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", campaign_id uuid, user_id uuid, external_id text, code text)
      ORDER BY campaign_id, user_id
      ON CONFLICT (campaign_id, user_id) DO UPDATE SET
        referral_code = coalesce(p.referral_code, excluded.referral_code)
      RETURNING p.*, xmax = 0 AS made
    ), counted AS (${addToCounters(
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount,
          'campaign ' || campaign_id || ' participants' AS name
        FROM given WHERE made GROUP BY partner_id, environment, campaign_id`,
    )}
    )
    SELECT ${participantColumns} FROM given p`
  return new Map(given.map((row) => [`${row.campaignId} ${row.userId}`, row]))
}
