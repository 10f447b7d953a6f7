import type { AnswerOf, RequestOf, Tessera } from '@tessera/client'
import { useCallback } from 'react'
import { useUserAction } from './user-action.ts'

/** A play, with its outcome from the server. */
export type PlayResult = AnswerOf<'/v1/games/play', 'post'>['data']

type GameType = RequestOf<'/v1/games/play', 'post'>['body']['gameType']

const isChangedByPlays = (key: string) => /^\["\/v1\/(users\/|leaderboard")/.test(key)

/**
 * Plays a game for the user of the provider. `result` is the last play, and `error` says why the last attempt failed,
 * such as `INSUFFICIENT_POINTS`: `play` does not reject for expected errors, it resolves with undefined. During a play,
 * calling it again returns the same play, so a double click plays once. Afterwards the other hooks refetch the data that
 * plays change: the balance, the plays and the leaderboard.
 */
export const usePlay = (gameType: GameType) => {
  const send = useCallback(
    (client: Tessera, userId: string) =>
      client.post('/v1/games/play', { body: { userId, gameType } }),
    [gameType],
  )
  const { isRunning: isPlaying, run: play, ...state } = useUserAction(send, isChangedByPlays)
  return { ...state, isPlaying, play }
}
