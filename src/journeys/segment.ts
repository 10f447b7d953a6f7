/** Segments: saved filters of users, and who enters or leaves them. */
import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import { refuseTaken } from '../core/db/taken.ts'
import { TesseraError } from '../core/errors.ts'
import { follow } from '../core/follow.ts'
import { nodeId, oneKey } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { text } from '../core/validation.ts'
import type { Segment } from '../generated/prisma/client.ts'
import { JourneyFilter } from './journey-filter.ts'
import { listMoves, type SegmentMoved } from './segment.sql.ts'

export type { SegmentMoved } from './segment.sql.ts'

export const CreateSegment = JourneyFilter.extend({
  name: text(100).describe('Unique among your segments.'),
})
  .superRefine(({ name: _, ...filter }, ctx) => {
    if (Object.values(filter).every((value) => value == null))
      ctx.addIssue({ code: 'custom', path: ['stage'], message: 'or another filter must be given' })
    if (filter.tagValue != null && filter.tag == null)
      ctx.addIssue({ code: 'custom', path: ['tagValue'], message: 'needs tag' })
  })
  .describe('A filter to save under a name.')

export type CreateSegment = z.output<typeof CreateSegment>

/** @throws TesseraError SEGMENT_NAME_TAKEN */
export const createSegment = (
  { tx, clock }: Work,
  tenant: Tenant,
  segment: CreateSegment,
): Promise<Segment> =>
  tx.segment
    .create({ data: { id: uuid(), ...tenantOf(tenant), ...segment, createdAt: clock() } })
    .catch(refuseTaken('SEGMENT_NAME_TAKEN', 'name', segment.name))

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
): Promise<Segment | null> => tx.segment.findFirst({ where: { ...tenantOf(tenant), ...by } })

/**
 * Deletes a segment and returns its id.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const deleteSegment = async (
  { tx }: Work,
  tenant: Tenant,
  by: SegmentBy,
): Promise<string> => {
  const segment = await findSegment({ tx }, tenant, by)
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  const { id } = segment
  const { count } = await tx.segment.deleteMany({ where: { id } })
  if (count === 0) throw new TesseraError('SEGMENT_NOT_FOUND')
  return id
}

/**
 * Streams who enters and leaves a segment, in the order of commits, until the signal aborts.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const followSegment = async (
  runtime: Runtime,
  tenant: Tenant,
  by: SegmentBy,
): Promise<(signal: AbortSignal) => AsyncGenerator<SegmentMoved>> => {
  const segment = await findSegment(runtime, tenant, by)
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  return (signal) =>
    follow(runtime, {
      topic: 'segment',
      about: segment.id,
      after: null,
      read: (after, upTo, take) => listMoves(runtime.db, segment.id, after, upTo, take),
      signal,
    })
}
