/** The filter of the ledger page, from its query string. */

import type { Search } from '../client/link.tsx'
import type { LedgerEntryFilter } from '../generated/types.ts'
import { chosen } from '../parts/choice-field.tsx'

export const ledgerPeriods = ['7', '30', '90'] as const
export const ledgerDirections = ['RECEIVED', 'SPENT'] as const

/** A filter of points needs a period or one user. This is the longest that the page offers. */
export const longestPeriod = '90'

const dayMs = 24 * 3600 * 1000

/** The start of the last days, including today, at midnight UTC, so that it is the same for all requests of a day. */
const startOf = (days: string, now: number) =>
  new Date((Math.floor(now / dayMs) + 1 - Number(days)) * dayMs).toISOString()

/** Whether the page sets a period because the filter of points needs one. */
export const hasImpliedPeriod = (search: Search): boolean =>
  chosen(search['direction'], ledgerDirections) !== undefined &&
  chosen(search['days'], ledgerPeriods) === undefined &&
  !search['user'] &&
  !search['reference']

export const ledgerFilterOf = (search: Search, now: number): LedgerEntryFilter => {
  const { user, event: eventType, reference } = search
  const direction = chosen(search['direction'], ledgerDirections)
  const days = hasImpliedPeriod(search) ? longestPeriod : chosen(search['days'], ledgerPeriods)
  return {
    ...(user && { user: { externalId: user } }),
    ...(eventType && { eventTypes: [eventType] }),
    ...(reference && { reference }),
    ...(direction && { points: direction === 'SPENT' ? { max: -1 } : { min: 1 } }),
    ...(days && { createdAt: { from: startOf(days, now) } }),
  }
}
