/** What an event would do, without doing it. */
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { moment, reference } from '../core/validation.ts'
import { findUsers } from '../users/end-user.ts'
import { chancesOf, hasPlaysLeft, type Phase, phaseOf } from './campaign.rules.ts'
import { campaignSlug, type FullCampaign, findCampaigns } from './campaign.ts'
import { findParticipants } from './participant.ts'

export const SimulateCampaignEvent = z
  .object({
    slug: campaignSlug(),
    userId: reference().describe("The partner's id of a user, who need not exist."),
    eventType: reference().describe('What the user would do.'),
    at: moment().nullish().describe('When it would happen; now when left out.'),
  })
  .describe('An event to think through.')

type Firing = 'FIRES' | 'MAY_FIRE' | 'DOES_NOT_FIRE'

export type SimulatedMechanic = {
  mechanic: 'POINTS' | 'WALLET' | 'INSTANT_WIN' | 'REFERRAL' | 'CODE'
  firing: Firing
  /** Why, in words. */
  reason: string
}

export type SimulatedPrize = { name: string; points: number; remaining: number; chance: number }

export type SimulatedEvent = {
  at: Date
  accepted: boolean
  /** Code of the error that the event would be answered with, if any. */
  refusal: 'CAMPAIGN_NOT_ACTIVE' | 'MAX_PLAYS_EXCEEDED' | null
  pointsEarned: number
  /** The participant's total right after. */
  totalPoints: number
  /** Events of this user so far. */
  plays: number
  /** Events left to this user before this one; null for no limit. */
  playsLeft: number | null
  mechanics: SimulatedMechanic[]
  prizes: SimulatedPrize[]
}

const closed: Record<Exclude<Phase, 'ACTIVE'>, string> = {
  DRAFT: 'The campaign is a draft',
  PAUSED: 'The campaign is paused',
  ENDED: 'The campaign has ended by then',
  UPCOMING: 'The campaign has not begun by then',
}

/** What keeps an event out, as `recordCampaignEvents` would find it: the error, and why in words. */
const refusalOf = (campaign: FullCampaign, plays: number, at: Date) => {
  const phase = phaseOf(campaign, at)
  if (phase !== 'ACTIVE') return { code: 'CAMPAIGN_NOT_ACTIVE' as const, reason: closed[phase] }
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
  return tiers.map(({ name, points, maxWins, wins }, i) => ({
    name,
    points,
    remaining: maxWins - wins,
    chance: chances[i] as number,
  }))
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
  if (!prizes.some(({ remaining }) => remaining > 0))
    return ['DOES_NOT_FIRE', 'Every prize is out of stock']
  return winsPerMillion === 1_000_000
    ? ['FIRES', 'Each event wins while there are prizes']
    : ['MAY_FIRE', `${winsPerMillion} of a million events win`]
}

/**
 * Says what would happen for this user and event at that time, and for each mechanic that would not
 * fire, why. By the stock and the plays of now. It writes nothing.
 * @throws TesseraError CAMPAIGN_NOT_FOUND
 */
export const simulateCampaignEvent = async (
  work: Work,
  { slug, userId, eventType, ...input }: Tenant & z.output<typeof SimulateCampaignEvent>,
): Promise<SimulatedEvent> => {
  const { partnerId, environment } = input
  const [campaign] = await findCampaigns(work, [{ partnerId, environment, slug }])
  if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const [user] = await findUsers(work, [{ partnerId, environment, externalId: userId }])
  const [participant] = user
    ? await findParticipants(work, [{ campaignId: campaign.id, userId: user.id }])
    : []
  const at = input.at ?? work.clock()
  const plays = participant?.plays ?? 0
  const refusal = refusalOf(campaign, plays, at)
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
    at,
    accepted: !refusal,
    refusal: refusal?.code ?? null,
    pointsEarned: points,
    totalPoints: Number(participant?.totalPoints ?? 0) + points,
    plays,
    playsLeft:
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
    prizes: refusal ? prizes.map((prize) => ({ ...prize, chance: 0 })) : prizes,
  }
}
