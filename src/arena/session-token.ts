/** What a game shows to prove that it plays for a player of a session (decisions §9). */
import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../core/config.ts'
import { macOf } from '../core/seal.ts'

type Keyed = Pick<Config, 'masterKey'>

/** The token of a player. It follows from the ids, so nothing is stored and it can be given again. */
export const sessionTokenOf = (
  { masterKey }: Keyed,
  sessionId: string,
  playerId: string,
): string => {
  const mac = macOf(masterKey, 'session-token', `${sessionId}.${playerId}`)
  return `st_${playerId}.${mac.toString('base64url')}`
}

const format = /^st_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./

/** The player of this session whose token it is, or null for a token that we did not make for it. */
export const readSessionToken = (
  config: Keyed,
  sessionId: string,
  token: string,
): string | null => {
  const playerId = format.exec(token)?.[1]
  if (!playerId) return null
  const ours = Buffer.from(sessionTokenOf(config, sessionId, playerId))
  const theirs = Buffer.from(token)
  return ours.length === theirs.length && timingSafeEqual(ours, theirs) ? playerId : null
}
