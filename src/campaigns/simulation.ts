/** A dry run of an event. */
import { z } from 'zod'
import type { PrizeTier } from '../generated/prisma/client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import { moment, reference } from '../kit/validation.ts'
import { findUserOf, UserBy } from '../users/end-user.ts'
import { chancesOf, hasPlaysLeft } from './campaign.rules.ts'
import type { FullCampaign } from './campaign.ts'
import { type Phase, phaseOf } from './campaign-phase.rules.ts'
import { findParticipants } from './participant.ts'

export const SimulatedEventKey = z.object({
  user: UserBy.describe('The user, who need not exist.'),
  eventType: reference().describe('The type of the simulated event.'),
  occursAt: moment()
    .nullish()
    .describe(
      'When it would happen. Defaults to now, and to the start of a draft that starts later.',
    ),
})

type Firing = 'FIRES' | 'MAY_FIRE' | 'DOES_NOT_FIRE'

export type SimulatedMechanic = {
  mechanic: 'POINTS' | 'WALLET' | 'INSTANT_WIN' | 'REFERRAL' | 'CODE'
  firing: Firing
  /** The reason as text. */
  reason: string
}

export type SimulatedPrize = { tier: PrizeTier; winRate: number }

export type SimulatedEvent = {
  /** Whether the campaign is a draft and was looked at as if it was started. */
  asIfActive: boolean
  occursAt: Date
  /** Code of the error that the event would return, if any. */
  refusal: 'CAMPAIGN_NOT_ACTIVE' | 'MAX_PLAYS_EXCEEDED' | null
  points: number
  /** Points of the participant right after. */
  campaignPoints: number
  /** Events of this user so far. */
  eventCount: number
  /** Events left to this user before this one; null for no limit. */
  eventsLeft: number | null
  mechanics: SimulatedMechanic[]
  prizes: SimulatedPrize[]
}

const closed: Partial<Record<Phase, string>> = {
  PAUSED: 'The campaign is paused',
  ENDED: 'The campaign has ended by then',
  UPCOMING: 'The campaign has not begun by then',
}

/** Why `recordCampaignEvents` would refuse an event: the error and a reason as text. */
const refusalOf = (campaign: FullCampaign, plays: number, at: Date) => {
  const reason = closed[phaseOf(campaign, at)]
  if (reason) return { code: 'CAMPAIGN_NOT_ACTIVE' as const, reason }
  if (!hasPlaysLeft(plays, campaign.maxPlaysPerUser))
    return {
      code: 'MAX_PLAYS_EXCEEDED' as const,
      reason: `The user has played ${plays} times; ${campaign.maxPlaysPerUser} is the maximum`,
    }
  return null
}

const prizesOf = ({ winsPerMillion, tiers }: FullCampaign): SimulatedPrize[] => {
  if (winsPerMillion === null) return []
  const chances = chancesOf(winsPerMillion, tiers)
  return tiers.map((tier, i) => ({ tier, winRate: chances[i] as number }))
}

type Verdict = [firing: Firing, reason: string]

const pointsVerdict = (points: number, eventType: string): Verdict =>
  points > 0
    ? ['FIRES', `The event type ${eventType} is worth ${points} points`]
    : ['DOES_NOT_FIRE', `No rule says what the event type ${eventType} is worth`]

const walletVerdict = ({ creditsWallet }: FullCampaign, points: number): Verdict => {
  if (!creditsWallet) return ['DOES_NOT_FIRE', 'Points of this campaign do not go to the wallet']
  return points > 0
    ? ['FIRES', 'The points go to the wallet, too']
    : ['DOES_NOT_FIRE', 'There are no points for the wallet']
}

const instantWinVerdict = ({ winsPerMillion }: FullCampaign, prizes: SimulatedPrize[]): Verdict => {
  if (winsPerMillion === null) return ['DOES_NOT_FIRE', 'The campaign has no instant win']
  if (winsPerMillion === 0) return ['DOES_NOT_FIRE', 'The chance to win is 0']
  if (!prizes.some(({ tier }) => tier.wins < tier.maxWins))
    return ['DOES_NOT_FIRE', 'Every prize is out of stock']
  return winsPerMillion === 1_000_000
    ? ['FIRES', 'Each event wins while there are prizes']
    : ['MAY_FIRE', `${winsPerMillion / 10_000}% of events win`]
}

/** A draft as it would be once it is started. Others are as they are. */
const asStarted = (campaign: FullCampaign): FullCampaign =>
  campaign.status === 'DRAFT' ? { ...campaign, status: 'ACTIVE' } : campaign

/** When an event happens unless the caller says it: now, or when a draft starts. */
const usualMoment = ({ status, startsAt }: FullCampaign, now: Date): Date =>
  status === 'DRAFT' && startsAt && startsAt > now ? startsAt : now

/**
 * Simulates an event of a user at a given time, with the reason why a mechanic would not fire. It uses the current
 * stock and plays, looks at a draft as if it was started, and writes nothing.
 */
export const simulateEvent = async (
  runtime: Pick<Runtime, 'read' | 'clock'>,
  given: FullCampaign,
  { user: by, eventType, ...input }: z.output<typeof SimulatedEventKey>,
): Promise<SimulatedEvent> => {
  const campaign = asStarted(given)
  const user = await findUserOf(runtime, campaign, by)
  const key = user && { ...tenantOf(campaign), campaignId: campaign.id, userId: user.id }
  const participant = key && (await runtime.read(findParticipants, key))
  const occursAt = input.occursAt ?? usualMoment(given, runtime.clock())
  const plays = participant?.plays ?? 0
  const refusal = refusalOf(campaign, plays, occursAt)
  const worth = campaign.eventRules.find((rule) => rule.eventType === eventType)?.points ?? 0
  const points = refusal ? 0 : worth
  const prizes = prizesOf(campaign)
  const verdicts: Record<'POINTS' | 'WALLET' | 'INSTANT_WIN', Verdict> = {
    POINTS: pointsVerdict(worth, eventType),
    WALLET: walletVerdict(campaign, worth),
    INSTANT_WIN: instantWinVerdict(campaign, prizes),
  }
  const mechanics = Object.entries(verdicts).map(([mechanic, verdict]) => {
    const [firing, reason] = refusal ? (['DOES_NOT_FIRE', refusal.reason] as const) : verdict
    return { mechanic, firing, reason } as SimulatedMechanic
  })
  return {
    asIfActive: given.status === 'DRAFT',
    occursAt,
    refusal: refusal?.code ?? null,
    points,
    campaignPoints: Number(participant?.totalPoints ?? 0) + points,
    eventCount: plays,
    eventsLeft:
      campaign.maxPlaysPerUser === null ? null : Math.max(0, campaign.maxPlaysPerUser - plays),
    mechanics: [
      ...mechanics,
      {
        mechanic: 'REFERRAL',
        firing: 'DOES_NOT_FIRE',
        reason: 'An event is no referral: referrals have a call of their own',
      },
      {
        mechanic: 'CODE',
        firing: 'DOES_NOT_FIRE',
        reason: 'An event redeems no code: codes have a call of their own',
      },
    ],
    prizes: refusal ? prizes.map((prize) => ({ ...prize, winRate: 0 })) : prizes,
  }
}
