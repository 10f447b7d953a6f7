import { z } from 'zod'
import type { GoalStreak } from '../generated/prisma/client.ts'
import type { Caller, Context } from '../kit/access/context.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { wholeList } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, type UserBy, type UserKey } from '../users/end-user.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'
import { usualOfGoal } from './goal-input.ts'
import { RewardRef } from './reward.graphql.ts'
import { findRewards } from './reward.ts'
import type { StreakState, WindowStatus } from './streak.rules.ts'
import { findStreaks, type UserStreak } from './streak.ts'
import {
  endStreakPause,
  GiveStreakFreezes,
  giveStreakFreezes,
  NamedStreak,
  PauseStreak,
  pauseStreak,
  restoreStreak,
} from './streak-changes.ts'
import { type Weekday, weekdays } from './streak-input.ts'

const WeekdayRef = enumType<Weekday>('Weekday', 'A day of the week.', {
  MONDAY: 'The first day of a week.',
  TUESDAY: 'The second day of a week.',
  WEDNESDAY: 'The third day of a week.',
  THURSDAY: 'The fourth day of a week.',
  FRIDAY: 'The fifth day of a week.',
  SATURDAY: 'The sixth day of a week.',
  SUNDAY: 'The last day of a week.',
})

const StreakFreezesRef = builder.objectRef<GoalStreak>('StreakFreezes').implement({
  description: 'Freezes: each covers one window that a user misses.',
  fields: (t) => ({
    initial: t.exposeInt('initialFreezes', {
      description: 'Freezes that come with the first met window of a run.',
    }),
    max: t.exposeInt('maxFreezes', { description: 'The most that a user has at a time.' }),
    everyDays: t.exposeInt('freezeEvery', {
      nullable: true,
      description: 'Another one for each of so many met windows of a run; null for none.',
    }),
  }),
})

type Milestone = { length: number; rewardId: string }

const StreakMilestoneRef = builder.objectRef<Milestone>('StreakMilestone').implement({
  description: 'A length of a streak that gives something, once in a run.',
  fields: (t) => ({
    length: t.exposeInt('length', { description: 'The number of met windows.' }),
    reward: t.field({
      type: RewardRef,
      description: 'The reward that this length gives.',
      resolve: async ({ rewardId }, _, ctx) => (await load(ctx, findRewards, rewardId)) as never,
    }),
  }),
})

const GoalStreakRef = builder.objectRef<GoalStreak>('GoalStreak').implement({
  description: 'What makes a goal a streak: its windows are to be met one after another.',
  fields: (t) => ({
    freezes: t.field({
      type: StreakFreezesRef,
      description: 'Freezes: each covers one window that a user misses.',
      resolve: (streak) => streak,
    }),
    weekdays: t.field({
      type: [WeekdayRef],
      complexity: { multiplier: usualOfGoal },
      description: 'The weekdays that are required; all if empty.',
      resolve: (streak) =>
        Object.values(weekdays).filter((_, n) => streak.weekdays.includes(n + 1)),
    }),
    restoreDays: t.exposeInt('restoreDays', {
      description: 'Days after a break within which it can be restored.',
    }),
    atRiskHours: t.exposeInt('atRiskHours', {
      description: 'Hours before its deadline from which on a streak is at risk.',
    }),
    milestones: t.field({
      type: [StreakMilestoneRef],
      complexity: { multiplier: usualOfGoal },
      description: 'Lengths that give something, the shortest first.',
      resolve: ({ milestoneLengths, milestoneRewardIds }) =>
        milestoneLengths.map((length, n) => {
          return { length, rewardId: milestoneRewardIds[n] as string }
        }),
    }),
  }),
})

builder.objectField(GoalRef, 'streak', (t) =>
  t.field({
    type: GoalStreakRef,
    nullable: true,
    description: 'What makes it a streak; null for other goals.',
    resolve: async ({ id }, _, ctx) => (await load(ctx, findGoals, id))?.streak ?? null,
  }),
)

const StreakStateRef = enumType<StreakState>('StreakState', 'What a streak is.', {
  ALIVE: 'The present window was met, or there is time left.',
  AT_RISK: 'The present window was not met, and it ends soon.',
  FROZEN: 'A freeze covered the last window, and the present one was not met yet.',
  PAUSED: 'You paused it: nothing has to be met.',
  BROKEN: 'A window was missed, and no freeze was left.',
})

const StreakWindowStatusRef = enumType<WindowStatus>(
  'StreakWindowStatus',
  'What became of a window of a streak.',
  {
    MET: 'The goal was completed.',
    FROZEN: 'It was missed, and a freeze covered it.',
    PAUSED: 'It was not met during a pause.',
    RESTORED: 'It was missed, and you restored the streak.',
    MISSED: 'It was not met, and broke the streak or came after a break.',
    NOT_REQUIRED:
      'It was not met and did not have to be: a weekday, or a date that the user never had.',
    OPEN: 'It is the present one, and was not met yet.',
  },
)

const StreakWindowRef = builder
  .objectRef<UserStreak['streak']['history'][number]>('StreakWindow')
  .implement({
    description: 'A window of a streak.',
    fields: (t) => ({
      windowStart: t.exposeString('window', {
        description: 'Its first date, in the time zone of the user.',
      }),
      status: t.expose('status', {
        type: StreakWindowStatusRef,
        description: 'What became of it.',
      }),
    }),
  })

export const StreakRef = builder.objectRef<UserStreak>('Streak').implement({
  description: 'How many windows of a goal a user has met one after another.',
  fields: (t) => ({
    goal: t.field({
      type: GoalRef,
      description: 'The goal whose windows are met.',
      resolve: ({ goal }) => goal,
    }),
    length: t.int({
      description: 'Met windows of the present run; 0 if it is broken.',
      resolve: ({ streak }) => streak.length,
    }),
    longest: t.int({
      description: 'Met windows of the longest run.',
      resolve: ({ streak }) => streak.longest,
    }),
    state: t.expose('state', {
      type: StreakStateRef,
      nullable: true,
      description: 'What it is now; null before the first met window.',
    }),
    deadline: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The end of the window that has to be met next; null if it is broken, or paused without an end.',
      resolve: ({ deadline }) => deadline?.endsAt ?? null,
    }),
    freezes: t.int({
      description: 'Freezes that the user has.',
      resolve: ({ streak }) => streak.freezes,
    }),
    brokenOn: t.string({
      nullable: true,
      description:
        'The first date of the window that broke the last run, in the time zone of the user; null for none.',
      resolve: ({ streak }) => streak.brokenOn,
    }),
  }),
})

query([StreakRef, 'history'], {
  description: 'What became of the last windows, the present one last.',
  key: 'public',
  right: null,
  args: z.object({
    last: integer(1, 62).nullish().describe('How many windows, at most 62. Defaults to 7.'),
  }),
  type: [StreakWindowRef],
  resolve: ({ last }, _ctx, _caller, { streak }) => streak.history.slice(-(last ?? 7)),
})

/** All streaks of users, in one statement. */
export const readStreaksOf = (work: Work, userIds: UserId[]): Promise<UserStreak[][]> =>
  findStreaks(
    work,
    userIds.map((userId) => ({ userId })),
  )

/** Whether a caller may see a streak: one that is secret only once it has begun. */
const isShown = ({ goal, streak }: UserStreak, ctx: Pick<Context, 'callers'>) =>
  !goal.isSecret || streak.longest > 0 || isTrusted(ctx)

list([UserRef, 'streaks'], {
  description:
    'The streaks of goals that have started, by the position of the goal, and of those that ended in the last 30 days. A goal that is secret is left out for public keys until it was met once.',
  key: 'public',
  of: StreakRef,
  from: async ({ parent: user, ctx }) => {
    const streaks = await load(ctx, readStreaksOf, user.id as UserId)
    return wholeList(
      streaks.filter((streak) => isShown(streak, ctx)),
      ({ goal }) => [goal.position, goal.id],
    )
  },
})

const errors = ['USER_NOT_FOUND', 'GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT'] as const
const payload = { streak: StreakRef, user: UserRef }

/** The user of a call, by the key that locks it. */
const keyOf = async (ctx: Context, caller: Caller, user: UserBy): Promise<UserKey> => ({
  ...tenantOf(caller),
  externalId: await externalIdOf(ctx, caller, user),
})

mutation('giveStreakFreezes', {
  description: 'Gives a user freezes, which cover missed windows from today on.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: GiveStreakFreezes,
  payload,
  errors: [...errors],
  resolve: async ({ user, ...input }, ctx, caller) =>
    giveStreakFreezes(ctx, { ...input, ...(await keyOf(ctx, caller, user)) }),
})

mutation('pauseStreak', {
  description:
    'Pauses the streak of a user from today on: nothing has to be met. What is met counts.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: PauseStreak,
  payload,
  errors: [...errors, 'STREAK_PAUSED'],
  resolve: async ({ user, ...input }, ctx, caller) =>
    pauseStreak(ctx, { ...input, ...(await keyOf(ctx, caller, user)) }),
})

mutation('endStreakPause', {
  description: 'Ends the pause of a streak: today has to be met.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: NamedStreak,
  payload,
  errors: [...errors, 'STREAK_NOT_PAUSED'],
  resolve: async ({ user, goal }, ctx, caller) =>
    endStreakPause(ctx, { goal, ...(await keyOf(ctx, caller, user)) }),
})

mutation('restoreStreak', {
  description:
    'Lets a broken streak go on with its length, within `restoreDays` of the break. Windows that were missed since add nothing. Emits `streak.restored`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: NamedStreak,
  payload,
  errors: [...errors, 'STREAK_NOT_BROKEN'],
  resolve: async ({ user, goal }, ctx, caller) =>
    restoreStreak(ctx, { goal, ...(await keyOf(ctx, caller, user)) }),
})
