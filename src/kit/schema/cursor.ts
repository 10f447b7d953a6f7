/** Cursors: positions in a list that clients can store but not read or create. */
import { createHash } from 'node:crypto'
import { type GraphQLResolveInfo, Kind } from 'graphql'
import { type FieldError, TesseraError } from '../errors.ts'
import { type MasterKeys, macOf, seal, unseal } from '../security/seal.ts'
import { builder } from './builder.ts'
import { defaultItems, maxItems } from './list-size.ts'

const purpose = 'cursor'

/**
 * A position in a list as an opaque text. The nonce is derived from the position, so one position always gives
 * the same text under one master key, and clients can use cursors as cache keys.
 * @param list unique name of the list, or of lists that share positions
 */
export const sealCursor = (keys: MasterKeys, list: string, place: unknown): string => {
  const text = JSON.stringify(place)
  const nonce = macOf(keys[0].text, 'cursor nonce', `${list}\0${text}`).subarray(0, 12)
  return Buffer.from(seal(keys, { purpose, owner: list }, text, nonce)).toString('base64url')
}

/** The position of a cursor sealed under any version of the master key; undefined if it is not of this list. */
export const openCursor = (keys: MasterKeys, list: string, cursor: string): unknown => {
  try {
    return JSON.parse(unseal(keys, { purpose, owner: list }, Buffer.from(cursor, 'base64url')))
  } catch {
    return undefined
  }
}

/** The position of an item: its values in the fields of the order. */
export type Place = readonly (string | number | bigint | Date | null)[]

const pack = (value: Place[number]) => {
  if (typeof value === 'bigint') return { n: String(value) }
  return value instanceof Date ? { t: value.getTime() } : value
}

type Packed = string | number | null | { n: string } | { t: number }

const unpack = (value: Packed): Place[number] => {
  if (typeof value !== 'object' || value === null) return value
  return 'n' in value ? BigInt(value.n) : new Date(value.t)
}

/** The list name of offset cursors. No real list has it. */
const offsets = 'offset'

/**
 * The cursor of item number `n`, from 1, of any list. It does not survive inserts. For adapters with page
 * numbers; a connection never returns one.
 */
export const offsetCursor = (keys: MasterKeys, n: number): string => sealCursor(keys, offsets, n)

/**
 * The cursors of one list. They are bound to its name, its order and its filter.
 * @param filter the JSON value that decides which items are in the list; null values are ignored
 */
export const cursorsOf = (
  keys: MasterKeys,
  { list, order, filter }: { list: string; order: string; filter: object },
) => {
  let digest: string | undefined
  const filterDigest = () => {
    if (digest === undefined) {
      const text = JSON.stringify(filter, (_, value) => value ?? undefined)
      digest = createHash('sha256').update(text).digest('base64url').slice(0, 16)
    }
    return digest
  }
  return {
    make: (place: Place): string =>
      sealCursor(keys, list, [order, filterDigest(), ...place.map(pack)]),
    /** A position, the number of an item, or the problem with the text. */
    open: (cursor: string): Place | number | { fault: string } => {
      const opened = openCursor(keys, list, cursor) as [string, string, ...Packed[]] | undefined
      if (!opened) {
        const offset = openCursor(keys, offsets, cursor) as number | undefined
        return offset ?? { fault: 'is not a cursor of this list' }
      }
      const [itsOrder, itsFilter, ...place] = opened
      if (itsFilter !== filterDigest())
        return { fault: 'is a cursor of this list with another filter' }
      if (itsOrder !== order) return { fault: 'is a cursor of this list in another order' }
      return place.map(unpack)
    },
  }
}

export type ListArgs = {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

/** Arguments of every list. */
export const windowArgs = builder.args((t) => ({
  first: t.int({
    defaultValue: defaultItems,
    description: `Number of items from the beginning of the list, or after \`after\`: 1 to ${maxItems}.`,
  }),
  after: t.string({
    description:
      'The cursor of the item after which the page begins. A cursor belongs to the filter and the order of its list.',
  }),
  last: t.int({
    description: `Number of items from the end of the list, or before \`before\`, instead of \`first\`: 1 to ${maxItems}.`,
  }),
  before: t.string({
    description:
      'The cursor of the item before which the page ends. It goes backward, so it cannot be combined with `first` or `after`.',
  }),
}))

/** Whether a request names an argument of a field, which may also have its value by default. */
export const isGiven = (
  { fieldNodes, variableValues }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'variableValues'>,
  argument: string,
): boolean => {
  const [field] = fieldNodes
  const value = field?.arguments?.find(({ name }) => name.value === argument)?.value
  if (value?.kind !== Kind.VARIABLE) return value !== undefined
  return variableValues[value.name.value] !== undefined
}

/** The arguments of a page without the default of `first` when the request reads backward. */
export const pageArgs = (args: ListArgs, info: GraphQLResolveInfo): ListArgs => {
  const { first, ...others } = args
  const isBackward = others.last != null || others.before != null
  return isBackward && !isGiven(info, 'first') ? others : args
}

/** A number of items after or before a cursor, or from the beginning or the end. */
type Window = { take: number; backward: boolean; cursor: string | null }

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
