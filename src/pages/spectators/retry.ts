/** When and how a page reconnects to the server. */

export type Transport = 'socket' | 'events'

/** The number of consecutive failures after which the other transport is also tried. */
const patience = 2

/**
 * The transport to try after this many consecutive failures: the one that worked last, and after repeated failures
 * both in turn. A proxy may block WebSockets but not plain requests.
 */
export const transportOf = (failures: number, lastGood: Transport): Transport => {
  if (failures < patience) return lastGood
  const other = lastGood === 'socket' ? 'events' : 'socket'
  return (failures - patience) % 2 === 0 ? other : lastGood
}

const firstMs = 300
const longestMs = 10_000

/** The delay before the next attempt, in milliseconds. `chance` (0 to 1) spreads the attempts of many pages. */
export const waitBefore = (failures: number, chance: number): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + chance / 2)

const final = ['MATCH_NOT_FOUND', 'INVALID_PARAMETERS', 'DOCUMENT_TOO_COMPLEX']

/** Whether retrying is useless after an error with this code. */
export const isFinal = (code: string | undefined): boolean =>
  code !== undefined && (final.includes(code) || code.startsWith('GRAPHQL_'))
