/** The rewards that offers give by their type. */
import { z } from 'zod'
import type { OfferReward } from '../generated/prisma/client.ts'
import { OfferType } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'
import { findReward, RewardBy } from '../programme/reward.ts'

export const SetOfferReward = z
  .object({
    offerType: oneOf('OfferType', OfferType).describe('The kind of offer.'),
    reward: RewardBy.nullish().describe('The reward. Null: offers of this type give none.'),
  })
  .describe('What offers of a type give.')

/** The rewards by type of offer, in the order of the types. */
export const listOfferRewards = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
): Promise<OfferReward[]> =>
  ofTenant(tx, tenant).offerReward.findMany({ orderBy: { offerType: 'asc' } })

/**
 * Sets which reward offers of a type give that are made from now on. Returns null if it is none.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_ARCHIVED
 */
export const setOfferReward = async (
  { tx, clock }: Work,
  { offerType, reward: by, ...tenant }: Tenant & z.output<typeof SetOfferReward>,
): Promise<OfferReward | null> => {
  const own = ofTenant(tx, tenant).offerReward
  if (!by) {
    await own.deleteMany({ where: { offerType } })
    return null
  }
  const reward = await findReward({ tx }, tenant, by)
  if (!reward) throw new TesseraError('REWARD_NOT_FOUND')
  if (reward.archivedAt)
    throw new TesseraError('REWARD_ARCHIVED', { status: 'ARCHIVED', since: reward.archivedAt })
  const set = { rewardId: reward.id, updatedAt: clock() }
  return own.upsert({
    where: { partnerId_environment_offerType: { offerType } },
    create: { offerType, ...set },
    update: set,
  })
}
