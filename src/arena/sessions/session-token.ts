/** Session tokens prove that a game acts for a player. */
import type { Keys } from '../../kit/runtime.ts'
import { isTokenOf, type MasterKey, macOf } from '../../kit/security/seal.ts'

const tokenOf = (key: MasterKey, sessionId: string, playerId: string): string => {
  const mac = macOf(key.text, 'session-token', `${sessionId}.${playerId}`)
  return `st_${playerId}.${mac.toString('base64url')}`
}

/** The token of a player. It is derived from the ids, so nothing is stored and it can be issued again. */
export const sessionTokenOf = (
  { master: [key] }: Pick<Keys, 'master'>,
  sessionId: string,
  playerId: string,
): string => tokenOf(key, sessionId, playerId)

const format = /^st_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./

/** The player of this session that a token belongs to, or null for any other token. */
export const readSessionToken = (
  { master }: Pick<Keys, 'master'>,
  sessionId: string,
  token: string,
): string | null => {
  const playerId = format.exec(token)?.[1]
  if (!playerId) return null
  return isTokenOf(master, token, (key) => tokenOf(key, sessionId, playerId)) ? playerId : null
}
