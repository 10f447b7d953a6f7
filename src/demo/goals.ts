/** The goals of the demo partner: a daily mission, a stamp card, a referral step, and five badges. */
import type { z } from 'zod'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { createGoal, startGoal } from '../programme/goal.ts'
import type { CreateGoal } from '../programme/goal-input.ts'
import { createReward } from '../programme/reward.ts'

const badges = {
  newcomer: 'You have begun.',
  regular: 'Seven days in a month.',
  'lucky-hand': 'Ten games won.',
  collector: 'Two thousand points earned.',
  ambassador: 'Three friends brought along.',
}

type DemoGoal = z.output<typeof CreateGoal>

const badgeGoal = (
  badge: keyof typeof badges,
  goal: Omit<DemoGoal, 'slug' | 'repeat' | 'rewards'>,
): DemoGoal => ({
  slug: badge,
  description: badges[badge],
  category: 'badges',
  repeat: 'ONCE',
  rewards: [{ name: badge }],
  countFrom: 'EVER',
  ...goal,
})

const goals: DemoGoal[] = [
  {
    slug: 'daily-mission',
    name: 'Daily mission',
    description: 'Look in, and play twice.',
    category: 'missions',
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    countFrom: 'START_OF_WINDOW',
    tasks: [
      {
        name: 'Look in today',
        target: 1,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['daily_login'] },
      },
      { name: 'Play twice', target: 2, measure: { facts: ['GAME_PLAYED'] } },
    ],
    rewards: [{ name: 'daily-bonus' }],
    claim: 'BY_USER',
    claimDays: 2,
  },
  {
    slug: 'stamp-card',
    name: 'Stamp card',
    description: 'A stamp for each purchase. The tenth is on us.',
    category: 'missions',
    position: 1,
    window: 'EVER',
    repeat: 'UNLIMITED',
    countFrom: 'EVER',
    tasks: [
      {
        name: 'Purchases',
        target: 10,
        measure: { facts: ['POINTS_AWARDED', 'CAMPAIGN_EVENT'], eventTypes: ['purchase'] },
      },
    ],
    rewards: [{ name: 'full-card' }],
    claim: 'BY_USER',
  },
  badgeGoal('newcomer', {
    name: 'First steps',
    position: 2,
    window: 'EVER',
    tasks: [{ target: 1, measure: { facts: ['POINTS_AWARDED'] } }],
  }),
  badgeGoal('regular', {
    name: 'Regular guest',
    position: 3,
    window: 'MONTH',
    tasks: [
      {
        name: 'Days with a login',
        target: 7,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['daily_login'], of: 'DAYS' },
      },
    ],
  }),
  badgeGoal('lucky-hand', {
    name: 'Lucky hand',
    position: 4,
    window: 'EVER',
    tasks: [{ name: 'Wins', target: 10, measure: { facts: ['GAME_WON'] } }],
  }),
  badgeGoal('collector', {
    name: 'Collector',
    position: 5,
    window: 'EVER',
    tasks: [
      { name: 'Points earned', target: 2000, measure: { facts: ['POINTS_AWARDED'], of: 'POINTS' } },
    ],
  }),
  badgeGoal('ambassador', {
    name: 'Bring your friends',
    position: 6,
    category: 'missions',
    window: 'EVER',
    tasks: [
      {
        name: 'Friends',
        target: 3,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['referral'] },
      },
    ],
    requires: [{ slug: 'newcomer' }],
  }),
]

/** Creates the rewards, and starts the goals. They count what was before, too. */
export const seedGoals = async (work: Work, tenant: Tenant): Promise<void> => {
  const points = { kind: 'POINTS' as const }
  await createReward(work, { ...tenant, ...points, name: 'daily-bonus', points: 20 })
  await createReward(work, { ...tenant, ...points, name: 'full-card', points: 200 })
  for (const [name, description] of Object.entries(badges))
    await createReward(work, { ...tenant, kind: 'BADGE', name, description })
  for (const goal of goals) {
    await createGoal(work, { ...tenant, ...goal })
    await startGoal(work, { ...tenant, goal: { slug: goal.slug } })
  }
}
