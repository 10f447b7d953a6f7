/** Cursors: places in a list that clients keep, but cannot read or make. */
import { createHash } from 'node:crypto'
import { type MasterKeys, macOf, seal, unseal } from '../seal.ts'

const purpose = 'cursor'

/**
 * A place in a list as a text without meaning. One place gives one text while the first master key stays
 * the same: the nonce follows from the place, so that clients can use cursors as cache keys.
 * @param list unique name of the list, or of lists whose places mean the same
 */
export const sealCursor = (keys: MasterKeys, list: string, place: unknown): string => {
  const text = JSON.stringify(place)
  const nonce = macOf(keys[0].text, 'cursor nonce', `${list}\0${text}`).subarray(0, 12)
  return Buffer.from(seal(keys, { purpose, owner: list }, text, nonce)).toString('base64url')
}

/** The place of a cursor, of any version of the master key; undefined when it is not one of this list. */
export const openCursor = (keys: MasterKeys, list: string, cursor: string): unknown => {
  try {
    return JSON.parse(unseal(keys, { purpose, owner: list }, Buffer.from(cursor, 'base64url')))
  } catch {
    return undefined
  }
}

/** Where an item stands: what it has in the fields of the order. */
export type Place = readonly (string | number | bigint | Date)[]

const pack = (value: Place[number]) => {
  if (typeof value === 'bigint') return { n: String(value) }
  return value instanceof Date ? { t: value.getTime() } : value
}

type Packed = string | number | { n: string } | { t: number }

const unpack = (value: Packed): Place[number] => {
  if (typeof value !== 'object') return value
  return 'n' in value ? BigInt(value.n) : new Date(value.t)
}

/** No list has this name. */
const offsets = 'offset'

/**
 * The cursor of the item number `n`, from 1, of any list. It does not survive inserts. For adapters that
 * know page numbers; a connection never gives one.
 */
export const offsetCursor = (keys: MasterKeys, n: number): string => sealCursor(keys, offsets, n)

/**
 * The cursors of one list. They are bound to its name, its order and its filter.
 * @param filter what decides which items are in the list, as a value that JSON can hold; null is left out
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
    /** A place, the number of an item, or in words what else the text is. */
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
