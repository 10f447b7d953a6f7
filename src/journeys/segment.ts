/** Segments: saved filters of users, and who enters or leaves them. */

import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import type { Segment } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseDuplicateKey, sqlState } from '../kit/database/outage.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { follow } from '../kit/streams/follow.ts'
import type { Tenant } from '../kit/tenant.ts'
import { text } from '../kit/validation.ts'
import { JourneyFilter } from './journey-filter.ts'
import { listMoves, lockSegment, type SegmentMoved } from './segment.sql.ts'
import { faultsOfRanges, withColumns } from './segment-range.ts'

export type { SegmentMoved } from './segment.sql.ts'

const name = () => text(100).describe('Unique among your segments.')

/** The errors in the filter of a segment, with their fields. */
const faultsOf = (
  filter: Parameters<typeof faultsOfRanges>[0] & Pick<JourneyFilter, 'tag' | 'tagValue'>,
): (readonly [field: string, message: string])[] => [
  ...(Object.values(filter).every((value) => value == null)
    ? ([['stage', 'or another filter must be given']] as const)
    : []),
  ...(filter.tagValue != null && filter.tag == null ? ([['tagValue', 'needs tag']] as const) : []),
  ...faultsOfRanges(filter),
]

export const CreateSegment = JourneyFilter.extend({ name: name() })
  .superRefine(({ name: _, ...filter }, ctx) => {
    for (const [field, message] of faultsOf(withColumns(filter)))
      ctx.addIssue({ code: 'custom', path: [field], message })
  })
  .describe('A filter to save under a name.')

export type CreateSegment = z.output<typeof CreateSegment>

/** @throws TesseraError SEGMENT_NAME_TAKEN */
export const createSegment = (
  { tx, clock }: Work,
  { partnerId, environment, engagementTier: tier, ...segment }: Tenant & CreateSegment,
): Promise<Segment> =>
  ofTenant(tx, { partnerId, environment })
    .segment.create({ data: { id: uuid(), ...withColumns(segment), tier, createdAt: clock() } })
    .catch(refuseDuplicateKey('SEGMENT_NAME_TAKEN', 'name', segment.name))

export const SegmentBy = oneKey({
  id: nodeId('Segment').describe('The global id or the UUID.'),
  name: text(100).describe('The name.'),
})
  .meta({ graphql: 'SegmentBy' })
  .describe('Exactly one key of a segment.')

type SegmentBy = z.output<typeof SegmentBy>

/** The segment that a caller names, or null. */
export const findSegment = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  by: SegmentBy,
): Promise<Segment | null> => ofTenant(tx, tenant).segment.findFirst({ where: by })

/** Reads segments by their ids, in one statement. */
export const findSegments = async ({ tx }: Work, ids: string[]): Promise<(Segment | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').segment.findMany({ where: { id: { in: ids } } }))

export const UpdateSegment = JourneyFilter.extend({
  segment: SegmentBy.describe('The segment, by id or name.'),
  name: name().nullish(),
}).describe(
  'Changes to a segment. Omitted fields are unchanged; null clears a field of the filter.',
)

type UpdateSegment = z.output<typeof UpdateSegment>

/**
 * Changes a segment. Subscribers are notified of later moves, not of users who enter or leave because of the change.
 * @throws TesseraError SEGMENT_NOT_FOUND, SEGMENT_NAME_TAKEN, VALIDATION_FAILED for a filter that is empty
 */
export const updateSegment = (
  work: Work,
  {
    partnerId,
    environment,
    segment: by,
    name,
    engagementTier: tier,
    ...changes
  }: Tenant & UpdateSegment,
): Promise<Segment> =>
  inTransaction(work, async ({ tx }) => {
    const tenant = { partnerId, environment }
    const { segment: own } = ofTenant(tx, tenant)
    const found = await findSegment({ tx }, tenant, by)
    // Another change may have committed in between. The resulting filter is checked as a whole.
    const [locked] = found ? await lockSegment(tx, found.id) : []
    const segment = locked && (await own.findUnique({ where: locked }))
    if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
    const given = Object.entries({ ...withColumns(changes), tier }).filter(
      ([, value]) => value !== undefined,
    )
    const {
      id: _,
      partnerId: _p,
      environment: _e,
      name: _n,
      version: _v,
      createdAt: _c,
      ...filter
    } = segment
    const [fault] = faultsOf({ ...filter, ...Object.fromEntries(given) })
    if (fault) throw refused(...fault)
    // With the name there is always something to write, so that each save counts a version.
    const data = { ...Object.fromEntries(given), name: name ?? segment.name }
    return own
      .update({ where: locked, data })
      .catch(refuseDuplicateKey('SEGMENT_NAME_TAKEN', 'name', data.name))
  })

/**
 * Deletes a segment and returns it.
 * @throws TesseraError SEGMENT_NOT_FOUND, SEGMENT_IN_USE
 */
export const deleteSegment = async (
  { tx }: Work,
  tenant: Tenant,
  by: SegmentBy,
): Promise<Segment> => {
  const segment = await findSegment({ tx }, tenant, by)
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  const { id } = segment
  const own = ofTenant(tx, tenant)
  const inUse = new TesseraError('SEGMENT_IN_USE')
  const uses = { where: { segmentId: id } }
  if ((await own.goal.findFirst(uses)) || (await own.reward.findFirst(uses))) throw inUse
  const { count } = await own.segment.deleteMany({ where: { id } }).catch((error: unknown) => {
    // Something has begun to use it meanwhile.
    throw sqlState(error) === '23503' ? inUse : error
  })
  if (count === 0) throw new TesseraError('SEGMENT_NOT_FOUND')
  return segment
}

/**
 * Streams who enters and leaves a segment, in the order of commits, until the signal aborts.
 * @param after the position from which to continue; null for from now on
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const followSegment = async (
  runtime: Runtime,
  tenant: Tenant,
  by: SegmentBy,
  after: bigint | null = null,
): Promise<(signal: AbortSignal) => AsyncGenerator<SegmentMoved>> => {
  const segment = await findSegment(runtime, tenant, by)
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  return (signal) =>
    follow(runtime, {
      topic: 'segment',
      about: segment.id,
      after,
      read: (from, upTo, take) => listMoves(runtime.db, segment.id, from, upTo, take),
      signal,
    })
}
