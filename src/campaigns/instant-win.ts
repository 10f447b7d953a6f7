/** Prizes that were won: their codes are redeemed once, by who won them. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { readCounters } from '../core/counters.ts'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { reference } from '../core/validation.ts'
import type { Campaign, EndUser, InstantWin, PrizeTier } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, UserBy } from '../users/end-user.ts'
import { CampaignBy, type FullCampaign, holdCampaigns } from './campaign.ts'
import { winCodeHash } from './code-hash.ts'
import { creditParticipants, type Participant } from './participant.ts'
import type { WonPrize } from './played-event.ts'

export const RedeemWinCode = z
  .object({
    campaign: CampaignBy,
    winCode: reference().describe('The code of a win, in capitals or not.'),
    user: UserBy.describe('Who won.'),
  })
  .describe('A prize to redeem.')

/** What a redemption wrote: the participant as they stand right after it. */
export type RedeemedWin = {
  instantWin: WonPrize
  participant: Participant
  user: EndUser
  message: string
}

export type AskedWin = Tenant & { slug: string; userId: string; winCode: string; pepper: string }

type WinRow = WonPrize & { n: number }

/**
 * Redeems win codes: each once, by who won it, until it expires; also after the campaign has ended,
 * because the prize was won. In the order of the list, in one transaction.
 *
 * In the place of a refused code stands CAMPAIGN_NOT_FOUND, INVALID_WIN_CODE (unknown, expired, or of
 * somebody else) or WIN_CODE_REDEEMED.
 */
export const redeemWinCodes = (work: Work, asked: AskedWin[]): Promise<(RedeemedWin | Error)[]> =>
  inTransaction(work.tx, async (tx) => redeemIn({ ...work, tx }, asked))

const redeemIn = async (work: Work, asked: AskedWin[]): Promise<(RedeemedWin | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, asked)
  const wins = await lockWins(work, asked, campaigns)
  const keys = asked.map((ask) => ({ ...tenantOf(ask), externalId: ask.userId }))
  await lockUsers(work, keys)
  const users = await findUsers(work, keys)

  const taken = new Map<string, { n: number; win: WinRow; user: EndUser; campaign: Campaign }>()
  const results: (RedeemedWin | Error)[] = asked.map((_, n) => {
    const [campaign, win, user] = [campaigns[n], wins.get(n), users[n]]
    if (!campaign) return new TesseraError('CAMPAIGN_NOT_FOUND')
    if (!win || !user || win.userId !== user.id)
      return new TesseraError('INVALID_WIN_CODE', { since: null })
    if (win.redeemedAt || taken.has(win.id))
      return new TesseraError('WIN_CODE_REDEEMED', { doneAt: win.redeemedAt ?? now })
    if (win.expiresAt <= now) return new TesseraError('INVALID_WIN_CODE', { since: win.expiresAt })
    taken.set(win.id, { n, win, user, campaign })
    return new TesseraError('INTERNAL')
  })
  const redeemed = [...taken.values()].map((one) => ({ ...one, redemptionId: uuid() }))
  if (redeemed.length === 0) return results
  const rows = redeemed.map(({ win, redemptionId }) => ({
    id: win.id,
    redemption_id: redemptionId,
  }))
  const count = await work.tx.$executeRaw`/* redeem_win_codes */
    UPDATE instant_win w SET redeemed_at = ${now}::timestamptz, redemption_id = r.redemption_id
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (id uuid, redemption_id uuid)
    WHERE w.id = r.id AND w.id = ANY (${rows.map(({ id }) => id)}::uuid[]) AND w.redeemed_at IS NULL`
  if (count < rows.length) throw new Error('a win code was redeemed under its lock')
  const participants = await creditParticipants(
    work,
    redeemed.map(({ win, user, campaign, redemptionId }) => ({
      id: redemptionId,
      campaign,
      user,
      points: win.points,
      eventType: 'instant_win_redeemed',
      ledgerType: 'campaign_instant_win',
      metadata: { winId: win.id, prizeTier: win.tier.name },
    })),
  )
  redeemed.forEach(({ n, win: { n: _, ...win }, redemptionId }, i) => {
    const participant = participants[i] as Participant
    results[n] = {
      instantWin: { ...win, redeemedAt: now, redemptionId },
      ...{ participant, user: participant.user },
      message: `${win.tier.name} redeemed: ${win.points} points earned`,
    }
  })
  return results
}

/** The wins of the codes, each in the place of its asker, kept from others until the transaction ends. */
const lockWins = async (
  { tx }: Work,
  asked: AskedWin[],
  campaigns: (Campaign | null)[],
): Promise<Map<number, WinRow>> => {
  const rows = asked.flatMap((ask, n) => {
    const campaign = campaigns[n]
    if (!campaign) return []
    const hash = winCodeHash(ask.pepper, campaign, ask.winCode).toString('hex')
    const { id, partnerId, environment } = campaign
    return { n, campaign_id: id, partner_id: partnerId, environment, hash }
  })
  const wins = await tx.$queryRaw<WinRow[]>`/* lock_wins */
    SELECT k.n, w.id, w.partner_id AS "partnerId", w.environment, w.campaign_id AS "campaignId",
      w.user_id AS "userId", w.tier_id AS "tierId", w.points, w.won_at AS "wonAt",
      w.expires_at AS "expiresAt", w.redeemed_at AS "redeemedAt", w.redemption_id AS "redemptionId",
      json_build_object('id', t.id, 'partnerId', t.partner_id, 'environment', t.environment,
        'campaignId', t.campaign_id, 'name', t.name, 'points', t.points, 'weight', t.weight,
        'maxWins', t.max_wins, 'wins', t.wins, 'position', t.position) AS tier
    FROM (
      SELECT i.n, i.campaign_id, f.id FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS i (n int, campaign_id uuid, partner_id uuid, environment "Environment", hash text)
      CROSS JOIN LATERAL (SELECT id FROM instant_win
        WHERE (partner_id, environment, code_hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      ORDER BY f.id) k
    CROSS JOIN LATERAL (SELECT * FROM instant_win
      WHERE id = k.id AND campaign_id = k.campaign_id LIMIT 1 FOR UPDATE) w
    JOIN prize_tier t ON t.id = w.tier_id`
  return new Map(wins.map((win) => [win.n, win]))
}

/** Wins by the ids of their events; null for an event that won nothing. */
export const findInstantWins = async (
  { tx }: Work,
  ids: string[],
): Promise<(InstantWin | null)[]> => {
  const found = await tx.instantWin.findMany({ where: { id: { in: ids } } })
  const wins = new Map(found.map((win) => [win.id, win]))
  return ids.map((id) => wins.get(id) ?? null)
}

export type InstantWinStats = {
  drawCount: number
  winCount: number
  /** 0 to 1. */
  winRate: number
  tiers: PrizeTier[]
}

/** How often chance decided in a campaign, and what it gave. */
export const readInstantWinStats = async (
  { read }: Pick<Runtime, 'read'>,
  { id, tiers, ...campaign }: FullCampaign,
): Promise<InstantWinStats> => {
  const name = `campaign ${id} draws`
  const drawCount = await read(readCounters, { ...tenantOf(campaign), name })
  const winCount = tiers.reduce((sum, { wins }) => sum + wins, 0)
  return { drawCount, winCount, winRate: drawCount === 0 ? 0 : winCount / drawCount, tiers }
}
