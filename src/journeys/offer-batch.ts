/**
 * Offers to all users of a segment. A job makes them in short transactions, on any number of nodes. The offers and the place
 * that a batch has reached are written together, so that a node that stops in between leaves out nobody, and offers nothing
 * twice.
 */
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { OfferBatch } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { moment } from '../kit/validation.ts'
import { createOffers, findRewardsOf, offerContentOf, offerFields, refusalOf } from './offer.ts'
import { findOpenBatches, lockBatch, selectNextUsers } from './offer-batch.sql.ts'
import { findSegment, SegmentBy } from './segment.ts'
import { matchOfSegment } from './user-list.ts'

export const CreateOffersForSegment = z
  .object({
    segment: SegmentBy.describe('The segment. Users who are in it when their turn comes get one.'),
    ...offerFields,
    expiresAt: moment()
      .nullish()
      .describe('When the offers expire. Defaults to 72 hours from now.'),
  })
  .describe('An offer to all users of a segment.')

const defaultHours = 72
const hourMs = 3_600_000

/**
 * Starts to make offers to all users of a segment.
 * @throws TesseraError SEGMENT_NOT_FOUND; REWARD_NOT_FOUND; REWARD_ARCHIVED; VALIDATION_FAILED for offers that have expired
 */
export const createOffersForSegment = async (
  work: Work,
  {
    partnerId,
    environment,
    memberId,
    apiKeyId,
    segment: by,
    expiresAt,
    ...offer
  }: Tenant & Actor & z.output<typeof CreateOffersForSegment>,
): Promise<OfferBatch> => {
  const tenant = { partnerId, environment }
  const segment = await findSegment(work, tenant, by)
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  const [reward = null] = await findRewardsOf(work, [{ ...tenant, reward: offer.reward }])
  const refusal = refusalOf(offer.reward, reward)
  if (refusal) throw refusal
  const now = work.clock()
  if (expiresAt && expiresAt <= now) throw refused('expiresAt', 'must be in the future')
  return ofTenant(work.tx, tenant).offerBatch.create({
    data: {
      id: newId(),
      segmentId: segment.id,
      segmentName: segment.name,
      ...offerContentOf(offer),
      rewardId: reward?.id ?? null,
      expiresAt: expiresAt ?? new Date(now.getTime() + defaultHours * hourMs),
      memberId,
      apiKeyId,
      createdAt: now,
    },
  })
}

export const CancelOfferBatch = z
  .object({ offerBatchId: nodeId('OfferBatch').describe('The batch.') })
  .describe('A batch of offers to cancel.')

/**
 * Ends a batch. The offers that it has made stay.
 * @throws TesseraError OFFER_BATCH_NOT_FOUND; OFFER_BATCH_ENDED
 */
export const cancelOfferBatch = async (
  { tx, clock }: Work,
  { offerBatchId: id, ...tenant }: Tenant & z.output<typeof CancelOfferBatch>,
): Promise<OfferBatch> => {
  const own = ofTenant(tx, tenant).offerBatch
  const [cancelled] = await own.updateManyAndReturn({
    where: { id, completedAt: null },
    data: { status: 'CANCELLED', completedAt: clock() },
  })
  if (cancelled) return cancelled
  const found = await own.findUnique({ where: { id } })
  if (!found) throw new TesseraError('OFFER_BATCH_NOT_FOUND')
  throw new TesseraError('OFFER_BATCH_ENDED', { status: found.status, since: found.completedAt })
}

/** Reads batches by their ids, in one statement. */
export const findOfferBatches = async (
  { tx }: Work,
  ids: string[],
): Promise<(OfferBatch | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').offerBatch.findMany({ where: { id: { in: ids } } }))

/** Users that one transaction looks at. */
const usersAtOnce = 500

/** Makes offers to the next users. Returns whether there are more, and no other node makes them. */
const makeNext = (runtime: Runtime, id: string): Promise<boolean> =>
  inTransaction(runtime, async (work) => {
    const { tx, clock } = work
    const [batch] = await lockBatch(tx, id)
    if (!batch) return false
    const { partnerId, environment, segmentId, expiresAt, offerType, rewardId } = batch
    const tenant = { partnerId, environment }
    const segment = segmentId === null ? null : await findSegment(work, tenant, { id: segmentId })
    const isOver = !segment || expiresAt <= clock()
    const users = isOver
      ? []
      : await selectNextUsers(
          tx,
          tenant,
          batch.afterExternalId,
          matchOfSegment(segment),
          usersAtOnce,
        )
    const chosen = users.filter(({ isMatch }) => isMatch)
    const offers = chosen.map(({ externalId }) => ({
      ...tenant,
      externalId: externalId as ExternalId,
      offerType,
      gameType: batch.gameType,
      title: batch.title,
      description: batch.description,
      points: batch.pointsValue,
      creditsPoints: batch.creditsPoints,
      reward: rewardId === null ? null : { id: rewardId },
      expiresAt,
      batchId: id,
    }))
    const made = offers.length > 0 ? await createOffers(work, offers) : []
    const isLast = users.length < usersAtOnce
    await ofTenant(tx, tenant).offerBatch.update({
      where: { id },
      data: {
        userCount: { increment: chosen.length },
        offerCount: { increment: made.filter((offer) => !(offer instanceof Error)).length },
        afterExternalId: users.at(-1)?.externalId ?? batch.afterExternalId,
        ...(isLast ? { status: 'COMPLETED', completedAt: clock() } : { status: 'RUNNING' }),
      },
    })
    return !isLast
  })

/** A run ends well before it counts as hung. The next run continues. */
const longestRunMs = 300_000

/** Makes the offers of open batches. Batches take turns. */
export const makeBatches = async (runtime: Runtime, signal?: AbortSignal): Promise<void> => {
  const start = Date.now()
  let open = await findOpenBatches(runtime.db)
  while (open.length > 0 && Date.now() - start < longestRunMs) {
    const unfinished: typeof open = []
    for (const one of open) {
      if (signal?.aborted) return
      if (await makeNext(runtime, one.id)) unfinished.push(one)
    }
    open = unfinished
  }
}
