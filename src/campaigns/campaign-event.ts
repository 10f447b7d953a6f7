/** Events of users in campaigns, and the prizes that they win. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import { jsonObject, reference } from '../core/validation.ts'
import type { CampaignEvent, EndUser } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, makeUsers, UserBy } from '../users/end-user.ts'
import { hasPlaysLeft, isLucky, isRunning } from './campaign.rules.ts'
import { CampaignBy, holdCampaigns, notRunning } from './campaign.ts'
import { creditParticipants, type Participant } from './participant.ts'
import {
  type AskedEvent,
  drawPrizes,
  type Played,
  type WonPrize,
  wonPrize,
  writeEvents,
} from './played-event.ts'

/** What a partner's backend sends when a user has done something (interface: Campaigns). */
export const RecordCampaignEvent = z
  .object({
    campaign: CampaignBy,
    user: UserBy.describe('Who did it. An `externalId` that nobody has makes a user.'),
    eventType: reference().describe('What the user did: purchase, signup, daily_login, …'),
    metadata: jsonObject().nullish().describe("Kept on the user's timeline; up to 16 KB."),
  })
  .describe('Something that a user did.')

export type RecordCampaignEvent = z.output<typeof RecordCampaignEvent>

/** What chance made of an event. */
export type InstantWinDraw = {
  instantWin: WonPrize | null
  /** Shown here and nowhere else. */
  winCode: string | null
  message: string
}

/** What an event wrote: the participant as they stand right after it. */
export type RecordedEvent = {
  campaignEvent: CampaignEvent
  participant: Participant
  user: EndUser
  /** Null where the campaign has no instant win. */
  draw: InstantWinDraw | null
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
  await writeEvents(work, played, now)
  const participants = await creditParticipants(
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
    results[play.n] = answerOf(play, participants[i] as Participant, now)
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

const drawOf = (played: Played, now: Date): InstantWinDraw | null => {
  const { campaign, win } = played
  if (campaign.winsPerMillion === null) return null
  if (!win) return { instantWin: null, winCode: null, message: 'No win this time' }
  const { name, points } = win.tier
  return {
    instantWin: wonPrize(played, win.tier, now),
    winCode: win.code,
    message: `You won ${name}! Redeem the win code for ${points} points.`,
  }
}

const answerOf = (played: Played, participant: Participant, now: Date): RecordedEvent => {
  const { id, campaign, user, asked, points, playNo } = played
  const draw = drawOf(played, now)
  return {
    campaignEvent: {
      ...{ id, ...tenantOf(campaign), campaignId: campaign.id, userId: user.id, playNo, points },
      ...{ playLimit: campaign.maxPlaysPerUser, eventType: asked.eventType, drawn: draw !== null },
      occurredAt: now,
    },
    ...{ participant, user: participant.user, draw },
    message: points > 0 ? `Event recorded: ${points} points earned` : 'Event recorded',
  }
}
