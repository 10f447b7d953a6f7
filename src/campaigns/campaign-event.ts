/** Events of users in campaigns, and the prizes that they win. */
import { z } from 'zod'
import type {
  Campaign,
  CampaignEvent,
  EndUser,
  InstantWin,
  PrizeTier,
} from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Keys, Transaction, Work } from '../kit/runtime.ts'
import type { EventData } from '../kit/streams/events.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { jsonObject, reference } from '../kit/validation.ts'
import type { NewGrant } from '../programme/grant.sql.ts'
import { makeGrants } from '../programme/grant.ts'
import { settleGrants } from '../programme/payer.ts'
import { lockRewards } from '../programme/reward.sql.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockOrMakeUsers, UserBy } from '../users/end-user.ts'
import type { instantWinWon } from './campaign.events.ts'
import { drawTier, hasPlaysLeft, isLucky } from './campaign.rules.ts'
import { CampaignBy, holdCampaigns, notRunning } from './campaign.ts'
import {
  type CampaignEventRow,
  insertEvents,
  lockPrizeTiers,
  readRulesAndPlays,
} from './campaign-event.sql.ts'
import { isRunning } from './campaign-phase.rules.ts'
import { drawWinCode, winCodeHash } from './code.rules.ts'
import { creditParticipants, type Participant } from './participant.ts'

/** An event of a user (interface: Campaigns). */
export const RecordCampaignEvent = z
  .object({
    campaign: CampaignBy,
    user: UserBy.describe('The user. An unknown `externalId` creates a user.'),
    eventType: reference().describe('The event type: purchase, signup, daily_login, …'),
    metadata: jsonObject().nullish().describe("Stored on the user's timeline; up to 16 KB."),
  })
  .describe('An action of a user to record.')

export type RecordCampaignEvent = z.output<typeof RecordCampaignEvent>

/** An event to record. Locked campaigns and wallets are known by `slug` and `externalId` (locked-users.ts). */
export type RequestedEvent = Tenant & {
  slug: string
  externalId: ExternalId
  eventType: string
  metadata?: Record<string, unknown> | null | undefined
}

/** A win, without the hash of its code. */
export type WonPrize = Omit<InstantWin, 'codeHash'> & { tier: PrizeTier }

/** The result of the draw for an event. */
export type InstantWinDraw = {
  instantWin: WonPrize | null
  /** Shown only here. */
  winCode: string | null
}

/** The result of an event, with the participant right after it. */
export type RecordedEvent = {
  campaignEvent: CampaignEvent
  participant: Participant
  user: EndUser
  /** Null where the campaign has no instant win. */
  instantWinDraw: InstantWinDraw | null
}

/**
 * Records events in the order of the list, in one transaction with a constant number of statements. An event earns
 * points by the rule of its type, and may win a prize that is in stock. Creates users who do not exist.
 *
 * The result of a refused event is CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_ACTIVE, USER_BLOCKED or MAX_PLAYS_EXCEEDED; it creates no user.
 * Campaigns, users, prize tiers and rewards are locked in this order, so all counts are exact. A prize with a reward also
 * makes its grant and issues it.
 *
 * The statements: `holdCampaignRows` (campaign.sql.ts), `lockOrInsertUsers` (users/end-user.sql.ts), and `readRulesAndPlays`,
 * `lockPrizeTiers` and `insertEvents` (campaign-event.sql.ts). The last one credits participants (participant.sql.ts) and
 * wallets (points/wallet.sql.ts).
 */
export const recordCampaignEvents = (
  work: Work,
  requested: RequestedEvent[],
): Promise<(RecordedEvent | Error)[]> =>
  inTransaction(work, (txWork) => recordIn(txWork, requested))

/** An event that was accepted. `n` is its place in the list that was asked. */
type Played = {
  n: number
  id: string
  campaign: Campaign
  user: EndUser
  asked: RequestedEvent
  points: number
  playNo: number
  lucky: boolean
  win: { tier: PrizeTier; code: string } | null
}

/** What an event of an open campaign is worth, and how often its user has played. `n` is its place among the open ones. */
type RuleAndPlays = Awaited<ReturnType<typeof readRulesAndPlays>>[number]
/** An event of a running campaign. `n` is its place in the list that was asked. */
type OpenEvent = { n: number; campaign: Campaign; event: RequestedEvent }

/** Draws the play of each event, in order. In `results` it refuses those of blocked users, and of users without plays left. */
const playEvents = (
  work: Work,
  open: OpenEvent[],
  users: EndUser[],
  known: Map<number, RuleAndPlays>,
  results: (RecordedEvent | Error)[],
): Played[] => {
  const now = work.clock()
  const plays = new Map<string, number>()
  const played: Played[] = []
  open.forEach(({ n, campaign, event }, i) => {
    const user = users[i] as EndUser
    if (isBlocked(user, now)) {
      results[n] = userBlocked()
      return
    }
    const name = `${campaign.id} ${user.id}`
    const before = plays.get(name) ?? known.get(i)?.plays ?? 0
    if (!hasPlaysLeft(before, campaign.maxPlaysPerUser)) {
      results[n] = new TesseraError('MAX_PLAYS_EXCEEDED', {
        limit: campaign.maxPlaysPerUser,
        current: before,
      })
      return
    }
    plays.set(name, before + 1)
    const lucky = campaign.winsPerMillion !== null && isLucky(campaign.winsPerMillion, work.random)
    const points = known.get(i)?.points ?? 0
    const playNo = before + 1
    played.push({ n, id: newId(), campaign, user, asked: event, points, playNo, lucky, win: null })
  })
  return played
}

const recordIn = async (
  work: Transaction,
  requested: RequestedEvent[],
): Promise<(RecordedEvent | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, requested)
  // Refusals. Those of running campaigns are replaced below.
  const results: (RecordedEvent | Error)[] = campaigns.map((campaign) => notRunning(campaign, now))
  const open = requested.flatMap((event, n) => {
    const campaign = campaigns[n]
    return campaign && isRunning(campaign, now) ? [{ n, campaign, event }] : []
  })
  if (open.length === 0) return results

  const keys = open.map(({ event }) => event)
  const users = await lockOrMakeUsers(work, keys)
  const found = await readRulesAndPlays(
    work.tx,
    open.map(({ campaign, event }, i) => ({
      campaignId: campaign.id,
      userId: (users[i] as EndUser).id,
      eventType: event.eventType,
    })),
  )
  const known = new Map(found.map((item) => [item.n, item]))
  const played = playEvents(work, open, users, known, results)
  await drawPrizes(work, played)
  const won = wonRewards(played)
  if (won.length > 0) await lockRewards(work.tx, [...new Set(won.map(({ rewardId }) => rewardId))])
  const participants = await writeEvents(work, played, now)
  await settleGrants(work, await makeGrants(work, won))
  played.forEach((play, i) => {
    results[play.n] = answerOf(play, participants[i] as Participant, now)
  })
  return results
}

/** Draws prizes for the lucky events, in order, while stock lasts. */
const drawPrizes = async ({ tx, random }: Transaction, played: Played[]) => {
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

/** The grants of prizes that give a reward. */
const wonRewards = (played: Played[]): NewGrant[] =>
  played.flatMap(({ id, campaign, user, win }) =>
    win?.tier.rewardId
      ? {
          id: newId(),
          ...tenantOf(campaign),
          userId: user.id as UserId,
          rewardId: win.tier.rewardId,
          sourceKind: 'INSTANT_WIN' as const,
          sourceId: id,
          rewardNo: 1,
          round: 1,
          needsClaim: false,
        }
      : [],
  )

const dayMs = 24 * 3600 * 1000

const expiryOf = ({ winCodeDays }: Campaign, now: Date) =>
  new Date(now.getTime() + winCodeDays * dayMs)

/** The win as written. */
const wonPrize = ({ id, campaign, user }: Played, tier: PrizeTier, now: Date): WonPrize => ({
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

/** Writes events, writes and announces wins, updates the stock, and credits the users: one statement, at `now`. */
const writeEvents = (work: Transaction, played: Played[], now: Date) => {
  const rows = played.map((item) => rowOf(work.keys, item, now))
  const credits = played.map(({ id, campaign, user, asked: requested, points, win }) => ({
    id,
    campaign,
    user,
    points,
    eventType: requested.eventType,
    ledgerType: 'campaign_event' as const,
    metadata: requested.metadata,
    // Only secret keys and members record events.
    fact: 'CAMPAIGN_EVENT' as const,
    plays: 1,
    wins: win ? 1 : 0,
  }))
  return creditParticipants(work, credits, (tx, credits) => insertEvents(tx, rows, credits, now))
}

const rowOf = (
  { pepper }: Keys,
  { id, campaign, user, asked: requested, points, playNo, win }: Played,
  now: Date,
): CampaignEventRow => {
  const { eventType } = requested
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

const drawOf = (played: Played, now: Date): InstantWinDraw | null => {
  const { campaign, win } = played
  if (campaign.winsPerMillion === null) return null
  if (!win) return { instantWin: null, winCode: null }
  return { instantWin: wonPrize(played, win.tier, now), winCode: win.code }
}

const answerOf = (played: Played, participant: Participant, now: Date): RecordedEvent => {
  const { id, campaign, user, asked: requested, points, playNo } = played
  const instantWinDraw = drawOf(played, now)
  return {
    campaignEvent: {
      id,
      ...tenantOf(campaign),
      campaignId: campaign.id,
      userId: user.id,
      playNo,
      points,
      playLimit: campaign.maxPlaysPerUser,
      eventType: requested.eventType,
      drawn: instantWinDraw !== null,
      occurredAt: now,
    },
    participant,
    user: participant.user,
    instantWinDraw,
  }
}
