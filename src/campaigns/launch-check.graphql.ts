import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { LaunchIssueRef } from '../kit/schema/launch-issue.ts'
import { query } from '../kit/schema/query.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { CampaignRef } from './campaign.graphql.ts'
import type { Cost } from './campaign-cost.rules.ts'
import { CampaignChanges, checkLaunch, type LaunchCheck, type RewardCost } from './launch-check.ts'

const CostSourceRef = enumType('CampaignCostSource', 'What a campaign gives points for.', {
  EVENTS: 'Events of users, by event type.',
  PRIZES: 'Prizes of the instant win, with the points of their rewards.',
  REFERRALS: 'Referrals: the points of the referrer and the referee.',
  CODES: 'Codes that can still be redeemed.',
})

const CostRef = builder.objectRef<Cost>('CampaignCost').implement({
  description: 'The most points that a campaign can still give for one kind of thing.',
  fields: (t) => ({
    source: t.expose('source', { type: CostSourceRef, description: 'What they are given for.' }),
    pointsEach: t.expose('pointsEach', {
      type: 'SafeInt',
      description: 'The most for one: the best event, prize, referral or code.',
    }),
    pointsPerUser: t.expose('pointsPerUser', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most for one user; null for no limit.',
    }),
    pointsInAll: t.expose('pointsInAll', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most for all users, also within one day; null for no limit.',
    }),
  }),
})

const RewardCostRef = builder.objectRef<RewardCost>('CampaignRewardCost').implement({
  description: 'How often the prizes of a campaign can still give a reward.',
  fields: (t) => ({
    reward: t.field({
      type: RewardRef,
      description: 'The reward that the prizes give.',
      resolve: ({ reward }) => reward as never,
    }),
    maxCount: t.expose('maxCount', {
      type: 'SafeInt',
      description: 'The number of prizes in stock that give it, also beyond its own stock.',
    }),
  }),
})

const LaunchCheckRef = builder.objectRef<LaunchCheck>('CampaignLaunchCheck').implement({
  description:
    'What a campaign means once it runs: the most it can cost, and what speaks against it.',
  fields: (t) => ({
    issues: t.expose('issues', {
      type: [LaunchIssueRef],
      description: 'What to know before it runs; empty if all is well.',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when it accepts events; null for as soon as it is started.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when; null for no end.',
    }),
    creditsWallet: t.exposeBoolean('creditsWallet', {
      description: 'Whether its points can be spent: they are also credited to the wallet.',
    }),
    costs: t.expose('costs', {
      type: [CostRef],
      description: 'The most points that it can still give, by what for.',
    }),
    pointsPerUser: t.expose('pointsPerUser', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most points for one user; null for no limit.',
    }),
    pointsInAll: t.expose('pointsInAll', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most points for all users; null for no limit.',
    }),
    prizePointsPerEvent: t.exposeFloat('prizePointsPerEvent', {
      description: 'The points of prizes that an event wins on average, with the stock left.',
    }),
    rewards: t.expose('rewards', {
      type: [RewardCostRef],
      description: 'The rewards of its prizes in stock.',
    }),
  }),
})

query([CampaignRef, 'launchCheck'], {
  description:
    'What the campaign means once it runs, or with changes that are not saved yet: the most it can cost, and what speaks against it. Writes nothing.',
  args: z.object({
    changes: CampaignChanges.nullish().describe('The changes; none by default.'),
  }),
  type: LaunchCheckRef,
  needsRead: true,
  resolve: ({ changes }, ctx, _, campaign) => checkLaunch(ctx, campaign, changes ?? {}),
})
