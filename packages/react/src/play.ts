import type { AnswerOf, RequestOf, TesseraError } from '@tessera/client'
import { isTesseraError } from '@tessera/client'
import { useCallback, useRef, useState } from 'react'
import { useShared } from './provider.ts'

/** A play, with its outcome from the server. */
export type PlayResult = AnswerOf<'/v1/games/play', 'post'>['data']

type GameType = RequestOf<'/v1/games/play', 'post'>['body']['gameType']

type State = {
  /** The last play. */
  result: PlayResult | undefined
  /** Why the last attempt failed, such as `INSUFFICIENT_POINTS`. */
  error: TesseraError | undefined
  isPlaying: boolean
}

const idle: State = { result: undefined, error: undefined, isPlaying: false }

const changedByPlays = /^\["\/v1\/(users\/|leaderboard")/

/**
 * Plays a game for the user of the provider. `play` does not reject for expected errors: it resolves with undefined,
 * and `error` has the reason. During a play, calling it again returns the same play, so a double click plays once.
 * Afterwards the other hooks refetch the data that plays change: the balance, the plays and the leaderboard.
 */
export const usePlay = (gameType: GameType) => {
  const { client, userId, store } = useShared()
  const [state, setState] = useState(idle)
  const running = useRef<Promise<PlayResult | undefined> | null>(null)

  const play = useCallback((): Promise<PlayResult | undefined> => {
    const run = async () => {
      if (userId === undefined)
        throw new Error('Nobody is signed in: give TesseraProvider a userId')
      setState((before) => ({ ...before, error: undefined, isPlaying: true }))
      try {
        const { data } = await client.post('/v1/games/play', { body: { userId, gameType } })
        setState({ result: data, error: undefined, isPlaying: false })
        void store.reload((key) => changedByPlays.test(key))
        return data
      } catch (error) {
        const expected = isTesseraError(error) ? error : undefined
        setState((before) => ({ ...before, error: expected, isPlaying: false }))
        if (!expected) throw error
        return undefined
      } finally {
        running.current = null
      }
    }
    running.current ??= run()
    return running.current
  }, [client, userId, store, gameType])

  return { ...state, play }
}
