/** Saved filters of profiles, and who enters or leaves them. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { sqlState } from '../core/db/outage.ts'
import { TesseraError } from '../core/errors.ts'
import { follow, type Place } from '../core/follow.ts'
import type { Part } from '../core/graphql/connection.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { isUuid, oneOf, text } from '../core/validation.ts'
import { Prisma, type Segment } from '../generated/prisma/client.ts'
import {
  Device,
  EngagementTier,
  LifecycleStage,
  type SegmentMove,
} from '../generated/prisma/enums.ts'
import { countryCode } from './country.ts'

/** What profiles can be filtered by. A field that is left out lets all pass. */
export const ProfileFilter = z
  .object({
    stage: oneOf('LifecycleStage', LifecycleStage).nullish().describe('Lifecycle stage.'),
    tier: oneOf('EngagementTier', EngagementTier).nullish().describe('Engagement tier.'),
    tag: text(255).nullish().describe('A key that the tags have.'),
    tagValue: text(255).nullish().describe('The value of that tag, as text. Needs `tag`.'),
    country: countryCode().nullish().describe('ISO 3166-1 alpha-2.'),
    device: oneOf('Device', Device).nullish().describe('Device.'),
    source: text(255).nullish().describe('Acquisition channel.'),
  })
  .describe('Which profiles. All that is given must be true of a profile.')

export type ProfileFilter = z.output<typeof ProfileFilter>

export const CreateSegment = ProfileFilter.extend({
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

/** A filter as a condition on `user_profile p`. */
const filterSql = (
  { partnerId, environment }: Tenant,
  { stage, tier, tag, tagValue, country, device, source }: ProfileFilter,
): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`p.partner_id = ${partnerId}::uuid AND p.environment = ${environment}::"Environment"`,
      ...(stage != null ? [Prisma.sql`p.stage = ${stage}::"LifecycleStage"`] : []),
      ...(tier != null ? [Prisma.sql`p.tier = ${tier}::"EngagementTier"`] : []),
      ...(tag != null ? [Prisma.sql`p.tags ? ${tag}::text`] : []),
      ...(tagValue != null ? [Prisma.sql`p.tags ->> ${tag ?? ''}::text = ${tagValue}::text`] : []),
      ...(country != null ? [Prisma.sql`p.country = ${country}::text`] : []),
      ...(device != null ? [Prisma.sql`p.device = ${device}::"Device"`] : []),
      ...(source != null ? [Prisma.sql`p.source = ${source}::text`] : []),
    ],
    ' AND ',
  )

/** How many profiles pass a filter now; counting ends at the limit. */
export const countProfiles = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  filter: ProfileFilter,
  limit: number | null = null,
): Promise<number> => {
  const [row] = await tx.$queryRaw<{ n: bigint }[]>`
    SELECT count(*) AS n FROM (
      SELECT FROM user_profile p WHERE ${filterSql(tenant, filter)} LIMIT ${limit}::int) found`
  return Number(row?.n)
}

/** The ids of a part of the profiles that pass a filter, in the order of ids. */
export const findProfileIds = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  filter: ProfileFilter,
  { take, skip, backward, from }: Part,
): Promise<string[]> => {
  const [beyond, direction] = backward ? ['<', 'DESC'] : ['>', 'ASC']
  const place = from
    ? Prisma.sql`AND p.user_id ${Prisma.raw(beyond)} ${from[0]}::uuid`
    : Prisma.empty
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT p.user_id AS id FROM user_profile p WHERE ${filterSql(tenant, filter)} ${place}
    ORDER BY p.user_id ${Prisma.raw(direction)} LIMIT ${take}::int OFFSET ${skip}::int`
  return rows.map(({ id }) => id)
}

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

/**
 * Deletes a segment and gives what it was.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const deleteSegment = async ({ tx }: Work, tenant: Tenant, id: string): Promise<Segment> => {
  const where = { id, ...tenantOf(tenant) }
  const segment = await tx.segment.findUnique({ where })
  const { count } = await tx.segment.deleteMany({ where })
  if (!segment || count === 0) throw new TesseraError('SEGMENT_NOT_FOUND')
  return segment
}

/** A user has entered or left a segment. */
export type SegmentMoved = Place & { userId: string; move: SegmentMove; changedAt: Date }

const listMoves = (
  { db }: Pick<Runtime, 'db'>,
  segmentId: string,
  { after, upTo, take }: { after: Place; upTo: bigint; take: number },
): Promise<SegmentMoved[]> => db.$queryRaw<SegmentMoved[]>`
  SELECT id, txid AS position, user_id AS "userId", move, changed_at AS "changedAt"
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
  segmentId: string,
): Promise<(signal: AbortSignal) => AsyncGenerator<SegmentMoved>> => {
  const where = { id: segmentId, ...tenantOf(tenant) }
  const segment = isUuid(segmentId) && (await runtime.db.segment.findUnique({ where }))
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
