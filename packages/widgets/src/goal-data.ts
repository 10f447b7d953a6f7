/** Goals, rewards and grants as the API sends them, and what widgets make of them. */
import {
  claimGrantMutation,
  goalsQuery,
  grantsQuery,
  joinGoalMutation,
  publicGoalsQuery,
} from './documents.ts'
import type { Wallet } from './plays.ts'
import type { Problem } from './problem.ts'
import { payloadOf, type Result, type Session } from './session.ts'
import type { Followed } from './user-state.ts'

export type GivenReward = {
  uuid: string
  name: string
  description: string | null
  imageUrl: string | null
  kind: string
  points: number | null
}

type GoalState = 'LOCKED' | 'AVAILABLE' | 'IN_PROGRESS' | 'COMPLETED' | 'MISSED'

type Goal = {
  slug: string
  name: string
  description: string | null
  imageUrl: string | null
  status: string
  startedAt: string | null
  tasks: { name: string | null; target: number; measure: { facts: string[]; of: string } }[]
  rewards: GivenReward[]
}

export type Task = {
  name: string | null
  target: number
  /** From 0 to 1: the way to the next completion. */
  rate: number
  /** What is added up, such as `COUNT` or `POINTS`. */
  of: string
}

export type UserGoal = {
  goal: Omit<Goal, 'tasks'> & { fact: string }
  state: GoalState
  nextAction: 'NONE' | 'JOIN' | 'CLAIM' | 'WAIT'
  tasks: Task[]
  endsAt: string | null
  nextWindowAt: string | null
  completionCount: number
  isCounting: boolean
  /** Null if it is for all users, and for visitors. */
  isInSegment: boolean | null
  requires: { isMet: boolean; goal: { name: string } }[]
}

export type Grant = {
  uuid: string
  points: number | null
  status: string
  needsClaim: boolean
  /** When it is given, or can be claimed; null unless it is kept back first. */
  heldUntil: string | null
  claimExpiresAt: string | null
  issuedAt: string | null
  reward: GivenReward
  /** What gave it; null if it was given by a call. */
  goalCompletion: { goal: { slug: string } } | null
}

type Sent = Omit<UserGoal, 'goal' | 'tasks'> & {
  goal: Goal
  tasks: { name: string | null; target: number; rate: number }[]
}

/** What changes of a goal. */
export type GoalChange = Omit<UserGoal, 'goal' | 'tasks'> & {
  goal: Pick<Goal, 'slug' | 'status'> & { category: string | null }
  tasks: { rate: number }[]
}

/** What changes of a grant. */
export type GrantChange = Pick<
  Grant,
  'uuid' | 'status' | 'heldUntil' | 'claimExpiresAt' | 'issuedAt'
>

const userGoalOf = ({ goal: { tasks, ...goal }, ...sent }: Sent): UserGoal => ({
  ...sent,
  goal: { ...goal, fact: tasks[0]?.measure.facts[0] ?? 'ACTIVITY' },
  // The tasks of a user are those of the goal, in the same order.
  tasks: sent.tasks.map(({ name, target, rate }, i) => {
    const isOver = sent.state === 'COMPLETED'
    return { name, target, rate: isOver ? 1 : rate, of: tasks[i]?.measure.of ?? 'COUNT' }
  }),
})

/** A goal as it is for somebody who has not begun. */
const notBegun = (goal: Goal & { endsAt: string | null }): Sent => ({
  goal,
  state: Date.parse(goal.startedAt ?? '') > Date.now() ? 'LOCKED' : 'AVAILABLE',
  nextAction: 'NONE',
  tasks: goal.tasks.map(({ name, target }) => ({ name, target, rate: 0 })),
  endsAt: goal.endsAt,
  nextWindowAt: null,
  completionCount: 0,
  isCounting: false,
  isInSegment: null,
  requires: [],
})

/** The most pages of a list that are read. */
const maxPages = 10

/** A list of the user, page by page; null if the API does not know the user. */
const readAll = async <N>(
  session: Session,
  document: string,
  variables: Record<string, unknown>,
): Promise<N[] | null> => {
  type Page = { nodes: N[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }
  const externalId = await session.userId()
  const found: N[] = []
  let after: string | null = null
  for (let n = 0; n < maxPages; n++) {
    const requested: Record<string, unknown> = { ...variables, externalId, after }
    const { user }: { user: { list: Page } | null } = await session.ask(document, requested)
    if (!user) return null
    found.push(...user.list.nodes)
    if (!user.list.pageInfo.hasNextPage) break
    after = user.list.pageInfo.endCursor
  }
  return found
}

const askGoals = async (session: Session, categories: string[] | null): Promise<UserGoal[]> => {
  if (session.hasUser) {
    const found = await readAll<Sent>(session, goalsQuery, { categories })
    if (found) return found.map(userGoalOf)
  }
  type Data = { goals: { nodes: (Goal & { endsAt: string | null })[] } }
  const { goals } = await session.ask<Data>(publicGoalsQuery, { categories })
  return goals.nodes.map((goal) => userGoalOf(notBegun(goal)))
}

const firstReads = new WeakMap<Session, Promise<UserGoal[]>>()

/**
 * The goals of the user, or all public ones for a visitor, and for a user whom the API does not know yet. Widgets that
 * load together share the first read of all goals.
 */
export const readGoals = (
  session: Session,
  { category, isFirst }: { category?: string; isFirst: boolean },
): Promise<UserGoal[]> => {
  if (category) return askGoals(session, [category])
  const running = isFirst ? firstReads.get(session) : undefined
  if (running) return running
  const read = askGoals(session, null)
  if (isFirst) {
    firstReads.set(session, read)
    const forget = () => firstReads.delete(session)
    read.then(forget, forget)
  }
  return read
}

/** The grants of the user, newest first. */
export const readGrants = async (
  session: Session,
  filter: { statuses: string[]; rewardKinds?: string[] },
): Promise<Grant[]> => (await readAll<Grant>(session, grantsQuery, { filter })) ?? []

/** Whether its user can claim it now. */
export const isClaimable = ({ status, needsClaim, claimExpiresAt }: Grant): boolean =>
  status === 'READY' &&
  needsClaim &&
  (claimExpiresAt === null || Date.parse(claimExpiresAt) > Date.now())

const isOf = ({ goal }: UserGoal, { goalCompletion }: Grant): boolean =>
  goalCompletion?.goal.slug === goal.slug

/** The grants that claiming the rewards of a goal claims. */
export const grantsOf = (goal: UserGoal, grants: Grant[]): Grant[] =>
  grants.filter((grant) => isOf(goal, grant) && isClaimable(grant))

/** The grants of a goal that are kept back first. */
export const heldOf = (goal: UserGoal, grants: Grant[]): Grant[] =>
  grants.filter((grant) => isOf(goal, grant) && grant.status === 'HELD')

/** The points that the user was given without a goal, and does not have yet. */
export const giftsOf = (grants: Grant[]): Grant[] =>
  grants.filter(
    (grant) =>
      grant.goalCompletion === null &&
      grant.reward.kind === 'POINTS' &&
      (grant.status === 'HELD' || isClaimable(grant)),
  )

/** The earliest of times; undefined if there is none. */
export const firstOf = (times: (string | null)[]): string | undefined =>
  times.flatMap((at) => at ?? []).sort()[0]

/** Goals of a category, or all, after a change; null if they have to be read again. */
export const goalsAfter = (
  goals: readonly UserGoal[],
  { nodes, pageInfo }: Followed<GoalChange>,
  category = '',
): UserGoal[] | null => {
  if (pageInfo.hasNextPage) return null
  const known = new Map(goals.map((goal) => [goal.goal.slug, goal]))
  const changed: UserGoal[] = []
  for (const { goal, tasks, ...change } of nodes) {
    if (category && goal.category !== category) continue
    const item = known.get(goal.slug)
    if (!item) return null
    const isOver = change.state === 'COMPLETED'
    changed.push({
      ...change,
      goal: { ...item.goal, status: goal.status },
      tasks: item.tasks.map((task, i) => ({ ...task, rate: isOver ? 1 : (tasks[i]?.rate ?? 0) })),
    })
  }
  return changed
}

/** Grants after a change; null if they have to be read again. */
export const grantsAfter = <G extends Grant>(
  grants: readonly G[],
  { nodes, pageInfo }: Followed<GrantChange>,
): G[] | null => {
  const known = new Map(grants.map((grant) => [grant.uuid, grant]))
  const changed: G[] = []
  for (const change of nodes) {
    const item = known.get(change.uuid)
    if (!item) return null
    known.delete(change.uuid)
    changed.push({ ...item, ...change })
  }
  // The newest come first, and older ones stay as they are.
  return pageInfo.hasNextPage ? [...changed, ...known.values()] : changed
}

/** The names of the goals that must be completed first, as far as the user has not. */
export const missingOf = ({ requires }: UserGoal): string =>
  requires.flatMap(({ goal, isMet }) => (isMet ? [] : goal.name)).join(', ')

/** Whether all targets are reached, and the completion, which follows within milliseconds, is not there yet. */
export const isDue = ({ goal, state, tasks, isCounting }: UserGoal): boolean =>
  goal.status === 'ACTIVE' &&
  !isCounting &&
  (state === 'AVAILABLE' || state === 'IN_PROGRESS') &&
  tasks.every(({ rate }) => rate >= 1)

/** The largest card of stamps. */
const maxStamps = 12

/** The most stamps in a row. */
const maxColumns = 6

/**
 * The number of stamps on a card, how many it has, and its columns, for a task that counts to a small number; null for
 * others.
 */
export const stampsOf = ({ of, target, rate }: Task) => {
  const isCount = of === 'COUNT' || of === 'DAYS'
  if (!isCount || !Number.isInteger(target) || target > maxStamps) return null
  const columns = target <= maxColumns ? target : Math.ceil(target / 2)
  return { all: target, got: Math.floor(rate * target + 1e-6), columns }
}

/** What the user has of the target, with the decimals of the API. */
export const reachedOf = ({ target, rate }: Task): number => Math.round(rate * target * 1000) / 1000

/** From 0 to 1, over all tasks. */
export const rateOf = ({ tasks }: Pick<UserGoal, 'tasks'>): number =>
  tasks.reduce((sum, { rate }) => sum + rate, 0) / Math.max(1, tasks.length)

export type Badge = {
  reward: GivenReward
  /** Its grants that were issued, newest first. */
  issued: Grant[]
  /** Its grants that the user can claim. */
  ready: Grant[]
  /** Its grants that are kept back first. */
  held: Grant[]
  /** The goal that gives it, unless the user has it. */
  goal: UserGoal | undefined
}

/** Whether the user has a badge, or will get it without doing more than claiming it. */
export const hasGrants = ({ issued, ready, held }: Badge): boolean =>
  issued.length + ready.length + held.length > 0

/** Badges to claim, those that are on the way, those that the user has, newest first, then those that goals give, in the order of the goals. */
export const badgesOf = (goals: UserGoal[], grants: Grant[]): Badge[] => {
  const badges = new Map<string, Badge>()
  const of = (reward: GivenReward): Badge => {
    const none = { reward, issued: [], ready: [], held: [], goal: undefined }
    const badge: Badge = badges.get(reward.uuid) ?? none
    badges.set(reward.uuid, badge)
    return badge
  }
  for (const grant of grants)
    if (grant.reward.kind === 'BADGE') {
      if (grant.status === 'ISSUED') of(grant.reward).issued.push(grant)
      else if (isClaimable(grant)) of(grant.reward).ready.push(grant)
      else if (grant.status === 'HELD') of(grant.reward).held.push(grant)
    }
  for (const goal of goals) {
    const isOver = goal.goal.status === 'ENDED' || goal.state === 'MISSED'
    if (isOver && goal.nextAction !== 'JOIN') continue
    for (const reward of goal.goal.rewards) {
      if (reward.kind !== 'BADGE') continue
      const badge = of(reward)
      if (hasGrants(badge)) continue
      if (!badge.goal || rateOf(goal) > rateOf(badge.goal)) badge.goal = goal
    }
  }
  const rank = ({ ready, held, issued }: Badge) =>
    [ready, held, issued, [true]].findIndex(({ length }) => length > 0)
  const issuedAt = ({ issued }: Badge) => Date.parse(issued[0]?.issuedAt ?? '') || 0
  return [...badges.values()].sort((a, b) => rank(a) - rank(b) || issuedAt(b) - issuedAt(a))
}

/** Takes part in a goal. @throws Problem */
export const joinGoal = async (
  session: Session,
  slug: string,
  onWait: (problem: Problem) => void,
): Promise<void> => {
  type Data = { result: Result<object> }
  const variables = { externalId: await session.userId(), slug }
  const sending = { key: crypto.randomUUID(), onWait }
  payloadOf((await session.ask<Data>(joinGoalMutation, variables, sending)).result)
}

/**
 * Claims grants. Their points are in the balance then.
 * @returns those that were claimed now. The others the user has already, by another page.
 * @throws Problem
 */
export const claimGrants = async (
  session: Session,
  grants: Grant[],
  onWait: (problem: Problem) => void,
): Promise<Grant[]> => {
  const externalId = await session.userId()
  const claimed: Grant[] = []
  for (const grant of grants) {
    type Data = { result: Result<{ user: Wallet }> & { status?: string } }
    const sending = { key: crypto.randomUUID(), onWait }
    const variables = { externalId, grantId: grant.uuid }
    const { result } = await session.ask<Data>(claimGrantMutation, variables, sending)
    if (result.code === 'GRANT_NOT_ACTIVE' && result.status === 'ISSUED') continue
    session.setWallet(payloadOf(result).user)
    claimed.push(grant)
  }
  return claimed
}
