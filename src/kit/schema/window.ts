/** The requested part of a list. */
import { type FieldError, TesseraError } from '../errors.ts'
import { builder } from './builder.ts'

export const defaultItems = 20
export const maxItems = 100

export type ListArgs = {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

/** Arguments of every list. */
export const windowArgs = builder.args((t) => ({
  first: t.int(),
  after: t.string(),
  last: t.int(),
  before: t.string(),
}))

/** The cost of a list: each item costs as much as its fields. (The plugin assumes 10 items for `nodes` and `edges`.) */
export const listComplexity = ({ first, last }: ListArgs) => ({
  field: 1,
  multiplier: Math.min(Math.max(first ?? last ?? defaultItems, 1), maxItems) / 10,
})

/** A number of items after or before a cursor, or from the beginning or the end. */
export type Window = { take: number; backward: boolean; cursor: string | null }

/** The problems with the arguments. */
const windowFaults = ({ first, after, last, before }: ListArgs): FieldError[] => {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) =>
    errors.push({ field, code: 'invalid', message: `${field} ${message}` })
  for (const [field, count] of Object.entries({ first, last }))
    if (count != null && !(count >= 1 && count <= maxItems))
      refuse(field, `must be 1 to ${maxItems}`)
  if ((first != null || after != null) && (last != null || before != null))
    refuse(
      last != null ? 'last' : 'before',
      'cannot be combined with first or after: first and after go forward, last and before go backward',
    )
  return errors
}

/** @throws TesseraError INVALID_PARAMETERS that names all invalid arguments */
export const windowOf = (args: ListArgs): Window => {
  const errors = windowFaults(args)
  if (errors.length > 0) throw new TesseraError('INVALID_PARAMETERS', { errors })
  const { first, after, last, before } = args
  const backward = last != null || before != null
  return {
    take: (backward ? last : first) ?? defaultItems,
    backward,
    cursor: (backward ? before : after) ?? null,
  }
}
