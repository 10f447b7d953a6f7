/** Users bring users, and both are rewarded. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { reference } from '../core/validation.ts'
import { type Campaign, type EndUser, Prisma, type Referral } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, makeUsers, UserBy } from '../users/end-user.ts'
import { isRunning } from './campaign.rules.ts'
import { CampaignBy, holdCampaigns } from './campaign.ts'
import { normalCode } from './code.rules.ts'
import { type Credit, creditParticipants, type Participant } from './participant.ts'

export const RecordReferral = z
  .object({
    campaign: CampaignBy,
    referrer: UserBy.describe('Who referred; must exist.'),
    referee: UserBy.describe('The new user. An `externalId` that nobody has makes a user.'),
    referralCode: reference().describe('The code of the referrer, in capitals or not.'),
  })
  .describe('A user has brought another.')

type AskedReferral = Tenant & {
  slug: string
  referrerId: string
  refereeId: string
  referralCode: string
}

/** What a referral wrote: both participants as they stand right after it. */
export type CompletedReferral = {
  referral: Referral
  referrer: Participant
  referee: Participant
  message: string
}

type Pair = { n: number; ask: AskedReferral; campaign: Campaign; referrer: EndUser }

/** What the database knows of a pair: the referrer's code, and who has referred them and the referee. */
type PairRow = {
  n: number
  code: string | null
  refereeReferredBy: string | null
  refereeReferredAt: Date | null
  referrerReferredBy: string | null
}

const nameOf = (campaign: Campaign, externalId: string) => JSON.stringify([campaign.id, externalId])

/**
 * Records referrals and rewards both. In the order of the list, in one transaction.
 *
 * In the place of a refused referral stands CAMPAIGN_OR_USER_NOT_FOUND (no such campaign, not running,
 * or an unknown referrer), REFERRALS_NOT_ENABLED, SELF_REFERRAL (also of somebody who was referred by
 * the referee), INVALID_REFERRAL_CODE or ALREADY_REFERRED. It makes no user.
 */
export const recordReferrals = (
  work: Work,
  asked: AskedReferral[],
): Promise<(CompletedReferral | Error)[]> =>
  inTransaction(work.tx, async (tx) => recordIn({ ...work, tx }, asked))

const recordIn = async (
  work: Work,
  asked: AskedReferral[],
): Promise<(CompletedReferral | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, asked)
  const everybody = asked.flatMap((ask) =>
    [ask.referrerId, ask.refereeId].map((externalId) => ({ ...tenantOf(ask), externalId })),
  )
  await lockUsers(work, everybody)
  const users = await findUsers(work, everybody)
  const results: (CompletedReferral | Error)[] = asked.map(
    () => new TesseraError('CAMPAIGN_OR_USER_NOT_FOUND'),
  )
  const pairs: Pair[] = []
  asked.forEach((ask, n) => {
    const [campaign, referrer] = [campaigns[n], users[2 * n]]
    if (!campaign || !isRunning(campaign, now)) return
    if (campaign.referrerReward === null) results[n] = new TesseraError('REFERRALS_NOT_ENABLED')
    else if (ask.referrerId === ask.refereeId) results[n] = new TesseraError('SELF_REFERRAL')
    else if (referrer) pairs.push({ n, ask, campaign, referrer })
    else results[n] = new TesseraError('CAMPAIGN_OR_USER_NOT_FOUND', { what: 'USER' })
  })
  if (pairs.length === 0) return results

  const known = await readPairs(
    work,
    pairs.map(({ n, campaign, referrer }) => ({
      campaign_id: campaign.id,
      referrer_id: referrer.id,
      referee_id: users[2 * n + 1]?.id ?? null,
    })),
  )
  // Who is referred by whom, by external ids, as this list goes on.
  const referredBy = new Map<string, string>()
  const accepted = pairs.filter(({ n, ask, campaign }, i) => {
    const row = known[i]
    const refereeBy =
      referredBy.get(nameOf(campaign, ask.refereeId)) ?? row?.refereeReferredBy ?? null
    const referrerBy =
      referredBy.get(nameOf(campaign, ask.referrerId)) ?? row?.referrerReferredBy ?? null
    const refusal =
      referrerBy === ask.refereeId
        ? new TesseraError('SELF_REFERRAL')
        : row?.code !== normalCode(ask.referralCode)
          ? new TesseraError('INVALID_REFERRAL_CODE', { since: null })
          : refereeBy !== null
            ? new TesseraError('ALREADY_REFERRED', { doneAt: row?.refereeReferredAt ?? now })
            : null
    if (refusal) results[n] = refusal
    else referredBy.set(nameOf(campaign, ask.refereeId), ask.referrerId)
    return !refusal
  })
  if (accepted.length > 0) await complete(work, accepted, results)
  return results
}

const readPairs = async (
  { tx }: Work,
  rows: { campaign_id: string; referrer_id: string; referee_id: string | null }[],
): Promise<PairRow[]> => {
  const found = await tx.$queryRaw<PairRow[]>`/* read_referral_pairs */
    SELECT k.n,
      (SELECT referral_code FROM campaign_participant p
        WHERE p.campaign_id = k.campaign_id AND p.user_id = k.referrer_id) AS code,
      (SELECT u.external_id FROM referral r JOIN end_user u ON u.id = r.referrer_id
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referee_id) AS "refereeReferredBy",
      (SELECT r.created_at FROM referral r
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referee_id) AS "refereeReferredAt",
      (SELECT u.external_id FROM referral r JOIN end_user u ON u.id = r.referrer_id
        WHERE r.campaign_id = k.campaign_id AND r.referee_id = k.referrer_id) AS "referrerReferredBy"
    FROM json_to_recordset(${JSON.stringify(rows.map((row, n) => ({ ...row, n })))}::json)
      AS k (n int, campaign_id uuid, referrer_id uuid, referee_id uuid)`
  const pairs: PairRow[] = []
  for (const row of found) pairs[row.n] = row
  return pairs
}

/** Writes the referrals and rewards both users of each. */
const complete = async (work: Work, pairs: Pair[], results: (CompletedReferral | Error)[]) => {
  const now = work.clock()
  const keys = pairs.map(({ ask }) => ({ ...tenantOf(ask), externalId: ask.refereeId }))
  await makeUsers(work, keys)
  await lockUsers(work, keys)
  const referees = (await findUsers(work, keys)) as EndUser[]
  const rows = pairs.map(({ campaign, ask, referrer }, i) => ({
    id: uuid(),
    partner_id: campaign.partnerId,
    environment: campaign.environment,
    campaign_id: campaign.id,
    referrer_id: referrer.id,
    referee_id: referees[i]?.id,
    referrer_reward: campaign.referrerReward ?? 0,
    referee_reward: campaign.refereeReward ?? 0,
    data: {
      campaignId: campaign.id,
      campaignSlug: campaign.slug,
      referrerId: ask.referrerId,
      refereeId: ask.refereeId,
      referrerReward: campaign.referrerReward ?? 0,
      refereeReward: campaign.refereeReward ?? 0,
      environment: campaign.environment,
      completedAt: now,
    },
  }))
  await work.tx.$executeRaw`/* record_referrals */
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", campaign_id uuid, referrer_id uuid, referee_id uuid,
        referrer_reward int, referee_reward int, data json)
    ), event AS (${emit('campaign.referral_completed', Prisma.sql`SELECT * FROM input`)}
    )
    INSERT INTO referral (id, partner_id, environment, campaign_id, referrer_id, referee_id,
      referrer_reward, referee_reward, created_at)
    SELECT id, partner_id, environment, campaign_id, referrer_id, referee_id, referrer_reward,
      referee_reward, occurred_at FROM input`
  const participants = await creditParticipants(
    work,
    pairs.flatMap(({ campaign, ask, referrer }, i): Credit[] => {
      const { id, referrer_reward, referee_reward } = rows[i] as (typeof rows)[number]
      const ledgerType = 'campaign_referral'
      const metadata = { referralId: id, referrerId: ask.referrerId, refereeId: ask.refereeId }
      const common = { campaign, ledgerType, metadata } as const
      return [
        {
          ...common,
          id,
          user: referrer,
          points: referrer_reward,
          eventType: 'referral',
          referrals: 1,
        },
        {
          ...common,
          id: uuid(),
          user: referees[i] as EndUser,
          points: referee_reward,
          eventType: 'referred',
        },
      ]
    }),
  )
  pairs.forEach(({ n, campaign, referrer }, i) => {
    const row = rows[i] as (typeof rows)[number]
    results[n] = {
      referral: {
        ...{ id: row.id, ...tenantOf(campaign), campaignId: campaign.id, createdAt: now },
        ...{ referrerId: referrer.id, refereeId: (referees[i] as EndUser).id },
        ...{ referrerReward: row.referrer_reward, refereeReward: row.referee_reward },
      },
      referrer: participants[2 * i] as Participant,
      referee: participants[2 * i + 1] as Participant,
      message: 'Referral completed',
    }
  })
}
