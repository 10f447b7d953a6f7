/** Saved filters of profiles, and who enters or leaves them. */
import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import { sqlState } from '../core/db/outage.ts'
import { TesseraError } from '../core/errors.ts'
import { follow, type Place } from '../core/follow.ts'
import { nodeId, oneKey } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { text } from '../core/validation.ts'
import { Prisma, type Segment } from '../generated/prisma/client.ts'
import type { Environment, SegmentMove } from '../generated/prisma/enums.ts'
import { JourneyFilter } from './journey-filter.ts'

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

const passes = (suffix: '' | '_before') => {
  const column = (name: string) => Prisma.raw(`f.${name}${suffix}`)
  return Prisma.sql`(
    (s.stage IS NULL OR s.stage IS NOT DISTINCT FROM ${column('stage')})
    AND (s.tier IS NULL OR s.tier IS NOT DISTINCT FROM ${column('tier')})
    AND (s.tag IS NULL OR coalesce(${column('tags')} ? s.tag, false))
    AND (s.tag_value IS NULL OR s.tag_value IS NOT DISTINCT FROM ${column('tags')} ->> s.tag)
    AND (s.country IS NULL OR s.country IS NOT DISTINCT FROM ${column('country')})
    AND (s.device IS NULL OR s.device IS NOT DISTINCT FROM ${column('device')})
    AND (s.source IS NULL OR s.source IS NOT DISTINCT FROM ${column('source')}))`
}

/**
 * The part of a statement that writes down who enters and leaves which segment. `source` is a SELECT of
 * (user_id, partner_id, environment) and each filtered column as it is and, with `_before`, as it was.
 */
export const recordSegmentMoves = (source: Prisma.Sql, changedAt: Date): Prisma.Sql => Prisma.sql`
  INSERT INTO segment_change (id, partner_id, environment, segment_id, user_id, move, changed_at)
  SELECT gen_random_uuid(), f.partner_id, f.environment, s.id, f.user_id,
    (CASE WHEN ${passes('')} THEN 'entered' ELSE 'left' END)::"SegmentMove", ${changedAt}::timestamptz
  FROM (${source}) f JOIN segment s ON s.partner_id = f.partner_id AND s.environment = f.environment
  WHERE ${passes('')} <> ${passes('_before')}`

/** @throws TesseraError SEGMENT_NAME_TAKEN */
export const createSegment = async (
  { tx, clock }: Work,
  tenant: Tenant,
  segment: CreateSegment,
): Promise<Segment> => {
  try {
    return await tx.segment.create({
      data: { id: uuid(), ...tenantOf(tenant), ...segment, createdAt: clock() },
    })
  } catch (error) {
    if (sqlState(error) === '23505') {
      const { name } = segment
      throw new TesseraError('SEGMENT_NAME_TAKEN', { field: 'name', value: name })
    }
    throw error
  }
}

export const SegmentBy = oneKey({
  id: nodeId('Segment').describe('The id, global or UUID.'),
  name: text(100).describe('The name.'),
})
  .meta({ graphql: 'SegmentBy' })
  .describe('A segment, by one of these.')

type SegmentBy = z.output<typeof SegmentBy>

/** The segment that a caller names, or null. */
export const findSegment = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  by: SegmentBy,
): Promise<Segment | null> => tx.segment.findFirst({ where: { ...tenantOf(tenant), ...by } })

/**
 * Deletes a segment and gives its id.
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

/** A user has entered or left a segment. */
export type SegmentMoved = Place & {
  segmentId: string
  partnerId: string
  environment: Environment
  userId: string
  move: SegmentMove
  changedAt: Date
}

const listMoves = (
  { db }: Pick<Runtime, 'db'>,
  segmentId: string,
  { after, upTo, take }: { after: Place; upTo: bigint; take: number },
): Promise<SegmentMoved[]> => db.$queryRaw<SegmentMoved[]>`
  SELECT id, txid AS position, segment_id AS "segmentId", partner_id AS "partnerId", environment,
    user_id AS "userId", move, changed_at AS "changedAt"
  FROM segment_change
  WHERE segment_id = ${segmentId}::uuid AND txid <= ${upTo}::bigint
    AND (txid, id) > (${after.position}::bigint, ${after.id}::uuid)
  ORDER BY txid, id LIMIT ${take}::int`

/**
 * Who enters and leaves a segment from now on, in the order of commits, until the signal.
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
      read: (after, upTo, take) => listMoves(runtime, segment.id, { after, upTo, take }),
      signal,
    })
}
