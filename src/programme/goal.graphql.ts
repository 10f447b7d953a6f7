import { z } from 'zod'
import type { Goal } from '../generated/prisma/client.ts'
import { GoalStatus } from '../generated/prisma/enums.ts'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, containing, someOf } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { text, title } from '../kit/validation.ts'
import {
  cloneGoal,
  createGoal,
  deleteGoal,
  endGoal,
  findGoal,
  findGoals,
  findTasks,
  pauseGoal,
  startGoal,
  updateGoal,
} from './goal.ts'
import { CloneGoal, CreateGoal, GoalBy, NamedGoal, UpdateGoal, usualOfGoal } from './goal-input.ts'
import {
  CountFromRef,
  GoalClaimRef,
  GoalJoinModeRef,
  GoalRepeatRef,
  GoalReversalRef,
  GoalStatusRef,
  GoalTaskRef,
  GoalWindowRef,
} from './goal-words.graphql.ts'
import { RewardRef } from './reward.graphql.ts'
import { findRewards } from './reward.ts'

/** The goals that a caller may see: a public key sees active ones that are not secret. */
const visibleTo = (ctx: Pick<Context, 'callers'>) =>
  isTrusted(ctx) ? {} : { status: 'ACTIVE' as const, isSecret: false }

/** The same for a goal that was found. */
export const isVisible = (
  { status, isSecret }: Pick<Goal, 'status' | 'isSecret'>,
  ctx: Pick<Context, 'callers'>,
): boolean => isTrusted(ctx) || (status === 'ACTIVE' && !isSecret)

const moment = (description: string) => ({ type: 'DateTime', nullable: true, description }) as const

export const GoalRef = builder.prismaNode('Goal', {
  description:
    'What users are to reach: one to eight numbers. It is completed once for each multiple of the targets, up to `maxCompletions`.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({
    id,
    ...tenantOf(requireCaller(ctx, 'public')),
    ...visibleTo(ctx),
  }),
  // Long: one type.
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'What its partner calls it. Unique.' }),
    name: t.exposeString('name', { description: 'The name that users read.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What users read about it.',
    }),
    imageUrl: t.exposeString('imageUrl', { nullable: true }),
    category: t.exposeString('category', { nullable: true, description: 'For your own use.' }),
    position: t.exposeInt('position', { description: 'Goals are shown in this order.' }),
    status: t.expose('status', { type: GoalStatusRef, description: 'How far it is.' }),
    startsAt: t.expose('startsAt', moment('When it is to start; null for when it is started.')),
    startedAt: t.expose(
      'startedAt',
      moment('When it started, or will: later than the call if `startsAt` is. Null for a draft.'),
    ),
    endsAt: t.expose('endsAt', moment('When it ends or ended; null for never.')),
    tasks: t.field({
      type: [GoalTaskRef],
      description: 'One to eight numbers to reach, all of them.',
      complexity: { multiplier: usualOfGoal },
      resolve: ({ id }, _, ctx) => load(ctx, findTasks, id),
    }),
    window: t.expose('window', { type: GoalWindowRef, description: 'What is counted together.' }),
    repeat: t.expose('repeat', {
      type: GoalRepeatRef,
      description: 'How often a user can complete it.',
    }),
    maxCompletions: t.exposeInt('maxCompletions', {
      nullable: true,
      description: 'The most completions of a user in a window; null for no limit.',
    }),
    joinMode: t.expose('joinMode', { type: GoalJoinModeRef, description: 'How users take part.' }),
    timeLimitHours: t.exposeInt('timeLimitHours', {
      nullable: true,
      description: 'Hours from joining within which it is to be completed; null for no limit.',
    }),
    isSecret: t.exposeBoolean('isSecret', {
      description: 'Whether it is shown only to users who have completed it.',
    }),
    claim: t.expose('claim', { type: GoalClaimRef, description: 'How users get rewards.' }),
    claimDays: t.exposeInt('claimDays', {
      nullable: true,
      description: 'Days within which a reward is to be claimed; null for no limit.',
    }),
    holdDays: t.exposeInt('holdDays', { description: 'Days for which rewards are held.' }),
    onReversal: t.expose('onReversal', {
      type: GoalReversalRef,
      description: 'What becomes of rewards when a reversal takes back what completed it.',
    }),
    countFrom: t.expose('countFrom', {
      type: CountFromRef,
      description: 'The first facts that count.',
    }),
    rewards: t.field({
      type: [RewardRef],
      description: 'What later completions give. Each keeps the rewards of its moment.',
      complexity: { multiplier: usualOfGoal },
      resolve: async ({ rewardIds }, _, ctx) =>
        (await Promise.all(rewardIds.map((id) => load(ctx, findRewards, id)))) as never,
    }),
    isCounting: t.exposeBoolean('isCounting', {
      description:
        'Whether users are still being counted from their timelines. Until then it completes nothing.',
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

versioned(GoalRef)

builder.objectField(GoalRef, 'requires', (t) =>
  t.field({
    type: [GoalRef],
    description: 'Goals that a user must have completed. A public key sees those that it may.',
    complexity: { multiplier: usualOfGoal },
    resolve: async ({ requires }, _, ctx) => {
      const goals = await Promise.all(requires.map((id) => load(ctx, findGoals, id)))
      return goals.filter((goal) => goal !== null && isVisible(goal, ctx)) as never
    },
  }),
)

const GoalFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe('Only goals whose slug, name or description contains this; case-insensitive.'),
    statuses: someOf('GoalStatus', GoalStatus).nullish().describe('Only goals of these statuses.'),
    categories: z
      .array(text(100))
      .max(100, 'must be at most 100 categories')
      .nullish()
      .describe('Only goals of these categories, at most 100.'),
  })
  .describe('Conditions on goals; all that are given must hold.')

list('goals', {
  description: 'The goals. A public key sees active ones that are not secret.',
  key: 'public',
  of: GoalRef,
  filter: GoalFilter,
  orders: {
    POSITION: {
      by: ['position', 'id'],
      description: 'By `position`, and among equals by time of creation.',
    },
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
  },
  orderName: 'PositionOrCreatedAt',
  order: ['POSITION', 'ASC'],
  from: ({ caller, filter: { search, statuses, categories }, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).goal, {
      where: {
        ...containing(search, ['slug', 'name', 'description']),
        AND: [among({ status: statuses, category: categories }), visibleTo(ctx)],
      },
      order,
    }),
})

query('goal', {
  description: 'A goal; null if not found. A public key finds active ones that are not secret.',
  key: 'public',
  args: z.object({ by: GoalBy }),
  type: GoalRef,
  nullable: true,
  resolve: async ({ by }, ctx, caller) => {
    const goal = await findGoal(ctx, caller, by)
    return goal && isVisible(goal, ctx) ? goal : null
  },
})

const references = [
  'GOAL_NOT_FOUND',
  'GOAL_SLUG_TAKEN',
  'REWARD_NOT_FOUND',
  'REWARD_ARCHIVED',
  'SEGMENT_NOT_FOUND',
] as const

mutation('createGoal', {
  description: 'Creates a goal, as a draft.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: CreateGoal,
  payload: { goal: GoalRef },
  errors: [...references],
  resolve: async (input, ctx) => ({ goal: await createGoal(ctx, input) }),
})

mutation('updateGoal', {
  description:
    'Changes a goal. Once it has started, what it counts and how often it can be completed does not change: clone it, and end the old one.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: UpdateGoal,
  isVersioned: true,
  payload: { goal: GoalRef },
  errors: [...references, 'GOAL_STATUS_CONFLICT'],
  resolve: async (input, ctx) => ({ goal: await updateGoal(ctx, input) }),
})

mutation('startGoal', {
  description:
    'Starts a draft: users are counted first, as `isCounting` says. Or continues a goal that is paused: what was reached meanwhile is completed at once.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: NamedGoal,
  isVersioned: true,
  payload: { goal: GoalRef },
  errors: ['GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT', 'TOO_MANY_MEASURES'],
  resolve: async (input, ctx) => ({ goal: await startGoal(ctx, input) }),
})

mutation('pauseGoal', {
  description: 'Pauses a goal: nobody joins or completes it. Counting goes on.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: NamedGoal,
  isVersioned: true,
  payload: { goal: GoalRef },
  errors: ['GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT'],
  resolve: async (input, ctx) => ({ goal: await pauseGoal(ctx, input) }),
})

mutation('endGoal', {
  description:
    'Ends a goal. What happened before still counts if it is recorded within two days, and reversals always do.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: NamedGoal,
  isVersioned: true,
  payload: { goal: GoalRef },
  errors: ['GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT'],
  resolve: async (input, ctx) => ({ goal: await endGoal(ctx, input) }),
})

mutation('cloneGoal', {
  description: 'Makes a draft of the same kind. Its times are not copied.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: CloneGoal,
  payload: { goal: GoalRef },
  errors: ['GOAL_NOT_FOUND', 'GOAL_SLUG_TAKEN'],
  resolve: async (input, ctx) => ({ goal: await cloneGoal(ctx, input) }),
})

mutation('deleteGoal', {
  description: 'Deletes a draft.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: NamedGoal,
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted goal.' },
    goal: { type: GoalRef, description: 'The deleted goal, as it was last.' },
  },
  errors: ['GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT'],
  resolve: async (input, ctx) => {
    const goal = await deleteGoal(ctx, input)
    return { deletedId: encodeNodeId('Goal', goal.id), goal }
  },
})
