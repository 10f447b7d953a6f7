/** The order of a list in the URL: `?sort=NAME&order=DESC`. */
import type { Search } from '../client/link.tsx'
import { chosen } from './choice-field.tsx'

type Direction = 'ASC' | 'DESC'

/** An order of the API. Each has an index or a short list, so that all rows are in order, not only those of a page. */
export type ListOrder<Field extends string = string> = { field: Field; direction: Direction }

/** The orders of a list, each with the direction of the first click: names from A, times and numbers from the highest. */
export type ListOrders<Field extends string = string> = Readonly<Record<Field, Direction>>

/** The order that a list is requested in. */
export const orderOf = <Field extends string>(
  search: Search,
  orders: ListOrders<Field>,
  fallback: NoInfer<Field>,
): ListOrder<Field> => {
  const field = chosen(search['sort'], Object.keys(orders) as Field[]) ?? fallback
  return { field, direction: chosen(search['order'], ['ASC', 'DESC']) ?? orders[field] }
}

/** The change of the URL that sorts by a column: in its first direction, then in the other one. */
export const searchToSort = (now: ListOrder, first: ListOrder): Search => {
  const isTurned = now.field === first.field && now.direction === first.direction
  return {
    sort: first.field,
    order: isTurned ? (first.direction === 'ASC' ? 'DESC' : 'ASC') : undefined,
    // A cursor belongs to the order that it was made for.
    after: undefined,
    before: undefined,
  }
}
