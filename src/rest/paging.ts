/** Page numbers: `page` and `limit` of REST as a part of a connection, and their fields in the envelope. */
import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import type { FieldError } from '../kit/errors.ts'
import { offsetCursor } from '../kit/schema/cursor.ts'
import { defaultItems, maxItems } from '../kit/schema/list-size.ts'
import type { MasterKeys } from '../kit/security/seal.ts'

/** The page fields of an envelope. */
export type PageField = 'page' | 'limit' | 'total' | 'totalPages' | 'totalParticipants'

/** Their place and order in the envelope: in an object `meta`, or next to the items. */
export type Paging = { meta: readonly PageField[] } | { beside: readonly PageField[] }

type Values = Record<string, unknown>

/** The largest page number. */
const maxInt = 2_147_483_647

/** The problems with page numbers; `NaN` represents any text that is not a number. */
export const pageFaults = (values: Values): FieldError[] =>
  (['page', 'limit'] as const)
    .filter((field) => {
      const value = values[field] as number | null | undefined
      return value != null && !(value >= 1 && value <= maxInt)
    })
    .map((field) => ({
      field,
      code: 'invalid',
      message: `${field} must be an integer from 1 to ${maxInt}`,
    }))

/** The default limit of a route. */
const limitOf = ({ variableDefinitions = [] }: OperationDefinitionNode): number => {
  const limit = variableDefinitions.find(({ variable }) => variable.name.value === 'limit')
  return limit?.defaultValue ? Number(valueFromASTUntyped(limit.defaultValue)) : defaultItems
}

type Figures = Record<PageField, number>

/** For an operation that takes `$page` as a cursor, and `$limit` as the number of items. */
export const preparePaging = (paging: Paging, operation: OperationDefinitionNode) => {
  const defaultLimit = limitOf(operation)

  return {
    /** The requested page, and its position in the connection. */
    read: (
      keys: MasterKeys,
      { page = 1, limit = defaultLimit }: { page?: number; limit?: number },
    ) => {
      const take = Math.min(limit, maxItems)
      const skip = (page - 1) * take
      return {
        page,
        take,
        variables: { page: skip > 0 ? offsetCursor(keys, skip) : null, limit: take },
      }
    },
    /** The answer with the page fields of its envelope. */
    write: (
      { totalCount, ...answer }: Values,
      { page, take }: { page: number; take: number },
    ): Values => {
      const total = (totalCount as { value: number } | undefined)?.value ?? 0
      const figures: Figures = {
        page,
        limit: take,
        total,
        totalPages: Math.ceil(total / take),
        totalParticipants: total,
      }
      const said = (fields: readonly PageField[]) =>
        Object.fromEntries(fields.map((field) => [field, figures[field]]))
      return 'meta' in paging
        ? { ...answer, meta: said(paging.meta) }
        : { ...answer, ...said(paging.beside) }
    },
  }
}
