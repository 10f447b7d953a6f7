/** Statements on segments and their moves. */

import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, statement } from '../kit/database/statement.ts'
import { isInRanges } from '../programme/segment-range.sql.ts'

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
 * The part of a statement that writes which users enter and leave which segments. `source` is a SELECT of (user_id,
 * partner_id, environment) and each filtered column in its new state and, with the suffix `_before`, in its old
 * state. Of a segment with conditions on numbers and times, only users who meet these move.
 */
export const recordSegmentMoves = (source: Prisma.Sql, changedAt: Date): Prisma.Sql => Prisma.sql`
  INSERT INTO segment_change (id, partner_id, environment, segment_id, user_id, move, changed_at)
  SELECT gen_random_uuid(), f.partner_id, f.environment, s.id, f.user_id,
    (CASE WHEN ${passes('')} THEN 'entered' ELSE 'left' END)::"SegmentMove", ${changedAt}::timestamptz
  FROM (${source}) f JOIN segment s ON s.partner_id = f.partner_id AND s.environment = f.environment
  WHERE ${passes('')} <> ${passes('_before')} AND ${isInRanges(Prisma.raw('f.user_id'), changedAt)}`

/** Locks a segment, unless it is gone. */
export const lockSegment = lockStatement(
  'lock_segment',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`
    SELECT id FROM segment WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/** The moves of a segment after a position, in commit order. */
export const listMoves = statement(
  'list_segment_moves',
  returns({
    id: 'uuid',
    position: 'bigint',
    segmentId: 'uuid',
    partnerId: 'uuid',
    environment: 'Environment',
    userId: 'uuid',
    move: 'SegmentMove',
    changedAt: 'timestamptz',
  }),
  (segmentId: string, after: bigint, upTo: bigint, take: number) => Prisma.sql`
    SELECT id, position, segment_id AS "segmentId", partner_id AS "partnerId", environment,
      user_id AS "userId", move, changed_at AS "changedAt"
    FROM segment_change
    WHERE segment_id = ${segmentId}::uuid AND position > ${after}::bigint
      AND position <= ${upTo}::bigint
    ORDER BY position LIMIT ${take}::int`,
)

/** A user has entered or left a segment. */
export type SegmentMoved = Awaited<ReturnType<typeof listMoves>>[number]
