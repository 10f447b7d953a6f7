/** Rules that make offers for users who enter a stage. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import {
  settingsToRestore,
  versionToRestore,
} from '../accounts/settings-versions/settings-version.ts'
import type { OfferRule } from '../generated/prisma/client.ts'
import { GameType, LifecycleStage, RecommendationType } from '../generated/prisma/enums.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { integer, oneOf } from '../kit/validation.ts'
import { findRewardsOf, offerContentOf, offerFields, refusalOf } from './offer.ts'

export const SetOfferRule = z
  .object({
    stage: oneOf('LifecycleStage', LifecycleStage).describe('The stage that users enter.'),
    ...offerFields,
    validHours: integer(1, 8760)
      .nullish()
      .describe('Hours within which its offers can be claimed. Defaults to 72.'),
    cooldownDays: integer(1, 3650)
      .nullish()
      .describe('Days until the same user can get another offer of this rule. Defaults to 30.'),
    recommendationType: oneOf('RecommendationType', RecommendationType)
      .nullish()
      .describe('The recommendation of users that leads to its offers. Null for none.'),
  })
  .describe(
    'An offer for users who enter a stage. A stage has one rule per offer type. Points are credited only if the stage follows from what the server itself recorded; other users get the offer without points.',
  )

export type SetOfferRule = z.output<typeof SetOfferRule>

export const DeleteOfferRule = z
  .object({ offerRuleId: nodeId('OfferRule').describe('The rule, by its global id or its UUID.') })
  .describe('An offer rule to delete.')

/**
 * Creates or changes the rule of a stage and offer type. Existing offers stay as they are, and a pause goes on.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_ARCHIVED
 */
export const setOfferRule = async (
  work: Work,
  { stage, validHours, cooldownDays, recommendationType = null, ...offer }: Tenant & SetOfferRule,
): Promise<OfferRule> => {
  const { tx, clock } = work
  const [reward = null] = await findRewardsOf(work, [offer])
  const refusal = refusalOf(offer.reward, reward)
  if (refusal) throw refusal
  const { offerType, ...promise } = offerContentOf(offer)
  const rule = {
    ...promise,
    validHours: validHours ?? 72,
    cooldownDays: cooldownDays ?? 30,
    recommendationType,
    rewardId: reward?.id ?? null,
  }
  const now = clock()
  return ofTenant(tx, offer).offerRule.upsert({
    where: { partnerId_environment_stage_offerType: { stage, offerType } },
    create: { id: uuid(), stage, offerType, ...rule, createdAt: now, updatedAt: now },
    update: { ...rule, updatedAt: now },
  })
}

/**
 * Deletes a rule and returns it. Its offers are kept.
 * @throws TesseraError OFFER_RULE_NOT_FOUND
 */
export const deleteOfferRule = async (
  { tx }: Work,
  { id, ...tenant }: Tenant & { id: string },
): Promise<OfferRule> => {
  const own = ofTenant(tx, tenant).offerRule
  const rule = await own.findFirst({ where: { id } })
  const { count } = await own.deleteMany({ where: { id } })
  if (!rule || count === 0) throw new TesseraError('OFFER_RULE_NOT_FOUND')
  return rule
}

export const PauseOfferRule = z
  .object({ offerRuleId: nodeId('OfferRule').describe('The rule, by its global id or its UUID.') })
  .describe('An offer rule that is to make no offers.')

export const ResumeOfferRule = z
  .object({ offerRuleId: nodeId('OfferRule').describe('The rule, by its global id or its UUID.') })
  .describe('An offer rule that is to make offers again.')

/** @throws TesseraError OFFER_RULE_NOT_FOUND */
const setPause = async (
  { tx, clock }: Work,
  { offerRuleId: id, ...tenant }: Tenant & { offerRuleId: string },
  pauseOf: (rule: OfferRule, now: Date) => Date | null,
): Promise<OfferRule> => {
  const own = ofTenant(tx, tenant).offerRule
  const rule = await own.findFirst({ where: { id } })
  if (!rule) throw new TesseraError('OFFER_RULE_NOT_FOUND')
  const now = clock()
  return own.update({ where: { id }, data: { pausedAt: pauseOf(rule, now), updatedAt: now } })
}

/** Pauses a rule: it makes no offers. Those that it has made can be claimed. */
export const pauseOfferRule = (
  work: Work,
  requested: Tenant & z.output<typeof PauseOfferRule>,
): Promise<OfferRule> => setPause(work, requested, ({ pausedAt }, now) => pausedAt ?? now)

/** Ends the pause of a rule. Users who entered the stage meanwhile get no offer of it. */
export const resumeOfferRule = (
  work: Work,
  requested: Tenant & z.output<typeof ResumeOfferRule>,
): Promise<OfferRule> => setPause(work, requested, () => null)

export const RestoreOfferRule = z
  .object({
    offerRuleId: nodeId('OfferRule').describe('The rule, by its global id or its UUID.'),
    version: versionToRestore(),
  })
  .describe('A version of an offer rule to restore.')

const Settings = z.object({
  game_type: z.enum(GameType).nullable(),
  title: z.string(),
  description: z.string().nullable(),
  points_value: z.number(),
  credits_points: z.boolean(),
  valid_hours: z.number(),
  cooldown_days: z.number(),
  recommendation_type: z.enum(RecommendationType).nullable(),
  reward_id: z.string().nullable(),
})

/**
 * Sets a rule as it was in an earlier version. Existing offers stay as they are, and so does a pause.
 * @throws TesseraError OFFER_RULE_NOT_FOUND, REWARD_NOT_FOUND, REWARD_ARCHIVED; VALIDATION_FAILED when there is no such
 * version
 */
export const restoreOfferRule = async (
  work: Work,
  { offerRuleId: id, version, ...tenant }: Tenant & z.output<typeof RestoreOfferRule>,
): Promise<OfferRule> => {
  const rule = await ofTenant(work.tx, tenant).offerRule.findFirst({ where: { id } })
  if (!rule) throw new TesseraError('OFFER_RULE_NOT_FOUND')
  const kept = await settingsToRestore(work, { objectId: id, version }, Settings)
  const settings: Required<SetOfferRule> = {
    stage: rule.stage,
    offerType: rule.offerType,
    gameType: kept.game_type,
    title: kept.title,
    description: kept.description,
    points: kept.points_value,
    creditsPoints: kept.credits_points,
    validHours: kept.valid_hours,
    cooldownDays: kept.cooldown_days,
    recommendationType: kept.recommendation_type,
    reward: kept.reward_id === null ? null : { id: kept.reward_id },
  }
  return setOfferRule(work, { ...tenant, ...settings })
}

/** Reads rules by their ids, in one statement; null for deleted ones. */
export const findOfferRules = async ({ tx }: Work, ids: string[]): Promise<(OfferRule | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').offerRule.findMany({ where: { id: { in: ids } } }))
