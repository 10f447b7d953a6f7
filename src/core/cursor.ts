/** Cursors: places in a list that clients keep, but cannot read or make. */
import { type MasterKeys, macOf, seal, unseal } from './seal.ts'

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
