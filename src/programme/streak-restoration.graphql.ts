import { actorOf } from '../accounts/actor.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import type { StreakRestorationStatus } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'
import { maxOutageDays, RestoreStreaks, restoreStreaks } from './streak-restoration.ts'

const StatusRef = enumType<StreakRestorationStatus>(
  'StreakRestorationStatus',
  'How far the restoration of streaks is.',
  {
    QUEUED: 'Waiting for its turn, or until the goal is continued or has counted its users.',
    RUNNING: 'Streaks are being restored.',
    COMPLETED: 'All streaks were looked at.',
  },
)

const StreakRestorationRef = builder.prismaNode('StreakRestoration', {
  description: 'The streaks of a goal that a window broke are restored, in the background.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret', 'READ'),
  fields: (t) => ({
    goal: t.field({
      type: GoalRef,
      description: 'The goal whose streaks are restored.',
      resolve: async ({ goalId }, _, ctx) => (await load(ctx, findGoals, goalId)) as never,
    }),
    brokenOn: t.string({
      description: 'The first date of the window.',
      resolve: ({ brokenOn }) => brokenOn.toISOString().slice(0, 10),
    }),
    status: t.expose('status', { type: StatusRef, description: 'How far it is.' }),
    streakCount: t.exposeInt('streakCount', {
      nullable: true,
      description:
        'Number of streaks to look at: they broke in the window or later. Null until they are counted.',
    }),
    checkedCount: t.exposeInt('checkedCount', {
      description: 'Number of these that were looked at.',
    }),
    restoredCount: t.exposeInt('restoredCount', {
      description: 'Number of streaks that were restored so far.',
    }),
    actor: t.field(actorField),
    actorId: t.id(actorIdField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When all streaks had been looked at; null before.',
    }),
  }),
})

const findRestorationsOfGoals = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'StreakRestoration', by: { id: 'uuid' }, parent: 'goal_id' },
    requested,
  )

list([GoalRef, 'streakRestorations'], {
  description: 'Restorations of all its streaks that a window broke, newest first.',
  key: 'secret',
  of: StreakRestorationRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: goal, order, ctx }) =>
    batched(
      rows(ofTenant(ctx.db, goal).streakRestoration, { where: { goalId: goal.id }, order }),
      { parentId: goal.id, order },
      (part) => load(ctx, findRestorationsOfGoals, part),
    ),
})

mutation('restoreStreaks', {
  description: `Restores all streaks of a goal that a window broke, also of users who have begun again: for an outage on your side. Runs in the background; \`Goal.streakRestorations\` shows its progress. \`restoreDays\` does not limit it, but the window must have ended at most ${maxOutageDays} days ago. Called again, it restores what broke since, and nothing twice. Emits \`streak.restored\` for each.`,
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: RestoreStreaks,
  payload: { restoration: StreakRestorationRef },
  errors: ['GOAL_NOT_FOUND', 'GOAL_STATUS_CONFLICT'],
  price: 10_000,
  resolve: async (input, ctx, caller) => ({
    restoration: await restoreStreaks(ctx, { ...actorOf(caller), ...input }),
  }),
})
