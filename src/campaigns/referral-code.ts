/** Referral codes of users. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Campaign, CampaignParticipant, EndUser } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { findUsers, lockUsers, UserBy } from '../users/end-user.ts'
import { CampaignBy, type CampaignKey, holdCampaigns } from './campaign.ts'
import { drawReferralCode } from './code.rules.ts'
import { giveCodes } from './participant.sql.ts'
import type { Participant } from './participant.ts'

export const CreateReferralCode = z
  .object({ campaign: CampaignBy, user: UserBy.describe('The user who refers. Must exist.') })
  .describe('A user who needs a referral code.')

type AskedReferralCode = CampaignKey & { externalId: ExternalId }

/**
 * Returns the referral codes of users, in one transaction. Creates codes for users without one.
 *
 * The result of a refused call is CAMPAIGN_OR_USER_NOT_FOUND or REFERRALS_NOT_ENABLED.
 */
export const giveReferralCodes = (
  work: Work,
  asked: AskedReferralCode[],
): Promise<(Participant | Error)[]> => inTransaction(work, (here) => giveIn(here, asked))

const giveIn = async (
  work: Transaction,
  asked: AskedReferralCode[],
): Promise<(Participant | Error)[]> => {
  const campaigns = await holdCampaigns(work, asked)
  await lockUsers(work, asked)
  const users = await findUsers(work, asked)
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
 * Creates missing codes and participants. If another user has the code, the transaction fails, and the retry draws a
 * new code.
 */
const makeCodes = async (
  { tx, clock, random }: Transaction,
  owners: { campaign: Campaign; user: EndUser }[],
): Promise<Map<string, CampaignParticipant>> => {
  const given = await giveCodes(
    tx,
    owners.map(({ campaign, user }) => ({
      id: uuid(),
      ...tenantOf(campaign),
      campaignId: campaign.id,
      userId: user.id,
      externalId: user.externalId,
      code: drawReferralCode(random),
    })),
    clock(),
  )
  return new Map(given.map((row) => [`${row.campaignId} ${row.userId}`, row]))
}
