/** Rewards: what a partner gives to users. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Reward } from '../generated/prisma/client.ts'
import { RewardKind } from '../generated/prisma/enums.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseTaken } from '../kit/database/outage.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { httpsUrl, integer, maxPoints, oneOf, text, title } from '../kit/validation.ts'
import { lockRewards } from './reward.sql.ts'

const name = () => title(100).describe('What you call it. Unique, also among archived rewards.')
const points = () => integer(1, maxPoints).nullish()

const optionalFields = {
  description: text(2000).nullish().describe('What users read about it.'),
  imageUrl: httpsUrl().nullish().describe('URL of a picture, https.'),
  stock: integer(0, maxPoints)
    .nullish()
    .describe('The largest number of grants. Null for no limit.'),
}

export const CreateReward = z
  .object({
    name: name(),
    kind: oneOf('RewardKind', RewardKind).describe('What it gives. It does not change.'),
    points: points().describe('Points that a grant pays. Required for POINTS, and only for them.'),
    ...optionalFields,
  })
  .superRefine(({ kind, points }, ctx) => {
    const isOfPoints = kind === 'POINTS'
    if (isOfPoints === (points != null)) return
    const message = isOfPoints ? 'is required' : 'must not be given for a badge'
    ctx.addIssue({ code: 'custom', path: ['points'], message })
  })
  .describe('Something to give to users.')

/** @throws TesseraError REWARD_NAME_TAKEN */
export const createReward = (
  { tx, clock }: Work,
  { partnerId, environment, ...reward }: Tenant & z.output<typeof CreateReward>,
): Promise<Reward> => {
  const now = clock()
  return ofTenant(tx, { partnerId, environment })
    .reward.create({ data: { id: uuid(), ...reward, createdAt: now, updatedAt: now } })
    .catch(refuseTaken('REWARD_NAME_TAKEN', 'name', reward.name))
}

export const RewardBy = oneKey({
  id: nodeId('Reward').describe('The global id or the UUID.'),
  name: text(100).describe('The name.'),
})
  .meta({ graphql: 'RewardBy' })
  .describe('Exactly one key of a reward.')

export type RewardBy = z.output<typeof RewardBy>

/** The reward that a caller names, or null. */
export const findReward = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  by: RewardBy,
): Promise<Reward | null> => ofTenant(tx, tenant).reward.findFirst({ where: by })

export const UpdateReward = z
  .object({
    reward: RewardBy.describe('The reward.'),
    name: name().nullish(),
    points: points().describe(
      'Points that a grant pays. Existing grants keep theirs. Not for a badge.',
    ),
    ...optionalFields,
  })
  .describe(
    'Changes to a reward. Omitted fields are unchanged; null clears the description, the picture and the stock.',
  )

export const ArchiveReward = z
  .object({ reward: RewardBy.describe('The reward.') })
  .describe('A reward that is not to be given any more.')

/** Changes a reward whose row is locked, so that its grants cannot outnumber its stock meanwhile. */
const change = (
  work: Work,
  { reward: by, ...tenant }: Tenant & { reward: RewardBy },
  changesOf: (reward: Reward) => Partial<Reward>,
): Promise<Reward> =>
  inTransaction(work, async ({ tx, clock }) => {
    const own = ofTenant(tx, tenant).reward
    const found = await findReward({ tx }, tenant, by)
    if (!found) throw new TesseraError('REWARD_NOT_FOUND')
    const { id } = found
    await lockRewards(tx, [id])
    const reward = await own.findUniqueOrThrow({ where: { id } })
    const changes = changesOf(reward)
    // With the name there is always something to write, so that each call counts a version.
    const data = { name: reward.name, ...changes, updatedAt: clock() }
    return own
      .update({ where: { id }, data })
      .catch(refuseTaken('REWARD_NAME_TAKEN', 'name', data.name))
  })

/**
 * Changes a reward. Grants that exist keep the points that they had.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_NAME_TAKEN; VALIDATION_FAILED for points of a badge, and for a stock of
 * fewer than have been granted
 */
export const updateReward = (
  work: Work,
  { partnerId, environment, reward, ...given }: Tenant & z.output<typeof UpdateReward>,
): Promise<Reward> =>
  change(work, { partnerId, environment, reward }, ({ kind, grantCount }) => {
    const { name, points, stock, ...texts } = given
    if (points != null && kind !== 'POINTS')
      throw refused('points', 'must not be given for a badge')
    if (stock != null && stock < grantCount)
      throw refused('stock', `must be at least ${grantCount}, the number of grants so far`)
    return {
      ...(name != null && { name }),
      ...(points != null && { points }),
      ...(stock !== undefined && { stock }),
      ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    }
  })

/**
 * Archives a reward: it is not given any more. Its grants stay, and those that are not issued yet will be.
 * @throws TesseraError REWARD_NOT_FOUND
 */
export const archiveReward = (
  work: Work,
  asked: Tenant & z.output<typeof ArchiveReward>,
): Promise<Reward> =>
  change(work, asked, ({ archivedAt }) => ({ archivedAt: archivedAt ?? work.clock() }))

/** Reads rewards by their ids, in one statement. */
export const findRewards = async ({ tx }: Work, ids: string[]): Promise<(Reward | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').reward.findMany({ where: { id: { in: ids } } }))
