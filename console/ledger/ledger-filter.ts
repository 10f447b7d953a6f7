/** The filter of the ledger page, from its query string. */

import type { Search } from '../client/link.tsx'
import type { LedgerEntryFilter } from '../generated/types.ts'
import { chosen } from '../parts/choice-field.tsx'
import { type Period, rangeOf } from '../parts/period.tsx'
import { addDays } from '../parts/periods.ts'
import { shownToday, shownZone } from '../shown-zone.ts'
import { startOfDay } from '../zones.ts'

export const ledgerDirections = ['RECEIVED', 'SPENT'] as const

/** A filter of points needs a period or one user. This is what the page sets. */
export const impliedDays = 90

/** Whether the page sets a period because the filter of points needs one. */
export const hasImpliedPeriod = (search: Search, period: Period | null): boolean =>
  chosen(search['direction'], ledgerDirections) !== undefined &&
  period === null &&
  !search['user'] &&
  !search['reference']

const impliedRange = () => ({
  from: new Date(startOfDay(shownZone(), addDays(shownToday(), 1 - impliedDays))).toISOString(),
})

export const ledgerFilterOf = (search: Search, period: Period | null): LedgerEntryFilter => {
  const { user, event: eventType, reference } = search
  const direction = chosen(search['direction'], ledgerDirections)
  const createdAt = hasImpliedPeriod(search, period) ? impliedRange() : period && rangeOf(period)
  return {
    ...(user && { user: { externalId: user } }),
    ...(eventType && { eventTypes: [eventType] }),
    ...(reference && { reference }),
    ...(direction && { points: direction === 'SPENT' ? { max: -1 } : { min: 1 } }),
    ...(createdAt && { createdAt }),
  }
}
