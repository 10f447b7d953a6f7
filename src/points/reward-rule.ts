import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import {
  settingsToRestore,
  versionToRestore,
} from '../accounts/settings-versions/settings-version.ts'
import type { RewardRule } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { integer, maxPoints, reference } from '../kit/validation.ts'

export const SetRewardRule = z
  .object({
    eventType: reference().describe('The event type: signup, purchase, …'),
    points: integer(1, maxPoints).describe('Points per award.'),
  })
  .describe('How many points an event type is worth.')

export type SetRewardRule = z.output<typeof SetRewardRule>

export const DeleteRewardRule = z
  .object({ eventType: reference().describe('The event type of the rule.') })
  .describe('A rule to delete.')

/** Creates or changes the rule of an event type. Earlier awards keep their points. */
export const setRewardRule = (
  { tx, clock }: Work,
  { eventType, points, ...tenant }: Tenant & SetRewardRule,
): Promise<RewardRule> =>
  ofTenant(tx, tenant).rewardRule.upsert({
    where: { partnerId_environment_eventType: { eventType } },
    create: { id: uuid(), eventType, points, createdAt: clock() },
    update: { points, updatedAt: clock() },
  })

/**
 * Deletes the rule of an event type and returns it.
 * @throws TesseraError REWARD_RULE_NOT_FOUND
 */
export const deleteRewardRule = async (
  { tx }: Work,
  { eventType, ...tenant }: Tenant & { eventType: string },
): Promise<RewardRule> => {
  const { rewardRule } = ofTenant(tx, tenant)
  const rule = await rewardRule.findFirst({ where: { eventType } })
  if (!rule) throw new TesseraError('REWARD_RULE_NOT_FOUND')
  await rewardRule.deleteMany({ where: { id: rule.id } })
  return rule
}

export const RestoreRewardRule = z
  .object({
    rewardRuleId: nodeId('RewardRule').describe('The rule, by its global id or its UUID.'),
    version: versionToRestore(),
  })
  .describe('A version of a reward rule to restore.')

/**
 * Sets the points of an earlier version again. Earlier awards keep their points.
 * @throws TesseraError REWARD_RULE_NOT_FOUND; VALIDATION_FAILED when there is no such version
 */
export const restoreRewardRule = async (
  work: Work,
  { rewardRuleId: id, version, ...tenant }: Tenant & z.output<typeof RestoreRewardRule>,
): Promise<RewardRule> => {
  const rule = await ofTenant(work.tx, tenant).rewardRule.findFirst({ where: { id } })
  if (!rule) throw new TesseraError('REWARD_RULE_NOT_FOUND')
  const settings = z.object({ points: z.number() })
  const kept = await settingsToRestore(work, { objectId: id, version }, settings)
  return setRewardRule(work, { ...tenant, eventType: rule.eventType, ...kept })
}
