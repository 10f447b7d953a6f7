/** What goals refer to: rewards, other goals, segments and campaigns of the same tenant. */
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { GoalBy, NewTask } from './goal-input.ts'
import { findReward, type RewardBy, refuseUnprovenSegment } from './reward.ts'
import { defaultMaxFreezes, type NewStreak, weekdays } from './streak-input.ts'

/**
 * The ids of rewards that callers name.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_ARCHIVED
 */
export const idsOfRewards = async (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  rewards: RewardBy[],
): Promise<string[]> => {
  const ids: string[] = []
  for (const by of rewards) {
    const reward = await findReward(work, tenant, by)
    if (!reward) throw new TesseraError('REWARD_NOT_FOUND')
    if (reward.archivedAt)
      throw new TesseraError('REWARD_ARCHIVED', { status: 'ARCHIVED', since: reward.archivedAt })
    ids.push(reward.id)
  }
  return ids
}

/**
 * The same for places each of which may name none; null for those.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_ARCHIVED
 */
export const idsOfSomeRewards = async (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  rewards: (RewardBy | null | undefined)[],
): Promise<(string | null)[]> => {
  const named = rewards.flatMap((by) => by ?? [])
  const ids = await idsOfRewards(work, tenant, named)
  return rewards.map((by) => (by ? (ids.shift() as string) : null))
}

/**
 * The ids of goals that callers name, each once.
 * @throws TesseraError GOAL_NOT_FOUND
 */
export const idsOfGoals = async (
  work: Work,
  tenant: Tenant,
  goals: GoalBy[],
): Promise<string[]> => {
  const ids: string[] = []
  for (const by of goals) {
    const goal = await ofTenant(work.tx, tenant).goal.findFirst({ where: by })
    if (!goal) throw new TesseraError('GOAL_NOT_FOUND')
    ids.push(goal.id)
  }
  return [...new Set(ids)]
}

/**
 * Refuses what does not exist in the tenant, or must not be used.
 * @throws TesseraError SEGMENT_NOT_FOUND, VALIDATION_FAILED
 */
export const checkReferences = async (
  { tx }: Work,
  tenant: Tenant,
  goal: {
    segmentId?: string | null | undefined
    rewardIds: string[]
    tasks?: NewTask[] | null | undefined
  },
): Promise<void> => {
  const own = ofTenant(tx, tenant)
  if (goal.segmentId != null) {
    const segment = await own.segment.findFirst({ where: { id: goal.segmentId } })
    if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
    if (goal.rewardIds.length > 0) refuseUnprovenSegment(segment)
  }
  for (const [n, { measure }] of (goal.tasks ?? []).entries())
    if (measure.campaignId != null) {
      const campaign = await own.campaign.findFirst({ where: { id: measure.campaignId } })
      if (!campaign) throw refused(`tasks.${n}.measure.campaignId`, 'is not a campaign of yours')
    }
}

/**
 * The row of a streak, with the rewards of its milestones.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_ARCHIVED
 */
export const rowOfStreak = async (work: Work, tenant: Tenant, streak: NewStreak) => {
  const { freezes, weekdays: days, restoreDays, atRiskHours, milestones } = streak
  const sorted = (milestones ?? []).toSorted((a, b) => a.length - b.length)
  const names = Object.keys(weekdays)
  const initialFreezes = freezes?.initial ?? 0
  return {
    initialFreezes,
    maxFreezes: freezes?.max ?? defaultMaxFreezes,
    freezeEvery: freezes?.everyDays ?? null,
    weekdays: [...new Set(days)].map((day) => names.indexOf(day) + 1).sort(),
    restoreDays: restoreDays ?? 3,
    atRiskHours: atRiskHours ?? 6,
    milestoneLengths: sorted.map(({ length }) => length),
    milestoneRewardIds: await idsOfRewards(
      work,
      tenant,
      sorted.map(({ reward }) => reward),
    ),
  }
}
