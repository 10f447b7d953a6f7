/** Accepted events: the prizes they win, and how both are written. */

import type { Campaign, EndUser, InstantWin, PrizeTier } from '../generated/prisma/client.ts'
import type { Keys, Transaction } from '../kit/runtime.ts'
import type { EventData } from '../kit/streams/events.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import type { instantWinWon } from './campaign.events.ts'
import { drawTier } from './campaign.rules.ts'
import { type CampaignEventRow, insertEvents, lockPrizeTiers } from './campaign-event.sql.ts'
import { drawWinCode, winCodeHash } from './code.rules.ts'
import { creditParticipants } from './participant.ts'

/** An event to record. */
export type AskedEvent = Tenant & {
  slug: string
  externalId: ExternalId
  eventType: string
  metadata?: Record<string, unknown> | null | undefined
}

/** An event that was accepted. */
export type Played = {
  n: number
  id: string
  campaign: Campaign
  user: EndUser
  asked: AskedEvent
  points: number
  playNo: number
  lucky: boolean
  win: { tier: PrizeTier; code: string } | null
}

/** Draws prizes for the lucky events, in order, while stock lasts. */
export const drawPrizes = async ({ tx, random }: Transaction, played: Played[]) => {
  const lucky = played.filter(({ lucky }) => lucky)
  if (lucky.length === 0) return
  const ids = [...new Set(lucky.map(({ campaign }) => campaign.id))]
  const tiers = await lockPrizeTiers(tx, ids)
  const stock = Map.groupBy(tiers, ({ campaignId }) => campaignId)
  for (const play of lucky) {
    const tier = drawTier(stock.get(play.campaign.id) ?? [], random)
    if (!tier) continue
    tier.wins++
    play.win = { tier, code: drawWinCode(random) }
  }
}

const dayMs = 24 * 3600 * 1000

const expiryOf = ({ winCodeDays }: Campaign, now: Date) =>
  new Date(now.getTime() + winCodeDays * dayMs)

/** A win, without the hash of its code. */
export type WonPrize = Omit<InstantWin, 'codeHash'> & { tier: PrizeTier }

/** The win as written. */
export const wonPrize = ({ id, campaign, user }: Played, tier: PrizeTier, now: Date): WonPrize => ({
  id,
  ...tenantOf(campaign),
  campaignId: campaign.id,
  userId: user.id,
  tier,
  tierId: tier.id,
  points: tier.points,
  wonAt: now,
  expiresAt: expiryOf(campaign, now),
  redeemedAt: null,
  redemptionId: null,
})

/** Writes and announces events and wins, updates the stock, and credits the users. */
export const writeEvents = (work: Transaction, played: Played[], now: Date) => {
  const rows = played.map((one) => rowOf(work.keys, one, now))
  const credits = played.map(({ id, campaign, user, asked, points, win }) => ({
    id,
    campaign,
    user,
    points,
    eventType: asked.eventType,
    ledgerType: 'campaign_event' as const,
    metadata: asked.metadata,
    plays: 1,
    wins: win ? 1 : 0,
  }))
  return creditParticipants(work, credits, (tx, credited) => insertEvents(tx, rows, credited, now))
}

const rowOf = (
  { pepper }: Keys,
  { id, campaign, user, asked, points, playNo, win }: Played,
  now: Date,
): CampaignEventRow => {
  const { eventType } = asked
  const event = {
    id,
    ...tenantOf(campaign),
    campaignId: campaign.id,
    userId: user.id,
    eventType,
    points,
    playNo,
    playLimit: campaign.maxPlaysPerUser,
    drawn: campaign.winsPerMillion !== null,
  }
  if (!win) return event
  const expiresAt = expiryOf(campaign, now)
  const data = {
    winId: id,
    campaignId: campaign.id,
    campaignSlug: campaign.slug,
    userId: user.externalId,
    eventType,
    prizeTier: win.tier.name,
    pointsEarned: win.tier.points,
    expiresAt: expiresAt.toISOString(),
    environment: campaign.environment,
    wonAt: now.toISOString(),
  } satisfies EventData<typeof instantWinWon>
  const codeHash = winCodeHash(pepper, campaign, win.code)
  return { ...event, tierId: win.tier.id, prize: win.tier.points, codeHash, expiresAt, data }
}
