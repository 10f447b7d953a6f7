/** Events that take place: the prizes that they win, and how both are written. */
import { addToCounters } from '../core/counters.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import {
  type Campaign,
  type EndUser,
  type InstantWin,
  Prisma,
  type PrizeTier,
} from '../generated/prisma/client.ts'
import { drawTier } from './campaign.rules.ts'
import { drawWinCode } from './code.rules.ts'
import { winCodeHash } from './code-hash.ts'

/** An event on its way. `pepper` keys the hashes of win codes. */
export type AskedEvent = Tenant & {
  slug: string
  userId: string
  eventType: string
  metadata?: Record<string, unknown> | null | undefined
  pepper: string
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

/** Gives the lucky ones the prizes that are there, in their order. */
export const drawPrizes = async ({ tx, random }: Work, played: Played[]) => {
  const lucky = played.filter(({ lucky }) => lucky)
  if (lucky.length === 0) return
  const ids = [...new Set(lucky.map(({ campaign }) => campaign.id))]
  const tiers = await tx.$queryRaw<PrizeTier[]>`/* lock_prize_tiers */
    SELECT id, partner_id AS "partnerId", environment, campaign_id AS "campaignId", name, points,
      weight, max_wins AS "maxWins", wins, position
    FROM prize_tier
    WHERE campaign_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::json)::uuid)
      AND wins < max_wins
    ORDER BY campaign_id, position, id FOR UPDATE`
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

/** A prize that was won; nobody is shown the hash of its code. */
export type WonPrize = Omit<InstantWin, 'codeHash'> & { tier: PrizeTier }

/** The row of a win, as it has been written. */
export const wonPrize = ({ id, campaign, user }: Played, tier: PrizeTier, now: Date): WonPrize => ({
  ...{ id, ...tenantOf(campaign), campaignId: campaign.id, userId: user.id },
  ...{ tier, tierId: tier.id, points: tier.points, wonAt: now },
  ...{ expiresAt: expiryOf(campaign, now), redeemedAt: null, redemptionId: null },
})

/** Writes events, wins, the stock that is left, and what is announced. */
export const writeEvents = async ({ tx }: Work, played: Played[], now: Date) => {
  if (played.length === 0) return
  const rows = played.map(({ id, campaign, user, asked, points, playNo, win }) => ({
    id,
    partner_id: campaign.partnerId,
    environment: campaign.environment,
    campaign_id: campaign.id,
    user_id: user.id,
    event_type: asked.eventType,
    points,
    play_no: playNo,
    play_limit: campaign.maxPlaysPerUser,
    drawn: campaign.winsPerMillion !== null,
    ...(win && {
      tier_id: win.tier.id,
      prize: win.tier.points,
      code_hash: winCodeHash(asked.pepper, campaign, win.code).toString('hex'),
      expires_at: expiryOf(campaign, now),
      data: {
        winId: id,
        campaignId: campaign.id,
        campaignSlug: campaign.slug,
        userId: user.externalId,
        eventType: asked.eventType,
        prizeTier: win.tier.name,
        pointsEarned: win.tier.points,
        expiresAt: expiryOf(campaign, now),
        environment: campaign.environment,
        wonAt: now,
      },
    }),
  }))
  await tx.$executeRaw`/* write_campaign_events */
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", campaign_id uuid, user_id uuid, event_type text, points int,
        play_no int, play_limit int, drawn boolean, tier_id uuid, prize int, code_hash text,
        expires_at timestamptz, data json)
    ), won AS MATERIALIZED (SELECT * FROM input WHERE tier_id IS NOT NULL
    ), tier AS (
      UPDATE prize_tier t SET wins = t.wins + w.wins
      FROM (SELECT tier_id, count(*) AS wins FROM won GROUP BY tier_id) w
      WHERE t.id = w.tier_id AND t.wins + w.wins <= t.max_wins
      RETURNING t.id
    ), win AS (
      INSERT INTO instant_win (id, partner_id, environment, campaign_id, user_id, tier_id, points,
        code_hash, won_at, expires_at)
      SELECT w.id, partner_id, environment, campaign_id, user_id, tier.id, prize,
        decode(code_hash, 'hex'), occurred_at, expires_at
      FROM won w LEFT JOIN tier ON tier.id = w.tier_id
    ), event AS (${emit('campaign.instant_win_won', Prisma.sql`SELECT * FROM won`)}
    ), drawn AS (${addToCounters(
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount,
          'campaign ' || campaign_id || ' draws' AS name
        FROM input WHERE drawn GROUP BY partner_id, environment, campaign_id`,
    )}
    )
    INSERT INTO campaign_event (id, partner_id, environment, campaign_id, user_id, play_no,
      play_limit, event_type, points, drawn, occurred_at)
    SELECT id, partner_id, environment, campaign_id, user_id, play_no, play_limit, event_type,
      points, drawn, occurred_at FROM input`
}
