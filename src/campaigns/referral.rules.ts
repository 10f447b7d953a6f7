/** Who counts as the same person in referrals. */

/** The address that an id spells: without blanks, invisible characters, case, and the tag of `name+tag@example.com`. */
const addressOf = (id: string): string =>
  id
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/^([^@+]+)\+[^@]*(@[^@]+)$/, '$1$2')

/** Whether two ids are spellings of one address. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || addressOf(one) === addressOf(other)
