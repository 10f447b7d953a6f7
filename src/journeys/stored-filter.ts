/** Filters of users that are kept with what is done to these users later. */

import type { Prisma, Segment } from '../generated/prisma/client.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { findSegment } from './segment.ts'
import { matchOf, type UserFilter } from './user-list.ts'
import type { UserMatch } from './user-match.sql.ts'

export type StoredFilter = {
  filter: Prisma.JsonValue
  /** Whether only users of a segment match. */
  hasSegment: boolean
  /** Null once the segment is deleted. */
  segmentId: string | null
}

/**
 * A filter to store, and its segment. Its days ago count from the moment when it is used.
 * @throws TesseraError SEGMENT_NOT_FOUND
 */
export const toStore = async (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  { segment: by, ...filter }: UserFilter,
): Promise<{
  stored: { filter: object; hasSegment: boolean; segmentId: string | null }
  segment: Segment | null
}> => {
  const segment = by ? await findSegment(work, tenant, by) : null
  if (by && !segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null))
  const stored = { filter: given, hasSegment: segment !== null, segmentId: segment?.id ?? null }
  return { stored, segment }
}

const timesOf = (period: { from?: unknown; to?: unknown } | null | undefined) =>
  period && {
    from: period.from ? new Date(String(period.from)) : null,
    to: period.to ? new Date(String(period.to)) : null,
  }

/** What a stored filter means now; null if its segment is deleted. */
export const matchOfStored = async (
  work: Pick<Work, 'tx' | 'clock'>,
  tenant: Tenant,
  { filter, hasSegment, segmentId }: StoredFilter,
): Promise<UserMatch | null> => {
  if (hasSegment && segmentId === null) return null
  const stored = filter as UserFilter
  return matchOf(work, tenant, {
    ...stored,
    createdAt: timesOf(stored.createdAt),
    lastSeenAt: timesOf(stored.lastSeenAt),
    ...(segmentId !== null && { segment: { id: segmentId } }),
  })
}
