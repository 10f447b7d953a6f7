/** Campaigns of the demo partner. */

import type { CreateCampaign } from '../campaigns/campaign-management.ts'
import { createCampaign } from '../campaigns/campaign-management.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'

export const demoCampaigns: CreateCampaign[] = [
  {
    slug: 'summer-sale',
    name: 'Summer Sale',
    description:
      'Shop, sign in, bring your friends: everything you do this summer earns points, and every tenth time a little luck comes with it.',
    status: 'ACTIVE',
    maxPlaysPerUser: 100,
    eventRules: [
      { eventType: 'purchase', points: 100 },
      { eventType: 'signup', points: 50 },
      { eventType: 'daily_login', points: 10 },
    ],
    instantWin: {
      winRate: 0.1,
      tiers: [
        { name: 'Gold', points: 1000, weight: 5, maxWins: 100 },
        { name: 'Silver', points: 250, weight: 25, maxWins: 1000 },
        { name: 'Bronze', points: 50, weight: 70, maxWins: 10_000 },
      ],
    },
    referralRules: { referrerReward: 200, refereeReward: 100 },
  },
  {
    slug: 'golden-ticket',
    name: 'Golden Ticket',
    description: 'Eight tickets, and whoever comes first wins. When they are gone, they are gone.',
    status: 'ACTIVE',
    maxPlaysPerUser: 20,
    eventRules: [{ eventType: 'purchase', points: 10 }],
    instantWin: {
      winRate: 1,
      tiers: [
        { name: 'Gold', points: 500, weight: 1, maxWins: 3 },
        { name: 'Silver', points: 100, weight: 1, maxWins: 5 },
      ],
    },
  },
  {
    slug: 'winter-archive',
    name: 'Winter Archive',
    description: 'Last winter’s campaign, for the record.',
    status: 'ENDED',
    eventRules: [{ eventType: 'purchase', points: 25 }],
  },
]

export const seedCampaigns = async (work: Work, tenant: Tenant): Promise<void> => {
  for (const campaign of demoCampaigns) await createCampaign(work, { ...tenant, ...campaign })
}
