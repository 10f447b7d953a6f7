/** What starting or changing a campaign would mean: the most it can cost, and what speaks against it. */
import type { z } from 'zod'
import type { Reward } from '../generated/prisma/client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import type { LaunchIssue } from '../kit/schema/launch-issue.ts'
import { tenantOf } from '../kit/tenant.ts'
import { findRewards, findRewardsBy } from '../programme/reward.ts'
import type { FullCampaign } from './campaign.ts'
import {
  type Cost,
  costsOf,
  type PricedCampaign,
  prizePointsOf,
  totalOf,
} from './campaign-cost.rules.ts'
import { UpdateCampaign } from './campaign-input.ts'
import { readCodeStats } from './code-batch.ts'

export const CampaignChanges = UpdateCampaign.omit({ campaign: true })
  .meta({ graphql: 'CampaignChangesInput' })
  .describe('Changes that are not saved. Omitted fields are unchanged.')

export type CampaignChanges = z.output<typeof CampaignChanges>

/** How often a reward can still be given by the prizes of a campaign. */
export type RewardCost = { reward: Reward; maxCount: number }

export type LaunchCheck = {
  issues: LaunchIssue[]
  startsAt: Date | null
  endsAt: Date | null
  creditsWallet: boolean
  costs: Cost[]
  pointsPerUser: number | null
  pointsInAll: number | null
  prizePointsPerEvent: number
  rewards: RewardCost[]
}

type Reading = Pick<Runtime, 'readAll' | 'clock'>

type Tier = { name: string; points: number; weight: number; left: number; reward: Reward | null }

/** The prizes, of the changes if they name some. A prize is identified by its name and keeps its wins. */
const tiersOf = (
  runtime: Reading,
  campaign: FullCampaign,
  { instantWinRules }: CampaignChanges,
): Promise<Tier[]> => {
  const wins = new Map(campaign.tiers.map(({ name, wins }) => [name, wins]))
  const tiers = instantWinRules
    ? instantWinRules.prizeTiers.map((tier) => ({
        ...tier,
        weight: tier.weight ?? 1,
        reward: tier.reward
          ? load(runtime, findRewardsBy, { ...tenantOf(campaign), reward: tier.reward })
          : null,
      }))
    : campaign.tiers.map((tier) => ({
        ...tier,
        reward: tier.rewardId ? load(runtime, findRewards, tier.rewardId) : null,
      }))
  return Promise.all(
    tiers.map(async ({ name, points, weight, maxWins, reward }) => ({
      ...{ name, points, weight },
      left: Math.max(0, maxWins - (wins.get(name) ?? 0)),
      reward: (await reward) as Reward | null,
    })),
  )
}

/** A value of the changes, unless they leave it as it is. */
const changed = <T>(given: T | undefined, is: T): T => (given === undefined ? is : given)

const million = 1_000_000

const winsPerMillionOf = (campaign: FullCampaign, { instantWinRules: rules }: CampaignChanges) =>
  changed(rules && Math.round(rules.winRate * million), campaign.winsPerMillion)

const referralOf = (campaign: FullCampaign, { referralRules }: CampaignChanges) =>
  changed(
    referralRules,
    campaign.referrerReward === null
      ? null
      : {
          referrerPoints: campaign.referrerReward,
          refereePoints: campaign.refereeReward ?? 0,
        },
  )

const rewardCostsOf = (tiers: Tier[]): RewardCost[] => {
  const counts = new Map<string, RewardCost>()
  for (const { reward, left } of tiers) {
    if (!reward || left === 0) continue
    const maxCount = (counts.get(reward.id)?.maxCount ?? 0) + left
    counts.set(reward.id, { reward, maxCount })
  }
  return [...counts.values()]
}

/** What a reward has left; null for no limit. */
const stockOf = ({ stock, grantCount }: Reward) => stock && Math.max(0, stock - grantCount)

const warning = (code: LaunchIssue['code'], message: string): LaunchIssue => ({
  severity: 'WARNING',
  code,
  message,
})

const rewardIssues = ({ reward, maxCount }: RewardCost): LaunchIssue[] => {
  if (reward.archivedAt)
    return [warning('REWARD_ARCHIVED', `The reward ${reward.name} is archived: it is not given.`)]
  const left = stockOf(reward)
  if (left === null || left >= maxCount) return []
  return [
    warning(
      'REWARD_RUNS_OUT',
      `The reward ${reward.name} has ${left} in stock, but its prizes can be won ${maxCount} times.`,
    ),
  ]
}

const prizeIssues = ({ winsPerMillion, tiers }: PricedCampaign): LaunchIssue[] => {
  if (winsPerMillion === null) return []
  if (!tiers.some(({ left }) => left > 0))
    return [warning('NO_PRIZES_LEFT', 'Events may win prizes, but no prize is in stock.')]
  if (winsPerMillion > 0) return []
  return [warning('NO_WIN_CHANCE', 'There are prizes, but the chance to win is 0 %.')]
}

const noMechanics = warning(
  'NO_MECHANICS',
  'The campaign gives nothing: no event is worth points, and there are no prizes, referrals or codes.',
)

const alreadyOver: LaunchIssue = {
  severity: 'BLOCKER',
  code: 'ALREADY_OVER',
  message: 'Its end is in the past, so it would end at once.',
}

const noDescription = warning('NO_DESCRIPTION', 'Its page does not say what it is about.')

/** Checks a campaign as it is, or as it would be with changes. Writes nothing. */
export const checkLaunch = async (
  runtime: Reading,
  campaign: FullCampaign,
  changes: CampaignChanges,
): Promise<LaunchCheck> => {
  const [tiers, codes] = await Promise.all([
    tiersOf(runtime, campaign, changes),
    load(runtime, readCodeStats, { ...tenantOf(campaign), campaignId: campaign.id }),
  ])
  const priced: PricedCampaign = {
    eventPoints: (changes.eventRules ?? campaign.eventRules).map(({ points }) => points),
    maxEventsPerUser: changed(changes.maxEventsPerUser, campaign.maxPlaysPerUser),
    winsPerMillion: winsPerMillionOf(campaign, changes),
    tiers: tiers.map((tier) => ({ ...tier, rewardPoints: tier.reward?.points ?? 0 })),
    referral: referralOf(campaign, changes),
    codes: { largest: codes.largestPoints, all: codes.activePoints },
  }
  const endsAt = changed(changes.endsAt, campaign.endsAt)
  const rewards = priced.winsPerMillion ? rewardCostsOf(tiers) : []
  const costs = costsOf(priced)
  return {
    issues: [
      ...(endsAt && endsAt <= runtime.clock() ? [alreadyOver] : []),
      ...(costs.length + rewards.length === 0 ? [noMechanics] : []),
      ...prizeIssues(priced),
      ...rewards.flatMap(rewardIssues),
      ...(changed(changes.description, campaign.description) ? [] : [noDescription]),
    ],
    startsAt: changed(changes.startsAt, campaign.startsAt),
    endsAt,
    creditsWallet: changes.creditsWallet ?? campaign.creditsWallet,
    costs,
    pointsPerUser: totalOf(costs, 'pointsPerUser'),
    pointsInAll: totalOf(costs, 'pointsInAll'),
    prizePointsPerEvent: prizePointsOf(priced),
    rewards,
  }
}
