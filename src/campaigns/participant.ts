/** Participants of campaigns, their credits and their ranks. */

import { v7 as uuid } from 'uuid'
import type { Campaign, CampaignParticipant, EndUser } from '../generated/prisma/client.ts'
import type { Fact } from '../generated/prisma/enums.ts'
import { readCounters } from '../kit/database/counters.ts'
import { ofTenants } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { listParts } from '../leaderboard/marks.ts'
import { userAfter, type WalletState } from '../points/wallet.ts'
import {
  countHiddenParticipants,
  insertCredits,
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
  /** What the line on the timeline proves; null if only a visitor or public key said it, or if the user did nothing. */
  fact: Fact | null
  /** Added to the counts of the participant. */
  plays?: number
  wins?: number
  referrals?: number
}

/** Name of the counter of a campaign's participants. */
const participantsOf = (campaignId: string) => `campaign ${campaignId} participants`

/** The row of a credit. Only campaigns that credit wallets pay. */
const rowOf = ({ campaign, user, plays, wins, referrals, ...credit }: ParticipantCredit) => ({
  ...credit,
  ...tenantOf(campaign),
  participantId: uuid(),
  entryId: credit.points > 0 && campaign.creditsWallet ? uuid() : null,
  campaignId: campaign.id,
  slug: campaign.slug,
  userId: user.id,
  externalId: user.externalId,
  plays: plays ?? 0,
  wins: wins ?? 0,
  referrals: referrals ?? 0,
})

/**
 * Credits users in campaigns in the order of the list, with one statement. Creates participants who do not exist, credits
 * the points to wallets if the campaign says so, and writes the timeline. Returns each participant right after their
 * credit, with the user after all credits of the list.
 * @param write the statement, which may write more
 */
export const creditParticipants = async (
  { tx, clock }: Transaction,
  credits: ParticipantCredit[],
  write: typeof insertCredits = insertCredits,
): Promise<Participant[]> => {
  if (credits.length === 0) return []
  const standing = new Map<string, CampaignParticipant>()
  const users = new Map<UserId, EndUser>()
  const owners = new Map(credits.map(({ user }) => [user.id, user]))
  const rows = credits.map(rowOf)
  for (const row of await write(tx, rows, clock())) {
    const { balance, lifetimePoints, gamesPlayed, rewardsWon, entries, score, ...rest } = row
    const { scoreReachedAt, ...participant } = rest
    const user = owners.get(participant.userId) as EndUser
    const wallet = {
      balance,
      lifetimePoints,
      gamesPlayed,
      rewardsWon,
      entries,
      score,
      scoreReachedAt,
    }
    standing.set(`${participant.campaignId} ${user.id}`, participant)
    users.set(user.id, balance === null ? user : userAfter(user, wallet as WalletState))
  }
  // The statement returns the last state: subtract the credits from the last to the first.
  const after = rows.toReversed().map(({ campaignId, userId, points, ...credit }): Participant => {
    const name = `${campaignId} ${userId}`
    const row = standing.get(name) as CampaignParticipant
    standing.set(name, {
      ...row,
      plays: row.plays - credit.plays,
      wins: row.wins - credit.wins,
      totalPoints: row.totalPoints - BigInt(points),
      referralCount: row.referralCount - credit.referrals,
      referralRewards: row.referralRewards - BigInt(credit.referrals > 0 ? points : 0),
    })
    return { ...row, user: users.get(userId) as EndUser }
  })
  return after.toReversed()
}

/** A participant with their user. */
export type Participant = CampaignParticipant & { user: EndUser }

/** A participant with their rank. */
export type RankedParticipant = { rank: number; participant: CampaignParticipant }

/** Reads participants; null for users who are not participants. */
export const findParticipants = async (
  { tx }: Work,
  keys: (Tenant & { campaignId: string; userId: UserId })[],
): Promise<(CampaignParticipant | null)[]> => {
  const found = await ofTenants(tx, keys, ({ campaignId, userId }) => ({
    campaignId,
    userId,
  })).campaignParticipant.findMany()
  const nameOf = ({ campaignId, userId }: { campaignId: string; userId: UserId }) =>
    `${campaignId} ${userId}`
  return inOrder(keys, found, nameOf, nameOf)
}

/**
 * The rank of each participant in their campaign, in one statement; null while the user is blocked for fraud. Exact down to the first mark. Below it, changes
 * further up count once the marks are recounted.
 */
export const rankParticipants = async (
  { tx, clock }: Work,
  participants: CampaignParticipant[],
): Promise<(number | null)[]> => {
  const now = clock()
  const places = participants.map(({ totalPoints, pointsReachedAt, ...participant }) => ({
    ...participant,
    score: totalPoints,
    reachedAt: pointsReachedAt,
  }))
  const ranks: (number | null)[] = []
  for (const { n, rank } of await selectParticipantRanks(tx, places, now)) {
    const { hiddenUntil } = participants[n] as CampaignParticipant
    ranks[n] = hiddenUntil !== null && hiddenUntil > now ? null : Number(rank)
  }
  return ranks
}

/** Parts of leaderboards, of many campaigns in one statement. */
export const listParticipants = (
  work: Work,
  parts: (Part & { campaignId: string })[],
): Promise<CampaignParticipant[][]> =>
  listParts(work, { behind: listBehind, ahead: listAhead }, parts)

export const countParticipants = (
  runtime: Pick<Runtime, 'readAll'>,
  campaign: Tenant & { id: string },
): Promise<number> =>
  load(runtime, readCounters, { ...tenantOf(campaign), name: participantsOf(campaign.id) })

const readHidden = async ({ tx, clock }: Work, campaignIds: string[]): Promise<number[]> => {
  const keys = campaignIds.map((campaignId) => ({ campaignId }))
  return (await countHiddenParticipants(tx, keys, clock())).map(({ hidden }) => hidden)
}

/** The number of participants on the leaderboard: all but those who are blocked for fraud. */
export const countRankedParticipants = async (
  runtime: Pick<Runtime, 'readAll'>,
  campaign: Tenant & { id: string },
): Promise<number> => {
  const [all, hidden] = await Promise.all([
    countParticipants(runtime, campaign),
    load(runtime, readHidden, campaign.id),
  ])
  return all - hidden
}
