/** Codes of batches, and their redemptions. */
import { z } from 'zod'
import {
  type Campaign,
  type CampaignCode,
  type CodeBatch,
  Prisma,
} from '../generated/prisma/client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { findParts, type PartOf } from '../kit/schema/parts.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { reference } from '../kit/validation.ts'
import { isRunning } from './campaign-phase.rules.ts'
import { batchStatusOf } from './code-batch.ts'
import { codeHash } from './code-hash.ts'

export const CampaignCodeKey = z
  .object({ code: reference().describe('The code. Case, blanks and hyphens do not matter.') })
  .describe('A code to look at.')

export type FoundCode = CampaignCode & { batch: CodeBatch & { campaign: Campaign } }

/** A code by its text, or null. */
export const findCode = (
  { tx, keys }: Pick<Work, 'tx' | 'keys'>,
  { code, ...caller }: Tenant & { code: string },
): Promise<FoundCode | null> => {
  const tenant = tenantOf(caller)
  const hash = new Uint8Array(codeHash(keys.pepper, tenant, code))
  return tx.campaignCode.findUnique({
    where: { partnerId_environment_hash: { ...tenant, hash } },
    include: { batch: { include: { campaign: true } } },
  })
}

/** Whether a code can be redeemed now. */
export const codeStatusOf = ({ redeemedAt, batch }: FoundCode, now: Date) => {
  if (redeemedAt) return 'REDEEMED'
  const status = batchStatusOf(batch, now)
  if (status !== 'ACTIVE') return status
  return isRunning(batch.campaign, now) ? 'REDEEMABLE' : 'CAMPAIGN_NOT_ACTIVE'
}

/** A code that was redeemed, with its batch. */
export type CodeRedemption = { id: string; userId: UserId; redeemedAt: Date; batch: CodeBatch }

export const redemptionOf = ({
  redemptionId: id,
  userId,
  redeemedAt,
  batch,
}: Omit<FoundCode, 'batch'> & { batch: CodeBatch }): CodeRedemption | null =>
  id && userId && redeemedAt ? { id, userId, redeemedAt, batch } : null

/** Redemptions by their ids, which are sorted by batch. */
export const findRedemptionsById = async (
  { tx }: Work,
  keys: { batchId: string; redemptionId: string }[],
): Promise<(CodeRedemption | null)[]> => {
  const found = await tx.campaignCode.findMany({ where: { OR: keys }, include: { batch: true } })
  const redeemed = found.flatMap((code) => redemptionOf(code) ?? [])
  return inOrder(
    keys.map(({ redemptionId }) => redemptionId),
    redeemed,
  )
}

const redemptions = {
  from: Prisma.sql`campaign_code t`,
  name: 'redemptions',
  columns: Prisma.sql`t.redemption_id AS id, t.user_id AS "userId", t.redeemed_at AS "redeemedAt"`,
  parent: { batch_id: 'uuid' },
  by: { redemption_id: 'uuid' },
} as const

/** Parts of the redeemed codes of batches, the oldest redemption first. */
export const findRedemptions = (
  work: Work,
  parts: PartOf[],
): Promise<Omit<CodeRedemption, 'batch'>[][]> => findParts(work, redemptions, parts)
