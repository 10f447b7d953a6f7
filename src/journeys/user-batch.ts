/**
 * What is done to all users of a filter: offers are made, or points adjusted. A job does it in short transactions, on any
 * number of nodes. What was done and the place that a batch has reached are written together, so that a node that stops in
 * between leaves out nobody, and does nothing twice.
 */
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { UserBatch } from '../generated/prisma/client.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { readCounter } from '../kit/database/counters.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { moment, text } from '../kit/validation.ts'
import { AdjustPoints, adjustPoints } from '../points/correction.ts'
import { createOffers, findRewardsOf, offerContentOf, offerFields, refusalOf } from './offer.ts'
import { matchOfStored, toStore } from './stored-filter.ts'
import { findOpenBatches, lockBatch, selectNextUsers } from './user-batch.sql.ts'
import { countUsers, UserFilter } from './user-list.ts'

const filter = UserFilter.describe(
  'Which users; `{}` for all. Those who match when their turn comes count, so days ago are counted from then. A batch ends when its segment is deleted.',
)

const name = text(100)
  .nullish()
  .describe(
    'What to call it in lists. Defaults to the name of the segment, or else says what is done.',
  )

export const CreateOffersForUsers = z
  .object({
    filter,
    name,
    ...offerFields,
    expiresAt: moment()
      .nullish()
      .describe('When the offers expire. Defaults to 72 hours from now.'),
  })
  .describe('An offer to many users.')

export const AdjustPointsOfUsers = z
  .object({ filter, name, ...AdjustPoints.pick({ points: true, reason: true }).shape })
  .describe('Points that are added to the wallets of many users by hand, or taken.')

const defaultHours = 72
const hourMs = 3_600_000

type Content = Pick<UserBatch, 'kind' | 'pointsValue'> & Partial<UserBatch>

/**
 * Starts a batch, and notes in the audit log how many users match now.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
const startBatch = async (
  work: Work,
  { partnerId, environment, memberId, apiKeyId }: Tenant & Actor,
  given: { filter: UserFilter; name: string | null | undefined },
  content: Content & { standardName: string },
): Promise<UserBatch> => {
  const tenant = { partnerId, environment }
  const { stored, segment } = await toStore(work, tenant, given.filter)
  const match = await matchOfStored(work, tenant, stored as never)
  const expected = match
    ? await countUsers(work, tenant, match)
    : ({ value: 0, precision: 'EXACT' } as const)
  const { standardName, ...columns } = content
  const batch = await ofTenant(work.tx, tenant).userBatch.create({
    data: {
      ...columns,
      ...stored,
      id: newId(),
      name: given.name ?? segment?.name ?? standardName,
      expectedUsers: expected.value,
      isExpectedExact: expected.precision === 'EXACT',
      allUsers: await readCounter(work.tx, tenant, 'users'),
      memberId,
      apiKeyId,
      createdAt: work.clock(),
    },
  })
  return batch
}

/**
 * Starts to make offers to all users of a filter.
 * @throws TesseraError SEGMENT_NOT_FOUND; REWARD_NOT_FOUND; REWARD_ARCHIVED; VALIDATION_FAILED for offers that have expired
 */
export const createOffersForUsers = async (
  work: Work,
  { filter, name, expiresAt, ...given }: Tenant & Actor & z.output<typeof CreateOffersForUsers>,
): Promise<UserBatch> => {
  const { partnerId, environment, memberId, apiKeyId, ...offer } = given
  const by = { partnerId, environment, memberId, apiKeyId }
  const [reward = null] = await findRewardsOf(work, [{ ...tenantOf(by), reward: offer.reward }])
  const refusal = refusalOf(offer.reward, reward)
  if (refusal) throw refusal
  const now = work.clock()
  if (expiresAt && expiresAt <= now) throw refused('expiresAt', 'must be in the future')
  const content = offerContentOf(offer)
  return startBatch(
    work,
    by,
    { filter, name },
    {
      ...content,
      kind: 'OFFERS',
      rewardId: reward?.id ?? null,
      expiresAt: expiresAt ?? new Date(now.getTime() + defaultHours * hourMs),
      standardName: content.title,
    },
  )
}

/**
 * Starts to adjust the points of all users of a filter.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const adjustPointsOfUsers = (
  work: Work,
  { filter, name, points, reason, ...by }: Tenant & Actor & z.output<typeof AdjustPointsOfUsers>,
): Promise<UserBatch> =>
  startBatch(
    work,
    by,
    { filter, name },
    {
      kind: 'POINTS',
      pointsValue: points,
      reason,
      standardName: reason.slice(0, 100),
    },
  )

export const CancelUserBatch = z
  .object({ userBatchId: nodeId('UserBatch').describe('The batch, by its global id or its UUID.') })
  .describe('A batch to cancel.')

/**
 * Ends a batch. What it has done stays.
 * @throws TesseraError USER_BATCH_NOT_FOUND; USER_BATCH_ENDED
 */
export const cancelUserBatch = async (
  { tx, clock }: Work,
  { userBatchId: id, ...tenant }: Tenant & z.output<typeof CancelUserBatch>,
): Promise<UserBatch> => {
  const own = ofTenant(tx, tenant).userBatch
  const [cancelled] = await own.updateManyAndReturn({
    where: { id, completedAt: null },
    data: { status: 'CANCELLED', completedAt: clock() },
  })
  if (cancelled) {
    const change = {
      table: 'user_batch',
      id,
      field: 'done_count',
      from: 0,
      to: cancelled.doneCount,
    }
    await addToChanges(tx, [change])
    return cancelled
  }
  const found = await own.findUnique({ where: { id } })
  if (!found) throw new TesseraError('USER_BATCH_NOT_FOUND')
  throw new TesseraError('USER_BATCH_ENDED', { status: found.status, since: found.completedAt })
}

/** Reads batches by their ids, in one statement. */
export const findUserBatches = async ({ tx }: Work, ids: string[]): Promise<(UserBatch | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').userBatch.findMany({ where: { id: { in: ids } } }))

/** Users that one transaction looks at. */
const usersAtOnce = 500

type BatchUser = { id: string; externalId: string }

/** What a batch does to users who match. Returns the results, of which those that are errors were refused. */
const workOf: Record<
  UserBatch['kind'],
  (work: Transaction, batch: UserBatch, users: BatchUser[]) => Promise<unknown[]>
> = {
  OFFERS: (work, batch, users) =>
    createOffers(
      work,
      users.map(({ externalId }) => ({
        ...tenantOf(batch),
        externalId: externalId as ExternalId,
        offerType: batch.offerType as NonNullable<UserBatch['offerType']>,
        gameType: batch.gameType,
        title: batch.title,
        description: batch.description,
        points: batch.pointsValue,
        creditsPoints: batch.creditsPoints,
        reward: batch.rewardId === null ? null : { id: batch.rewardId },
        expiresAt: batch.expiresAt,
        batchId: batch.id,
      })),
    ),
  POINTS: (work, batch, users) =>
    adjustPoints(
      work,
      users.map(({ id, externalId }) => ({
        ...tenantOf(batch),
        externalId: externalId as ExternalId,
        points: batch.pointsValue,
        reason: batch.reason as string,
        reference: `batch-${batch.id}-${id}`,
        memberId: batch.memberId,
        apiKeyId: batch.apiKeyId,
      })),
    ),
}

/** Goes on with the next users. Returns whether there are more, and no other node is at them. */
const doNext = (runtime: Runtime, id: string): Promise<boolean> =>
  inTransaction(runtime, async (txWork) => {
    const { tx, clock } = txWork
    const [batch] = await lockBatch(tx, id)
    if (!batch) return false
    const tenant = tenantOf(batch)
    const isOver = batch.expiresAt !== null && batch.expiresAt <= clock()
    const match = isOver ? null : await matchOfStored(txWork, tenant, batch)
    const users = match
      ? await selectNextUsers(tx, tenant, batch.afterExternalId, match, usersAtOnce)
      : []
    const chosen = users.filter(({ isMatch }) => isMatch)
    const results = chosen.length > 0 ? await workOf[batch.kind](txWork, batch, chosen) : []
    const isLast = users.length < usersAtOnce
    await ofTenant(tx, tenant).userBatch.update({
      where: { id },
      data: {
        lookedCount: { increment: users.length },
        userCount: { increment: chosen.length },
        doneCount: { increment: results.filter((result) => !(result instanceof Error)).length },
        afterExternalId: users.at(-1)?.externalId ?? batch.afterExternalId,
        ...(isLast ? { status: 'COMPLETED', completedAt: clock() } : { status: 'RUNNING' }),
      },
    })
    return !isLast
  })

/** A run ends well before it counts as hung. The next run continues. */
const longestRunMs = 300_000

/** Goes on with open batches, which take turns. */
export const runUserBatches = async (runtime: Runtime, signal?: AbortSignal): Promise<void> => {
  const start = Date.now()
  let open = await findOpenBatches(runtime.db)
  while (open.length > 0 && Date.now() - start < longestRunMs) {
    const unfinished: typeof open = []
    for (const item of open) {
      if (signal?.aborted) return
      if (await doNext(runtime, item.id)) unfinished.push(item)
    }
    open = unfinished
  }
}
