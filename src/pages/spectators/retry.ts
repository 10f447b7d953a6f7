/** When and how a page tries again to reach the server. */

export type Transport = 'socket' | 'events'

/** Failures in a row after which the other way is tried, too. */
const patience = 2

/**
 * Which way to try after so many failures in a row: the one that worked last, and when it fails again
 * and again, both in turns. A WebSocket may be blocked where plain requests get through.
 */
export const transportOf = (failures: number, lastGood: Transport): Transport => {
  if (failures < patience) return lastGood
  const other = lastGood === 'socket' ? 'events' : 'socket'
  return (failures - patience) % 2 === 0 ? other : lastGood
}

const firstMs = 300
const longestMs = 10_000

/** How long to wait before the next try, in milliseconds; `chance` (0 to 1) keeps many pages apart. */
export const waitBefore = (failures: number, chance: number): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + chance / 2)

const final = ['MATCH_NOT_FOUND', 'INVALID_PARAMETERS', 'DOCUMENT_TOO_COMPLEX']

/** Whether asking again is of no use after an error with this code. */
export const isFinal = (code: string | undefined): boolean =>
  code !== undefined && (final.includes(code) || code.startsWith('GRAPHQL_'))
