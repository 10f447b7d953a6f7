/** Codes that people read, type and guess. A dump of the database reveals none, even to someone who tries them all. */
import type { Random } from '../kit/random.ts'
import { macOf } from '../kit/security/seal.ts'
import type { Tenant } from '../kit/tenant.ts'

/** 31 characters that are not mistaken for each other: no O and 0, no I, 1 and L (interface: Code batch). */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** One random number for up to nine characters, so each text of that length is equally likely. */
const drawCharacters = (count: number, random: Random): string => {
  let number = random.int(alphabet.length ** count)
  let text = ''
  for (let i = 0; i < count; i++) {
    text += alphabet[number % alphabet.length]
    number = Math.floor(number / alphabet.length)
  }
  return text
}

/** The first four letters or digits of a campaign's slug, in upper case. */
export const codePrefix = (slug: string): string =>
  slug
    .replace(/[^a-z\d]/gi, '')
    .slice(0, 4)
    .toUpperCase()

/** A code of a batch: `SUMM-7KQMXP4D`. */
export const drawCode = (prefix: string, random: Random): string =>
  `${prefix}-${drawCharacters(8, random)}`

/** A win code: `WIN-7KQM-XP4D-9TRB`. It is longer than a code of a batch, so that the two are not confused. */
export const drawWinCode = (random: Random): string =>
  `WIN-${drawCharacters(4, random)}-${drawCharacters(4, random)}-${drawCharacters(4, random)}`

/** A referral code: `7KQMXP4D`. */
export const drawReferralCode = (random: Random): string => drawCharacters(8, random)

/** What people and mail programs put between the letters of a code: blanks, dashes, and what is not visible. */
const separators = /[\s\p{Pd}\p{Cf}\u2043\u2212\u02d7]/gu

/**
 * The stored form of a code that a user typed or pasted. Case, full-width letters, blanks, invisible characters and
 * hyphens do not matter: the hyphens follow from the letters.
 */
export const normalCode = (text: string): string => {
  const letters = text.normalize('NFKC').replace(separators, '').toUpperCase()
  const [, ...groups] =
    /^(WIN)(.{4})(.{4})(.{4})$/.exec(letters) ?? /^(.{1,4})(.{8})$/.exec(letters) ?? []
  return groups.length > 0 ? groups.join('-') : letters
}

/** Whether the stored form of a code is that of a win code. */
export const isWinCode = (code: string): boolean => /^WIN(-[A-Z\d]{4}){3}$/.test(code)

/** The characters by which people recognize a code of a batch, without revealing it. */
export const codeEnding = (code: string): string => code.slice(-4)

/** HMAC of a code of a batch, with a key that is not in the database. It differs between tenants. */
export const codeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'campaign-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)

/** The same for a win code. */
export const winCodeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'win-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)
