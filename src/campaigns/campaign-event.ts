/** Events of users in campaigns, and the prizes that they win. */
import { z } from 'zod'
import type { Campaign, CampaignEvent, EndUser } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import { jsonObject, reference } from '../kit/validation.ts'
import { lockOrMakeUsers, UserBy } from '../users/end-user.ts'
import { hasPlaysLeft, isLucky } from './campaign.rules.ts'
import { CampaignBy, holdCampaigns, notRunning } from './campaign.ts'
import { readStandings } from './campaign-event.sql.ts'
import { isRunning } from './campaign-phase.rules.ts'
import type { Participant } from './participant.ts'
import {
  type AskedEvent,
  drawPrizes,
  type Played,
  type WonPrize,
  wonPrize,
  writeEvents,
} from './played-event.ts'

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
  draw: InstantWinDraw | null
}

/**
 * Records events in the order of the list, in one transaction with a constant number of statements. An event earns
 * points by the rule of its type, and may win a prize that is in stock. Creates users who do not exist.
 *
 * The result of a refused event is CAMPAIGN_NOT_ACTIVE or MAX_PLAYS_EXCEEDED; it creates no user. Campaigns, users and
 * prize tiers are locked in this order, so all counts are exact.
 */
export const recordCampaignEvents = (
  work: Work,
  asked: AskedEvent[],
): Promise<(RecordedEvent | Error)[]> => inTransaction(work, (here) => recordIn(here, asked))

type EventStanding = Awaited<ReturnType<typeof readStandings>>[number]
type OpenEvent = { n: number; campaign: Campaign; event: AskedEvent }

/** Draws the play of each event, in order. In `results` it refuses those of users without plays left. */
const playEvents = (
  work: Work,
  open: OpenEvent[],
  users: EndUser[],
  standings: Map<number, EventStanding>,
  results: (RecordedEvent | Error)[],
): Played[] => {
  const plays = new Map<string, number>()
  const played: Played[] = []
  open.forEach(({ n, campaign, event }, i) => {
    const user = users[i] as EndUser
    const name = `${campaign.id} ${user.id}`
    const before = plays.get(name) ?? standings.get(i)?.plays ?? 0
    if (!hasPlaysLeft(before, campaign.maxPlaysPerUser)) {
      results[n] = new TesseraError('MAX_PLAYS_EXCEEDED', {
        limit: campaign.maxPlaysPerUser,
        current: before,
      })
      return
    }
    plays.set(name, before + 1)
    const lucky = campaign.winsPerMillion !== null && isLucky(campaign.winsPerMillion, work.random)
    const points = standings.get(i)?.points ?? 0
    const playNo = before + 1
    played.push({ n, id: newId(), campaign, user, asked: event, points, playNo, lucky, win: null })
  })
  return played
}

const recordIn = async (
  work: Transaction,
  asked: AskedEvent[],
): Promise<(RecordedEvent | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, asked)
  const results: (RecordedEvent | Error)[] = campaigns.map((campaign) => notRunning(campaign, now))
  const open = asked.flatMap((event, n) => {
    const campaign = campaigns[n]
    return campaign && isRunning(campaign, now) ? [{ n, campaign, event }] : []
  })
  if (open.length === 0) return results

  const keys = open.map(({ event }) => event)
  const users = await lockOrMakeUsers(work, keys)
  const found = await readStandings(
    work.tx,
    open.map(({ campaign, event }, i) => ({
      campaignId: campaign.id,
      userId: (users[i] as EndUser).id,
      eventType: event.eventType,
    })),
  )
  const standings = new Map(found.map((standing) => [standing.n, standing]))
  const played = playEvents(work, open, users, standings, results)
  await drawPrizes(work, played)
  const participants = await writeEvents(work, played, now)
  played.forEach((play, i) => {
    results[play.n] = answerOf(play, participants[i] as Participant, now)
  })
  return results
}

const drawOf = (played: Played, now: Date): InstantWinDraw | null => {
  const { campaign, win } = played
  if (campaign.winsPerMillion === null) return null
  if (!win) return { instantWin: null, winCode: null }
  return { instantWin: wonPrize(played, win.tier, now), winCode: win.code }
}

const answerOf = (played: Played, participant: Participant, now: Date): RecordedEvent => {
  const { id, campaign, user, asked, points, playNo } = played
  const draw = drawOf(played, now)
  return {
    campaignEvent: {
      id,
      ...tenantOf(campaign),
      campaignId: campaign.id,
      userId: user.id,
      playNo,
      points,
      playLimit: campaign.maxPlaysPerUser,
      eventType: asked.eventType,
      drawn: draw !== null,
      occurredAt: now,
    },
    participant,
    user: participant.user,
    draw,
  }
}
