/** Users in campaigns: what they earned there, and how it reaches their wallets and timelines. */
import { v7 as uuid } from 'uuid'
import { addToCounters, readCounters } from '../core/counters.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import {
  type Campaign,
  type CampaignParticipant,
  type EndUser,
  Prisma,
} from '../generated/prisma/client.ts'
import { movePoints } from '../points/wallet.ts'
import { trackActivity } from '../users/activity.ts'
import { participantColumns } from './participant-list.ts'

/** Something that happened to a user in a campaign, and what it earned them. */
export type Credit = {
  campaign: Campaign
  /** Who is there and locked. */
  user: EndUser
  /** 0 or more. */
  points: number
  /** Of what happened; also of its line on the timeline. */
  id: string
  /** Of the line on the timeline. */
  eventType: string
  /** Of the ledger entry. */
  ledgerType: 'campaign_event' | 'campaign_referral' | 'campaign_instant_win' | 'campaign_code'
  metadata?: Record<string, unknown> | null | undefined
  /** What it adds to the participant beside points. */
  plays?: number
  wins?: number
  referrals?: number
}

/** Name of the counter of a campaign's participants. */
const participantsOf = (campaignId: string) => `campaign ${campaignId} participants`

/**
 * Credits users in campaigns, makes participants of those who are none, moves the points into their
 * wallets where the campaign says so, and writes the timeline. In the order of the list, a constant
 * number of statements; the users must be locked. Gives each participant as they stand right after the
 * credit, with the user as all of the list leave them.
 */
export const creditParticipants = async (work: Work, credits: Credit[]): Promise<Participant[]> => {
  if (credits.length === 0) return []
  const now = work.clock()
  const rows = credits.map(({ campaign, user, ...credit }, n) => ({
    n,
    id: credit.id,
    participant_id: uuid(),
    partner_id: campaign.partnerId,
    environment: campaign.environment,
    campaign_id: campaign.id,
    user_id: user.id,
    external_id: user.externalId,
    points: credit.points,
    plays: credit.plays ?? 0,
    wins: credit.wins ?? 0,
    referrals: credit.referrals ?? 0,
    event_type: credit.eventType,
    metadata: credit.metadata,
  }))
  const participants = await work.tx.$queryRaw<CampaignParticipant[]>`/* credit_participants */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (n int, id uuid,
        participant_id uuid, partner_id uuid, environment "Environment", campaign_id uuid,
        user_id uuid, external_id text, points int, plays int, wins int, referrals int,
        event_type text, metadata json)
    ), participant AS (
      INSERT INTO campaign_participant AS p (id, partner_id, environment, campaign_id, user_id,
        external_id, total_points, plays, wins, referral_count, referral_rewards,
        points_reached_at, joined_at)
      SELECT (array_agg(participant_id))[1], partner_id, environment, campaign_id, user_id,
        external_id, sum(points), sum(plays), sum(wins), sum(referrals),
        coalesce(sum(points) FILTER (WHERE referrals > 0), 0), ${now}::timestamptz,
        ${now}::timestamptz
      FROM input GROUP BY partner_id, environment, campaign_id, user_id, external_id
      ORDER BY campaign_id, user_id
      ON CONFLICT (campaign_id, user_id) DO UPDATE SET
        total_points = p.total_points + excluded.total_points,
        plays = p.plays + excluded.plays,
        wins = p.wins + excluded.wins,
        referral_count = p.referral_count + excluded.referral_count,
        referral_rewards = p.referral_rewards + excluded.referral_rewards,
        points_reached_at = CASE WHEN excluded.total_points > 0 THEN excluded.points_reached_at
          ELSE p.points_reached_at END
      RETURNING p.*, xmax = 0 AS made
    ), activity AS (${trackActivity(
      'CAMPAIGN',
      Prisma.sql`SELECT *, campaign_id::text AS source_id, ${now}::timestamptz AS occurred_at
        FROM input`,
    )}
    ), counted AS (${addToCounters(
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount,
          'campaign ' || campaign_id || ' participants' AS name
        FROM participant WHERE made GROUP BY partner_id, environment, campaign_id`,
    )}
    )
    SELECT ${participantColumns} FROM participant p`
  const users = await creditWallets(work, credits)
  const standing = new Map(participants.map((row) => [`${row.campaignId} ${row.userId}`, row]))
  // How they stand after each credit: from the last of a participant back to the first.
  const after: Participant[] = []
  for (let n = credits.length - 1; n >= 0; n--) {
    const { campaign, user, points, plays = 0, wins = 0, referrals = 0 } = credits[n] as Credit
    const name = `${campaign.id} ${user.id}`
    const row = standing.get(name) as CampaignParticipant
    after[n] = { ...row, user: users.get(user.id) ?? user }
    standing.set(name, {
      ...row,
      ...{ plays: row.plays - plays, wins: row.wins - wins },
      totalPoints: row.totalPoints - BigInt(points),
      referralCount: row.referralCount - referrals,
      referralRewards: row.referralRewards - BigInt(referrals > 0 ? points : 0),
    })
  }
  return after
}

/** Gives those users whose wallets have changed, as they are now. */
const creditWallets = async (work: Work, credits: Credit[]): Promise<Map<string, EndUser>> => {
  const moved = await movePoints(
    work,
    credits.flatMap(({ campaign, user, points, id, eventType, ledgerType }) =>
      points > 0 && campaign.creditsWallet
        ? {
            ...tenantOf(campaign),
            userId: user.externalId,
            points,
            eventType: ledgerType,
            account: `campaign:${campaign.id}`,
            sourceId: id,
            metadata: { campaign: campaign.slug, eventType },
          }
        : [],
    ),
  )
  const users = new Map<string, EndUser>()
  for (const result of moved) {
    if (result instanceof Error) throw result
    users.set(result.user.id, result.userAfter)
  }
  return users
}

/** A participant, with the user who it is. */
export type Participant = CampaignParticipant & { user: EndUser }

/** A participant and where they stand. */
export type RankedParticipant = { rank: number; participant: CampaignParticipant }

/** Users in campaigns; null for who is none. */
export const findParticipants = async (
  { tx }: Work,
  keys: { campaignId: string; userId: string }[],
): Promise<(CampaignParticipant | null)[]> => {
  const found = await tx.campaignParticipant.findMany({ where: { OR: keys } })
  const nameOf = ({ campaignId, userId }: (typeof keys)[number]) => `${campaignId} ${userId}`
  const participants = new Map(found.map((one) => [nameOf(one), one]))
  return keys.map((key) => participants.get(nameOf(key)) ?? null)
}

/** For each participant their rank in their campaign, in one statement. */
export const rankParticipants = async (
  { tx }: Work,
  participants: CampaignParticipant[],
): Promise<number[]> => {
  const asked = participants.map(({ id }, n) => ({ n, id }))
  const ranks = await tx.$queryRaw<{ ahead: number }[]>`/* rank_participants */
    SELECT (SELECT count(*)::int FROM campaign_participant o
      WHERE o.campaign_id = p.campaign_id AND o.total_points >= p.total_points
        AND (o.total_points > p.total_points OR o.points_reached_at < p.points_reached_at
          OR (o.points_reached_at = p.points_reached_at AND o.external_id < p.external_id))) AS ahead
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS i (n int, id uuid)
    LEFT JOIN LATERAL (SELECT * FROM campaign_participant WHERE id = i.id LIMIT 1) p ON true
    ORDER BY i.n`
  return ranks.map(({ ahead }) => ahead + 1)
}

export const countParticipants = (
  { read }: Pick<Runtime, 'read'>,
  campaign: Tenant & { id: string },
): Promise<number> =>
  read(readCounters, { ...tenantOf(campaign), name: participantsOf(campaign.id) })
