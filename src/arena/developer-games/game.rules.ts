/** Slugs, addresses and policies of games, without any input or output. */
import type { ArenaResultPolicy } from '../../generated/prisma/enums.ts'
import type { Terms } from './flow.rules.ts'

const reservedSlugs = new Set(['featured', 'id', 'sessions'])
const maxSlug = 60

/** A name as part of a URL: lower-case ASCII letters and digits, joined by `-`. */
export const slugBase = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, maxSlug)
    .replace(/^-|-$/g, '') || 'game'

/** The first free slug for a name: `space-race`, `space-race-2`, … */
export const freeSlug = (name: string, isTaken: (slug: string) => boolean): string => {
  const base = slugBase(name)
  let slug = base
  for (let n = 2; reservedSlugs.has(slug) || isTaken(slug); n++) slug = `${base}-${n}`
  return slug
}

/** A rate of 0 to 1 in whole percent, as games store it. */
export const inPercent = (rate: number | null | undefined): number | undefined =>
  rate == null ? undefined : Math.round(rate * 100)

/** Who may report: the game's policy, except that a paid session is never OPEN. */
export const effectivePolicy = (
  policy: ArenaResultPolicy | null,
  entryFee: number,
): ArenaResultPolicy =>
  (policy === 'OPEN' && entryFee > 0 ? null : policy) ?? (entryFee > 0 ? 'TOKEN' : 'OPEN')

type Game = Omit<Terms, 'resultPolicy'> & { resultPolicy: ArenaResultPolicy | null }

/** The price and payout of new sessions of a game, and who reports their results. */
export const termsOf = ({ entryFee, developerRevenueShare, resultPolicy }: Game): Terms => ({
  entryFee,
  developerRevenueShare,
  resultPolicy: effectivePolicy(resultPolicy, entryFee),
})

/**
 * The terms as an opaque text, which changes with each of them. A part that is left out is empty: the documented
 * REST route may name some of the terms only.
 */
export const termsVersionOf = (terms: Partial<Terms>): string =>
  [terms.entryFee, terms.developerRevenueShare, terms.resultPolicy]
    .map((part) => part ?? '')
    .join('-')

/** Whether terms are those of a version, as far as it names them. */
export const isTermsVersion = (terms: Terms, version: string): boolean => {
  const [wanted, present] = [version.split('-'), termsVersionOf(terms).split('-')]
  return (
    wanted.length === present.length &&
    wanted.every((part, n) => part === '' || part === present[n])
  )
}

/**
 * An address as stored. An address of this service is stored as a path, so that it stays valid when the
 * service moves. Null when it is neither https nor one of this service's pages for games.
 * @param allowsHttp whether other addresses may be http
 */
export const storedBuildUrl = (
  url: string,
  publicUrl: string,
  allowsHttp = false,
): string | null => {
  const { protocol, origin, pathname, search, username, password } = new URL(url)
  if (username || password) return null
  if (origin === new URL(publicUrl).origin && pathname.startsWith(ownGames))
    return pathname + search
  return protocol === 'https:' || allowsHttp ? url : null
}

/** Where this service serves its own games. */
export const ownGames = '/arena/builds/'

/** The public URL of a stored address. */
export const shownBuildUrl = (stored: string, publicUrl: string): string =>
  stored.startsWith('/') ? publicUrl + stored : stored
