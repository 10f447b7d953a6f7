/** Events of users in campaigns, and the prizes that they win. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import { jsonObject, reference } from '../core/validation.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, makeUsers } from '../users/end-user.ts'
import { hasPlaysLeft, isLucky, isRunning } from './campaign.rules.ts'
import { campaignSlug, holdCampaigns, notRunning } from './campaign.ts'
import { creditParticipants } from './participant.ts'
import { type AskedEvent, drawPrizes, type Played, writeEvents } from './played-event.ts'

/** What a partner's backend sends when a user has done something (interface: Campaigns). */
export const RecordCampaignEvent = z
  .object({
    slug: campaignSlug(),
    userId: reference().describe("The partner's id of the user, who is made if absent."),
    eventType: reference().describe('What the user did: purchase, signup, daily_login, …'),
    metadata: jsonObject().nullish().describe("Kept on the user's timeline; up to 16 KB."),
  })
  .describe('Something that a user did.')

export type RecordCampaignEvent = z.output<typeof RecordCampaignEvent>

/** What chance made of an event. */
export type InstantWinOutcome = {
  won: boolean
  prizeTier: string | null
  /** What redeeming the win code will pay. */
  pointsEarned: number
  /** Shown here and nowhere else. */
  winCode: string | null
  message: string
}

export type RecordedEvent = {
  /** Points that the event itself is worth. */
  pointsEarned: number
  /** The participant's total in this campaign, right after. */
  totalPoints: number
  /** Null where the campaign has no instant win. */
  instantWin: InstantWinOutcome | null
  message: string
}

type Standing = { n: number; points: number | null; plays: number | null }

/**
 * Records events: points by the rule of their type, and a prize if chance gives one and the stock has
 * one. In the order of the list, in one transaction of a constant number of statements. Users who do
 * not exist are made.
 *
 * In the place of a refused event stands CAMPAIGN_NOT_ACTIVE or MAX_PLAYS_EXCEEDED; it makes no user.
 * Locks are taken in the order campaigns, users, prize tiers; so all numbers are exact.
 */
export const recordCampaignEvents = (
  work: Work,
  asked: AskedEvent[],
): Promise<(RecordedEvent | Error)[]> =>
  inTransaction(work.tx, async (tx) => recordIn({ ...work, tx }, asked))

const recordIn = async (work: Work, asked: AskedEvent[]): Promise<(RecordedEvent | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, asked)
  const results: (RecordedEvent | Error)[] = campaigns.map((campaign) => notRunning(campaign, now))
  const open = asked.flatMap((event, n) => {
    const campaign = campaigns[n]
    return campaign && isRunning(campaign, now) ? [{ n, campaign, event }] : []
  })
  if (open.length === 0) return results

  const keys = open.map(({ event }) => ({ ...tenantOf(event), externalId: event.userId }))
  await makeUsers(work, keys)
  await lockUsers(work, keys)
  const users = (await findUsers(work, keys)) as EndUser[]
  const standings = await readStandings(
    work,
    open.map(({ campaign, event }, i) => ({
      campaign_id: campaign.id,
      user_id: users[i]?.id,
      event_type: event.eventType,
    })),
  )

  const plays = new Map<string, number>()
  const played: Played[] = []
  open.forEach(({ n, campaign, event }, i) => {
    const user = users[i] as EndUser
    const name = `${campaign.id} ${user.id}`
    const before = plays.get(name) ?? standings[i]?.plays ?? 0
    if (!hasPlaysLeft(before, campaign.maxPlaysPerUser)) {
      results[n] = new TesseraError('MAX_PLAYS_EXCEEDED', {
        limit: campaign.maxPlaysPerUser,
        current: before,
      })
      return
    }
    plays.set(name, before + 1)
    const lucky = campaign.winsPerMillion !== null && isLucky(campaign.winsPerMillion, work.random)
    const points = standings[i]?.points ?? 0
    const playNo = before + 1
    played.push({ n, id: uuid(), campaign, user, asked: event, points, playNo, lucky, win: null })
  })
  await drawPrizes(work, played)
  await writeEvents(work, played)
  const totals = await creditParticipants(
    work,
    played.map(({ id, campaign, user, asked, points, win }) => ({
      id,
      campaign,
      user,
      points,
      eventType: asked.eventType,
      ledgerType: 'campaign_event',
      metadata: asked.metadata,
      plays: 1,
      wins: win ? 1 : 0,
    })),
  )
  played.forEach((play, i) => {
    results[play.n] = answerOf(play, totals[i] as number)
  })
  return results
}

/** What each event is worth, and how often its user has played. */
const readStandings = async (
  { tx }: Work,
  rows: { campaign_id: string; user_id: string | undefined; event_type: string }[],
): Promise<Standing[]> => {
  const found = await tx.$queryRaw<Standing[]>`/* read_campaign_standings */
    SELECT k.n, r.points, p.plays
    FROM json_to_recordset(${JSON.stringify(rows.map((row, n) => ({ ...row, n })))}::json)
      AS k (n int, campaign_id uuid, user_id uuid, event_type text)
    LEFT JOIN campaign_event_rule r
      ON r.campaign_id = k.campaign_id AND r.event_type = k.event_type
    LEFT JOIN LATERAL (SELECT plays FROM campaign_participant
      WHERE campaign_id = k.campaign_id AND user_id = k.user_id LIMIT 1) p ON true`
  const standings: Standing[] = []
  for (const row of found) standings[row.n] = row
  return standings
}

const answerOf = ({ campaign, points, win }: Played, totalPoints: number): RecordedEvent => ({
  pointsEarned: points,
  totalPoints,
  instantWin:
    campaign.winsPerMillion === null
      ? null
      : win
        ? {
            won: true,
            prizeTier: win.tier.name,
            pointsEarned: win.tier.points,
            winCode: win.code,
            message: `You won ${win.tier.name}! Redeem the win code for ${win.tier.points} points.`,
          }
        : {
            won: false,
            prizeTier: null,
            pointsEarned: 0,
            winCode: null,
            message: 'No win this time',
          },
  message: points > 0 ? `Event recorded: ${points} points earned` : 'Event recorded',
})
