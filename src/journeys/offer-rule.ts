/** Rules that create an offer for each user who enters a stage. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { OfferRule } from '../generated/prisma/client.ts'
import { LifecycleStage } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { integer, oneOf } from '../kit/validation.ts'
import { offerContentOf, offerFields } from './offer.ts'

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
  })
  .describe(
    'An offer for users who enter a stage. A stage has one rule per offer type. Points are credited only if the stage follows from what the server itself recorded; other users get the offer without points.',
  )

export type SetOfferRule = z.output<typeof SetOfferRule>

export const DeleteOfferRule = z
  .object({ offerRuleId: nodeId('OfferRule').describe('The rule.') })
  .describe('An offer rule to delete.')

/** Creates or changes the rule of a stage and offer type. Existing offers stay as they are. */
export const setOfferRule = (
  { tx, clock }: Work,
  { stage, validHours, cooldownDays, ...tenantAndOffer }: Tenant & SetOfferRule,
): Promise<OfferRule> => {
  const tenant = tenantOf(tenantAndOffer)
  const { offerType, ...promise } = offerContentOf(tenantAndOffer)
  const rule = { ...promise, validHours: validHours ?? 72, cooldownDays: cooldownDays ?? 30 }
  const now = clock()
  return tx.offerRule.upsert({
    where: {
      partnerId_environment_stage_offerType: { ...tenant, stage, offerType },
    },
    create: { id: uuid(), ...tenant, stage, offerType, ...rule, createdAt: now, updatedAt: now },
    update: { ...rule, updatedAt: now },
  })
}

/**
 * Deletes a rule and keeps its offers.
 * @throws TesseraError OFFER_RULE_NOT_FOUND
 */
export const deleteOfferRule = async (
  { tx }: Work,
  where: Tenant & { id: string },
): Promise<void> => {
  const { count } = await tx.offerRule.deleteMany({ where })
  if (count === 0) throw new TesseraError('OFFER_RULE_NOT_FOUND')
}

/** Reads rules by their ids, in one statement; null for deleted ones. */
export const findOfferRules = async ({ tx }: Work, ids: string[]): Promise<(OfferRule | null)[]> =>
  inOrder(ids, await tx.offerRule.findMany({ where: { id: { in: ids } } }))
