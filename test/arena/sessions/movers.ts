/** Players of a session who send moves, and those who watch them. */

import type { Answer, World } from '../../world.ts'
import type { Shown } from '../matches/spectators.ts'

export type ShownMove = Pick<Shown, 'seq'> & {
  playerId: string
  reference: string | null
  data: unknown
}

export const watchMoves = `subscription ($sessionId: ID!, $afterSeq: Int, $token: String) {
  arenaSessionMoves(arenaSessionId: $sessionId, afterSeq: $afterSeq, token: $token) {
    seq playerId: playerUuid reference data } }`

const send = `mutation ($input: SendArenaSessionMovesInput!) {
  result: sendArenaSessionMoves(input: $input) {
    ... on SendArenaSessionMovesPayload { moves { seq playerId: playerUuid reference data } }
    ... on Error { code message }
    ... on LimitError { limit current retryAfterSeconds }
    ... on ValidationError { errors { path message } } } }`

export type Sent = {
  moves?: ShownMove[]
  code?: string
  message?: string
  limit?: number
  current?: number
  retryAfterSeconds?: number
  errors?: { path: string[]; message: string }[]
}

/** Sends moves over HTTP, with the token in the input. */
export const sendMoves = async (
  world: World,
  sessionId: string,
  token: string | null,
  moves: { data: unknown; reference?: string }[],
): Promise<Sent> => {
  const input = { arenaSessionId: sessionId, token, moves }
  const { body, text }: Answer = await world.graphql(send, { input }, {})
  if (!body.data?.result) throw new Error(text)
  return body.data.result
}
