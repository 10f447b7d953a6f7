/** Wins of prizes, and the redemption of their codes. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Campaign, EndUser, InstantWin, PrizeTier } from '../generated/prisma/client.ts'
import { readCounters } from '../kit/database/counters.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import { tenantOf } from '../kit/tenant.ts'
import { reference } from '../kit/validation.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { CampaignBy, type FullCampaign, holdCampaigns } from './campaign.ts'
import type { WonPrize } from './campaign-event.ts'
import { winCodeHash } from './code.rules.ts'
import { lockWins, redeemWins } from './instant-win.sql.ts'
import { creditParticipants, type Participant } from './participant.ts'

export const RedeemWinCode = z
  .object({
    campaign: CampaignBy,
    winCode: reference().describe('The win code. Case, blanks and hyphens do not matter.'),
    user: UserBy.describe('The user who won.'),
  })
  .describe('A prize to redeem.')

/** The result of a redemption, with the participant right after it. */
export type RedeemedWin = {
  instantWin: WonPrize
  participant: Participant
  user: EndUser
}

/** `isProven`: whether a secret key, a member or the user's own token redeems it. Otherwise it is no fact. */
type AskedWin = UserKey & { slug: string; winCode: string; isProven?: boolean }

/**
 * Redeems win codes in the order of the list, in one transaction. Only the winner can redeem a code, once, until it
 * expires, even after the campaign has ended.
 *
 * The result of a refused code is CAMPAIGN_NOT_FOUND, INVALID_WIN_CODE (unknown, expired, or of another user), USER_BLOCKED or
 * WIN_CODE_REDEEMED.
 */
export const redeemWinCodes = (
  work: Work,
  requested: AskedWin[],
): Promise<(RedeemedWin | Error)[]> => inTransaction(work, (txWork) => redeemIn(txWork, requested))

type Redemption = {
  n: number
  win: WonPrize
  user: EndUser
  campaign: Campaign
  isProven: boolean
}

const redeemIn = async (
  work: Transaction,
  requested: AskedWin[],
): Promise<(RedeemedWin | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, requested)
  const wins = await findWins(work, requested, campaigns)
  const users = await lockUsers(work, requested)

  const taken = new Map<string, Redemption>()
  const results: (RedeemedWin | Error)[] = requested.map(({ isProven = false }, n) => {
    const [campaign, win, user] = [campaigns[n], wins.get(n), users[n]]
    if (!campaign) return new TesseraError('CAMPAIGN_NOT_FOUND')
    if (!win || !user || win.userId !== user.id)
      return new TesseraError('INVALID_WIN_CODE', { since: null })
    if (isBlocked(user, now)) return userBlocked()
    if (win.redeemedAt || taken.has(win.id))
      return new TesseraError('WIN_CODE_REDEEMED', { doneAt: win.redeemedAt ?? now })
    if (win.expiresAt <= now) return new TesseraError('INVALID_WIN_CODE', { since: win.expiresAt })
    taken.set(win.id, { n, win, user, campaign, isProven })
    return new TesseraError('INTERNAL')
  })
  const redeemed = [...taken.values()].map((item) => ({ ...item, redemptionId: uuid() }))
  if (redeemed.length === 0) return results
  const count = await redeemWins(
    work.tx,
    redeemed.map(({ win: { id }, redemptionId }) => ({ id, redemptionId })),
    now,
  )
  if (count < redeemed.length) throw new Error('a win code was redeemed under its lock')
  const participants = await creditParticipants(
    work,
    redeemed.map(({ win, user, campaign, redemptionId, isProven }) => ({
      id: redemptionId,
      campaign,
      user,
      points: win.points,
      eventType: 'instant_win_redeemed',
      fact: isProven ? 'CODE_REDEEMED' : null,
      ledgerType: 'campaign_instant_win',
      metadata: { winId: win.id, prizeTier: win.tier.name },
    })),
  )
  redeemed.forEach(({ n, win, redemptionId }, i) => {
    const participant = participants[i] as Participant
    results[n] = {
      instantWin: { ...win, redeemedAt: now, redemptionId },
      participant,
      user: participant.user,
    }
  })
  return results
}

/** Reads and locks wins by their codes, keyed by their index in the list. */
const findWins = async (
  { tx, keys }: Transaction,
  requested: AskedWin[],
  campaigns: (Campaign | null)[],
): Promise<Map<number, WonPrize>> => {
  const wanted = requested.flatMap(({ winCode }, place) => {
    const campaign = campaigns[place]
    if (!campaign) return []
    const hash = winCodeHash(keys.pepper, campaign, winCode)
    return { place, campaignId: campaign.id, ...tenantOf(campaign), hash }
  })
  const wins = await lockWins(tx, wanted)
  return new Map(wins.map(({ n, ...win }) => [wanted[n]?.place ?? -1, win]))
}

/** Reads wins by the ids of their events; null for an event without a win. */
export const findInstantWins = async (
  { tx }: Work,
  ids: string[],
): Promise<(InstantWin | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').instantWin.findMany({ where: { id: { in: ids } } }))

export type InstantWinStats = {
  drawCount: number
  winCount: number
  /** 0 to 1. */
  winRate: number
  tiers: PrizeTier[]
}

/** The number of wins of all tiers. */
export const winCountOf = (tiers: Pick<PrizeTier, 'wins'>[]): number =>
  tiers.reduce((sum, { wins }) => sum + wins, 0)

/** The draws and wins of a campaign. */
export const readInstantWinStats = async (
  runtime: Pick<Runtime, 'readAll'>,
  { id, tiers, ...campaign }: FullCampaign,
): Promise<InstantWinStats> => {
  const name = `campaign ${id} draws`
  const drawCount = await load(runtime, readCounters, { ...tenantOf(campaign), name })
  const winCount = winCountOf(tiers)
  return { drawCount, winCount, winRate: drawCount === 0 ? 0 : winCount / drawCount, tiers }
}
