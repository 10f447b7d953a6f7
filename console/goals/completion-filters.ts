/** The filter and the order of completions, from the URL. */
import type { Search } from '../client/link.tsx'
import { chosen } from '../parts/choice-field.tsx'
import { orderOf } from '../parts/list-order.ts'
import { type Period, rangeOf } from '../parts/period.tsx'

/** The filters, by their names in the URL. */
export const completionFilters = { counted: { isRevoked: false }, revoked: { isRevoked: true } }

export const completionOrders = { CREATED_AT: 'DESC' } as const

export const completionListOf = (search: Search, period: Period | null) => {
  const name = chosen(search['completions'], ['counted', 'revoked'])
  return {
    filter: {
      ...(name && completionFilters[name]),
      ...(period && { completedAt: rangeOf(period) }),
    },
    order: orderOf(search, completionOrders, 'CREATED_AT'),
  }
}
