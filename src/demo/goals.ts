/** The goals of the demo partner: a daily mission, a stamp card, a referral step, five badges, and a streak. */
import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { openMeasures } from '../programme/goal.sql.ts'
import type { CreateGoal } from '../programme/goal-input.ts'
import { rowOfGoal, rowOfTask } from '../programme/goal-row.ts'

const badges = {
  'First steps': 'For your first points.',
  'Regular guest': 'For seven days in a month.',
  'Lucky hand': 'For ten games won.',
  Collector: 'For 1,000 points earned.',
  Ambassador: 'For three friends brought along.',
}

/** What rewards give, by their names, which users read. */
const rewards = [
  { name: 'Daily bonus', kind: 'POINTS', points: 20, description: 'For the mission of the day.' },
  { name: 'A full week', kind: 'POINTS', points: 70, description: 'For seven days in a row.' },
  { name: 'Full card', kind: 'POINTS', points: 200, description: 'For ten stamps.' },
  ...Object.entries(badges).map(([name, description]) => ({
    name,
    kind: 'BADGE' as const,
    description,
  })),
] as const

/** The names of required goals are slugs of goals before it. */
type DemoGoal = Omit<z.output<typeof CreateGoal>, 'rewards' | 'requires' | 'streak'> & {
  reward?: string
  requires?: string[]
  /** A length of a streak, and the reward that it gives. */
  milestone?: { length: number; reward: string }
}

/** A goal whose name is that of the badge it gives. */
const badgeGoal = (
  slug: string,
  name: keyof typeof badges,
  goal: Omit<DemoGoal, 'slug' | 'name' | 'repeat' | 'reward'>,
): DemoGoal => ({
  slug,
  name,
  category: 'badges',
  repeat: 'ONCE',
  reward: name,
  countFrom: 'EVER',
  ...goal,
})

const goals: DemoGoal[] = [
  {
    slug: 'daily-mission',
    name: 'Daily mission',
    description: 'Sign in and play twice today.',
    category: 'missions',
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    countFrom: 'START_OF_WINDOW',
    tasks: [
      {
        name: 'Sign in',
        target: 1,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['daily_login'] },
      },
      { name: 'Play twice', target: 2, measure: { facts: ['GAME_PLAYED'] } },
    ],
    reward: 'Daily bonus',
    claim: 'BY_USER',
    claimDays: 2,
  },
  {
    slug: 'stamp-card',
    name: 'Stamp card',
    description: 'Each purchase is a stamp. Ten stamps are worth 200 points.',
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
    reward: 'Full card',
    claim: 'BY_USER',
  },
  badgeGoal('first-steps', 'First steps', {
    description: 'Earn your first points.',
    position: 3,
    window: 'EVER',
    tasks: [{ target: 1, measure: { facts: ['POINTS_AWARDED'] } }],
  }),
  badgeGoal('regular-guest', 'Regular guest', {
    description: 'Sign in on seven days of a month.',
    position: 4,
    window: 'MONTH',
    tasks: [
      {
        name: 'Days',
        target: 7,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['daily_login'], of: 'DAYS' },
      },
    ],
  }),
  badgeGoal('lucky-hand', 'Lucky hand', {
    description: 'Win ten games.',
    position: 5,
    window: 'EVER',
    tasks: [{ name: 'Wins', target: 10, measure: { facts: ['GAME_WON'] } }],
  }),
  badgeGoal('collector', 'Collector', {
    description: 'Earn 1,000 points by what you do.',
    position: 6,
    window: 'EVER',
    tasks: [{ name: 'Points', target: 1000, measure: { facts: ['POINTS_AWARDED'], of: 'POINTS' } }],
  }),
  badgeGoal('bring-your-friends', 'Ambassador', {
    description: 'Bring three friends.',
    category: 'missions',
    position: 2,
    window: 'EVER',
    tasks: [
      {
        name: 'Friends',
        target: 3,
        measure: { facts: ['POINTS_AWARDED', 'REFERRAL_MADE'], eventTypes: ['referral'] },
      },
    ],
    requires: ['first-steps'],
  }),
  {
    slug: 'seven-day-streak',
    name: 'Seven-day streak',
    description: 'Sign in every day. Seven days in a row are worth 70 points.',
    category: 'streaks',
    position: 7,
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    countFrom: 'START_OF_WINDOW',
    tasks: [
      {
        name: 'Sign in',
        target: 1,
        measure: { facts: ['POINTS_AWARDED'], eventTypes: ['daily_login'] },
      },
    ],
    milestone: { length: 7, reward: 'A full week' },
  },
]

/**
 * Creates the rewards and the goals, which have started, in the transaction that creates the partner: before anything that
 * they could have to count. Five statements instead of a hundred, because each start on an empty database waits for them.
 */
export const seedGoals = async ({ tx }: Work, tenant: Tenant, startsAt: Date): Promise<void> => {
  const own = ofTenant(tx, tenant)
  const rewardIds = new Map(rewards.map(({ name }) => [name as string, uuid()]))
  await own.reward.createMany({
    data: rewards.map((reward) => ({
      ...reward,
      slug: reward.name.toLowerCase().replaceAll(' ', '-'),
      id: rewardIds.get(reward.name) as string,
      createdAt: startsAt,
      updatedAt: startsAt,
    })),
  })
  const rows = new Map<string, ReturnType<typeof rowOfGoal>>()
  for (const { tasks: _, milestone: _m, reward, requires = [], ...plan } of goals) {
    const refersTo = {
      rewardIds: reward ? [rewardIds.get(reward) as string] : [],
      requires: requires.map((slug) => rows.get(slug)?.id as string),
    }
    rows.set(plan.slug, rowOfGoal(plan, refersTo, startsAt))
  }
  const started = { status: 'ACTIVE', startedAt: startsAt } as const
  await own.goal.createMany({ data: [...rows.values()].map((row) => ({ ...row, ...started })) })
  await own.goalTask.createMany({
    data: goals.flatMap(({ slug, tasks }) =>
      tasks.map((task, n) => ({ goalId: rows.get(slug)?.id as string, ...rowOfTask(task, n) })),
    ),
  })
  await own.goalStreak.createMany({
    data: goals.flatMap(({ slug, milestone }) =>
      milestone
        ? {
            goalId: rows.get(slug)?.id as string,
            ...{ initialFreezes: 1, maxFreezes: 1, weekdays: [], restoreDays: 3, atRiskHours: 6 },
            milestoneLengths: [milestone.length],
            milestoneRewardIds: [rewardIds.get(milestone.reward) as string],
          }
        : [],
    ),
  })
  await openMeasures(
    tx,
    [...rows.values()].map(({ id }) => id),
  )
}
