/** Participants of campaigns, their credits and their ranks. */
import { v7 as uuid } from 'uuid'
import type { Campaign, CampaignParticipant, EndUser } from '../generated/prisma/client.ts'
import { readCounters } from '../kit/database/counters.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { listParts } from '../leaderboard/marks.ts'
import { movePoints } from '../points/wallet.ts'
import {
  addCampaignCredits,
  listAhead,
  listBehind,
  selectParticipantRanks,
} from './participant.sql.ts'

/** Something that happened to a user in a campaign, with the points it earned. */
export type ParticipantCredit = {
  campaign: Campaign
  /** Must be locked. */
  user: EndUser
  /** 0 or more. */
  points: number
  /** The id of what happened, and of its line on the timeline. */
  id: string
  /** Of the line on the timeline. */
  eventType: string
  /** Of the ledger entry. */
  ledgerType: 'campaign_event' | 'campaign_referral' | 'campaign_instant_win' | 'campaign_code'
  metadata?: Record<string, unknown> | null | undefined
  /** Added to the counts of the participant. */
  plays?: number
  wins?: number
  referrals?: number
}

/** Name of the counter of a campaign's participants. */
const participantsOf = (campaignId: string) => `campaign ${campaignId} participants`

/**
 * Credits users in campaigns in the order of the list, with a constant number of statements. Creates participants who
 * do not exist, credits the points to wallets if the campaign says so, and writes the timeline. Returns each
 * participant right after their credit, with the user after all credits of the list.
 */
export const creditParticipants = async (
  work: Transaction,
  credits: ParticipantCredit[],
): Promise<Participant[]> => {
  if (credits.length === 0) return []
  const participants = await addCampaignCredits(
    work.tx,
    credits.map(({ campaign, user, id, points, plays, wins, referrals, eventType, metadata }) => ({
      id,
      participantId: uuid(),
      ...tenantOf(campaign),
      campaignId: campaign.id,
      userId: user.id,
      externalId: user.externalId,
      points,
      eventType,
      metadata,
      plays: plays ?? 0,
      wins: wins ?? 0,
      referrals: referrals ?? 0,
    })),
    work.clock(),
  )
  const users = await creditWallets(work, credits)
  const standing = new Map(participants.map((row) => [`${row.campaignId} ${row.userId}`, row]))
  // The statement returns the last state: subtract the credits from the last to the first.
  const after: Participant[] = []
  for (let n = credits.length - 1; n >= 0; n--) {
    const {
      campaign,
      user,
      points,
      plays = 0,
      wins = 0,
      referrals = 0,
    } = credits[n] as ParticipantCredit
    const name = `${campaign.id} ${user.id}`
    const row = standing.get(name) as CampaignParticipant
    after[n] = { ...row, user: users.get(user.id) ?? user }
    standing.set(name, {
      ...row,
      plays: row.plays - plays,
      wins: row.wins - wins,
      totalPoints: row.totalPoints - BigInt(points),
      referralCount: row.referralCount - referrals,
      referralRewards: row.referralRewards - BigInt(referrals > 0 ? points : 0),
    })
  }
  return after
}

/** Returns the users whose wallets have changed, by id. */
const creditWallets = async (
  work: Transaction,
  credits: ParticipantCredit[],
): Promise<Map<string, EndUser>> => {
  const moved = await movePoints(
    work,
    credits.flatMap(({ campaign, user, points, id, eventType, ledgerType }) =>
      points > 0 && campaign.creditsWallet
        ? {
            ...tenantOf(campaign),
            externalId: user.externalId,
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

/** A participant with their user. */
export type Participant = CampaignParticipant & { user: EndUser }

/** A participant with their rank. */
export type RankedParticipant = { rank: number; participant: CampaignParticipant }

/** Reads participants; null for users who are not participants. */
export const findParticipants = async (
  { tx }: Work,
  keys: { campaignId: string; userId: UserId }[],
): Promise<(CampaignParticipant | null)[]> => {
  const found = await tx.campaignParticipant.findMany({ where: { OR: keys } })
  const nameOf = ({ campaignId, userId }: (typeof keys)[number]) => `${campaignId} ${userId}`
  const participants = new Map(found.map((one) => [nameOf(one), one]))
  return keys.map((key) => participants.get(nameOf(key)) ?? null)
}

/**
 * The rank of each participant in their campaign, in one statement. Exact down to the first mark. Below it, changes
 * further up count once the marks are recounted.
 */
export const rankParticipants = async (
  { tx }: Work,
  participants: CampaignParticipant[],
): Promise<number[]> => {
  const places = participants.map(({ totalPoints, pointsReachedAt, ...participant }) => ({
    ...participant,
    score: totalPoints,
    reachedAt: pointsReachedAt,
  }))
  const ranks: number[] = []
  for (const { n, rank } of await selectParticipantRanks(tx, places)) ranks[n] = Number(rank)
  return ranks
}

/** Parts of leaderboards, of many campaigns in one statement. */
export const listParticipants = (
  { tx }: Work,
  parts: (Part & { campaignId: string })[],
): Promise<CampaignParticipant[][]> =>
  listParts(tx, { behind: listBehind, ahead: listAhead }, parts)

export const countParticipants = (
  { read }: Pick<Runtime, 'read'>,
  campaign: Tenant & { id: string },
): Promise<number> =>
  read(readCounters, { ...tenantOf(campaign), name: participantsOf(campaign.id) })
