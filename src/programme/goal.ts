/** Goals: what partners configure, and what becomes of it. */
import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import type { Goal, GoalStreak, GoalTask, Prisma } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { lockName, notifyNodes } from '../kit/database/session.sql.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { countAgain } from './counter.sql.ts'
import { closeMeasures, countMeasures, endGoals, lockGoal, openMeasures } from './goal.sql.ts'
import {
  type CloneGoal,
  type CreateGoal,
  faultsOfPlan,
  frozenFields,
  type GoalBy,
  type NamedGoal,
  type NewTask,
  type UpdateGoal,
} from './goal-input.ts'
import { checkReferences, idsOfGoals, idsOfRewards, rowOfStreak } from './goal-references.ts'
import { limitOf, rowOfGoal, rowOfTask } from './goal-row.ts'

export type FullGoal = Goal & { tasks: GoalTask[]; streak: GoalStreak | null }

const include = { tasks: { orderBy: { position: 'asc' } }, streak: true } as const

/** The goal that a caller names, or null. */
export const findGoal = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  by: GoalBy,
): Promise<FullGoal | null> => ofTenant(tx, tenant).goal.findFirst({ where: by, include })

/** Reads goals by their ids, in one statement. */
export const findGoals = async ({ tx }: Work, ids: string[]): Promise<(FullGoal | null)[]> =>
  inOrder(
    ids,
    await acrossTenants(tx, 'IDS').goal.findMany({ where: { id: { in: ids } }, include }),
  )

/** Reads the tasks of goals, in their order, in one statement. */
export const findTasks = async ({ tx }: Work, goalIds: string[]): Promise<GoalTask[][]> => {
  const found = await acrossTenants(tx, 'IDS').goalTask.findMany({
    where: { goalId: { in: goalIds } },
    orderBy: { position: 'asc' },
  })
  return goalIds.map((id) => found.filter(({ goalId }) => goalId === id))
}

/**
 * Creates a draft.
 * @throws TesseraError GOAL_SLUG_TAKEN, REWARD_NOT_FOUND, REWARD_ARCHIVED, GOAL_NOT_FOUND and SEGMENT_NOT_FOUND for what it
 * refers to, VALIDATION_FAILED
 */
export const createGoal = (
  work: Work,
  { partnerId, environment, ...goal }: Tenant & z.output<typeof CreateGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const tenant = { partnerId, environment }
    const { tasks, rewards, requires, streak, ...plan } = goal
    const rewardIds = await idsOfRewards(txWork, tenant, rewards ?? [])
    const row = streak && (await rowOfStreak(txWork, tenant, streak))
    const values = [...rewardIds, ...(row?.milestoneRewardIds ?? [])]
    await checkReferences(txWork, tenant, { ...plan, rewardIds: values, tasks })
    const refersTo = { rewardIds, requires: await idsOfGoals(txWork, tenant, requires ?? []) }
    return ofTenant(txWork.tx, tenant)
      .goal.create({
        data: {
          ...rowOfGoal(plan, refersTo, txWork.clock()),
          tasks: { create: tasks.map((task, n) => ({ ...tenant, ...rowOfTask(task, n) })) },
          ...(row && { streak: { create: { ...tenant, ...row } } }),
        },
        include,
      })
      .catch(refuseDuplicateKey('GOAL_SLUG_TAKEN', 'slug', goal.slug)) as Promise<FullGoal>
  })

const conflict = ({ status, updatedAt }: Goal): TesseraError =>
  new TesseraError('GOAL_STATUS_CONFLICT', { status, since: updatedAt })

/** The goal that a caller names, which is locked. */
const lockNamed = async (work: Transaction, tenant: Tenant, by: GoalBy): Promise<FullGoal> => {
  const found = await findGoal(work, tenant, by)
  const [locked] = found ? await lockGoal(work.tx, found.id) : []
  const goal = locked && (await findGoal(work, tenant, { id: locked.id }))
  if (!goal) throw new TesseraError('GOAL_NOT_FOUND')
  return goal
}

/** Writes changes to a goal of its owner. With `updatedAt` there is always something to write, so that each counts a version. */
const write = async (
  { tx, clock }: Transaction,
  goal: Goal,
  data: Prisma.GoalUncheckedUpdateInput,
): Promise<FullGoal> =>
  ofTenant(tx, goal).goal.update({
    where: { id: goal.id },
    data: { name: goal.name, ...data, updatedAt: clock() },
    include,
  }) as Promise<FullGoal>

/** The columns that an update sets. Null clears those that can be null, and is as if omitted for the others. */
const changesOf = (
  { tasks: _, streak: _s, ...given }: Partial<z.output<typeof UpdateGoal>>,
  goal: Goal,
): Prisma.GoalUncheckedUpdateInput => {
  const { rewards: _r, requires: _q, goal: _g, ...columns } = given
  const clearable = new Set(
    'description imageUrl category startsAt endsAt maxCompletions timeLimitHours segmentId claimDays recommendationType'.split(
      ' ',
    ),
  )
  const set = Object.fromEntries(
    Object.entries(columns).filter(
      ([name, value]) => value !== undefined && (value !== null || clearable.has(name)),
    ),
  )
  const next = { ...goal, ...set }
  // The limit of a goal that was to be completed once is not one of the owner.
  const isLimited = 'maxCompletions' in set || next.repeat === goal.repeat
  return {
    ...set,
    window: next.joinMode === 'OPT_IN' ? 'JOIN' : next.window,
    maxCompletions: limitOf(next.repeat, isLimited ? next.maxCompletions : null),
  }
}

/** Replaces the tasks of a draft, and what makes it a streak, if they are given. Null ends the streak. */
const replaceParts = async (
  { tx }: Transaction,
  { id: goalId, ...goal }: Goal,
  {
    tasks,
    streak,
  }: {
    tasks: NewTask[] | null | undefined
    streak:
      | Omit<GoalStreak, keyof Tenant | 'goalId' | 'dueAfterUserId' | 'dueBarrier'>
      | null
      | undefined
  },
): Promise<void> => {
  const { goalTask, goalStreak } = ofTenant(tx, goal)
  if (tasks) {
    await goalTask.deleteMany({ where: { goalId } })
    await goalTask.createMany({
      data: tasks.map((task, n) => ({ goalId, ...rowOfTask(task, n) })),
    })
  }
  if (streak !== undefined) await goalStreak.deleteMany({ where: { goalId } })
  if (streak) await goalStreak.createMany({ data: { goalId, ...streak } })
}

/**
 * Changes a goal. One that has started keeps what it counts and how often it can be completed.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_SLUG_TAKEN, REWARD_NOT_FOUND, REWARD_ARCHIVED, SEGMENT_NOT_FOUND,
 * VALIDATION_FAILED, GOAL_STATUS_CONFLICT for one that has ended
 */
export const updateGoal = (
  work: Work,
  { partnerId, environment, goal: by, ...given }: Tenant & z.output<typeof UpdateGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const tenant = { partnerId, environment }
    const goal = await lockNamed(txWork, tenant, by)
    if (goal.status === 'ENDED') throw conflict(goal)
    const isDraft = goal.status === 'DRAFT'
    const frozen = frozenFields.find((name) => given[name as keyof typeof given] !== undefined)
    if (!isDraft && frozen)
      throw refused(frozen, 'must not change once the goal has started; clone it and end this one')
    const isNewEnd =
      given.endsAt !== undefined && given.endsAt?.getTime() !== goal.endsAt?.getTime()
    if (isNewEnd && given.endsAt && !isDraft && given.endsAt <= clock())
      throw refused('endsAt', 'must be in the future')
    const set = changesOf(given, goal)
    const changed = { ...goal, ...set } as Goal
    const streak = given.streak === undefined ? goal.streak : given.streak
    const [fault] = faultsOfPlan({
      ...changed,
      streak,
      maxCompletions:
        changed.repeat === 'UNLIMITED' ? changed.maxCompletions : given.maxCompletions,
    })
    if (fault) throw refused(...fault)
    const rewardIds = given.rewards
      ? await idsOfRewards(txWork, tenant, given.rewards)
      : goal.rewardIds
    const row = given.streak && (await rowOfStreak(txWork, tenant, given.streak))
    const ofStreak = given.streak === undefined ? goal.streak : row
    const values = [...rewardIds, ...(ofStreak?.milestoneRewardIds ?? [])]
    await checkReferences(txWork, tenant, {
      ...changed,
      rewardIds: values,
      tasks: given.tasks ?? null,
    })
    const requires = given.requires && (await idsOfGoals(txWork, tenant, given.requires))
    if (requires?.includes(goal.id)) throw refused('requires', 'must not have the goal itself')
    await replaceParts(txWork, goal, { tasks: given.tasks, streak: given.streak && row })
    const updated = await write(txWork, goal, {
      ...set,
      rewardIds,
      ...(requires && { requires }),
    }).catch(refuseDuplicateKey('GOAL_SLUG_TAKEN', 'slug', given.slug ?? goal.slug))
    // The end decides what counts, and the segment who is looked at again.
    if (!isDraft && (isNewEnd || updated.segmentId !== goal.segmentId))
      await countAgain(tx, [goal.id])
    return (await findGoal(txWork, tenant, { id: goal.id })) as FullGoal
  })

/** The most open measures of a fact and an event type of a tenant. An entry of a timeline is compared with each of them. */
const maxMeasures = 20

/**
 * Starts a draft, or continues a goal that is paused.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT, TOO_MANY_MEASURES, VALIDATION_FAILED for an end in the past
 */
export const startGoal = (
  work: Work,
  { goal: by, ...tenant }: Tenant & z.output<typeof NamedGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const { partnerId, environment } = tenantOf(tenant)
    await lockName(tx, `measures ${partnerId} ${environment}`)
    const goal = await lockNamed(txWork, { partnerId, environment }, by)
    if (goal.status === 'PAUSED') {
      // Its marks have waited: nothing else wakes the decider before its job.
      await notifyNodes(tx, 'goal')
      return write(txWork, goal, { status: 'ACTIVE' })
    }
    if (goal.status !== 'DRAFT') throw conflict(goal)
    const now = clock()
    const startedAt = goal.startsAt && goal.startsAt > now ? goal.startsAt : now
    if (goal.endsAt && goal.endsAt <= startedAt) throw refused('endsAt', 'must be after the start')
    await openMeasures(tx, [goal.id])
    const [count] = await countMeasures(tx, goal)
    if (count && count.most > maxMeasures)
      throw new TesseraError('TOO_MANY_MEASURES', { limit: maxMeasures, current: count.most })
    return write(txWork, goal, { status: 'ACTIVE', startedAt, isCounting: true })
  })

/**
 * Pauses a goal: nobody joins or completes it. Counting goes on.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT
 */
export const pauseGoal = (
  work: Work,
  { goal: by, ...tenant }: Tenant & z.output<typeof NamedGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const goal = await lockNamed(txWork, tenantOf(tenant), by)
    if (goal.status !== 'ACTIVE') throw conflict(goal)
    return write(txWork, goal, { status: 'PAUSED' })
  })

/**
 * Ends a goal. What happened before still counts if it is recorded within two days, and reversals always do.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT
 */
export const endGoal = (
  work: Work,
  { goal: by, ...tenant }: Tenant & z.output<typeof NamedGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const goal = await lockNamed(txWork, tenantOf(tenant), by)
    if (goal.status !== 'ACTIVE' && goal.status !== 'PAUSED') throw conflict(goal)
    const now = txWork.clock()
    const endsAt = goal.endsAt && goal.endsAt < now ? goal.endsAt : now
    await write(txWork, goal, { status: 'ENDED', endsAt })
    // Those that did not know of the end may have counted beyond it.
    await countAgain(txWork.tx, [goal.id])
    return (await findGoal(txWork, tenantOf(tenant), { id: goal.id })) as FullGoal
  })

const withoutGoal = ({ goalId: _, dueAfterUserId: _a, dueBarrier: _b, ...streak }: GoalStreak) =>
  streak

/**
 * Makes a draft of the same kind. Its times are not copied.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_SLUG_TAKEN
 */
export const cloneGoal = (
  work: Work,
  { goal: by, slug, name, ...tenant }: Tenant & z.output<typeof CloneGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const goal = await findGoal(txWork, tenantOf(tenant), by)
    if (!goal) throw new TesseraError('GOAL_NOT_FOUND')
    const {
      tasks,
      streak,
      startedAt: _s,
      countBarrier: _b,
      countedUntil: _u,
      countedUserId: _i,
      ...copied
    } = goal
    const now = txWork.clock()
    return ofTenant(txWork.tx, tenantOf(tenant))
      .goal.create({
        data: {
          ...copied,
          id: uuid(),
          slug,
          name: name ?? goal.name,
          status: 'DRAFT',
          startsAt: null,
          endsAt: null,
          isCounting: false,
          version: 1,
          createdAt: now,
          updatedAt: now,
          ...(streak && { streak: { create: withoutGoal(streak) } }),
          tasks: {
            create: tasks.map(({ goalId: _, conditions, ...task }) => ({
              ...task,
              id: uuid(),
              conditions: conditions as Prisma.InputJsonArray,
            })),
          },
        },
        include,
      })
      .catch(refuseDuplicateKey('GOAL_SLUG_TAKEN', 'slug', slug)) as Promise<FullGoal>
  })

/**
 * Deletes a draft and returns it.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT for one that was started
 */
export const deleteGoal = (
  work: Work,
  { goal: by, ...tenant }: Tenant & z.output<typeof NamedGoal>,
): Promise<FullGoal> =>
  inTransaction(work, async (txWork) => {
    const goal = await lockNamed(txWork, tenantOf(tenant), by)
    if (goal.status !== 'DRAFT') throw conflict(goal)
    await ofTenant(txWork.tx, goal).goal.deleteMany({ where: { id: goal.id } })
    return goal
  })

/** Ends goals whose time is over, and closes the measures of those for which no fact can be recorded in time any more. */
export const endDueGoals = async ({ db, clock }: Runtime): Promise<void> => {
  await endGoals(db, clock())
  await closeMeasures(db, clock())
}
