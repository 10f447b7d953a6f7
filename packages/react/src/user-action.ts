import { isTesseraError, type Tessera, type TesseraError } from '@tessera/client'
import { useCallback, useRef, useState } from 'react'
import { useShared } from './provider.ts'

type State<T> = {
  result: T | undefined
  error: TesseraError | undefined
  isRunning: boolean
}

/**
 * Runs a call for the user of the provider, one at a time: calling it again meanwhile returns the same promise. It
 * resolves with undefined for expected errors. Afterwards the other hooks refetch their data.
 * @param send sends the call; its identity is kept between renders
 * @param isChanged whether the call changes the answer of a request, by its name in the store
 */
export const useUserAction = <A extends unknown[], T>(
  send: (client: Tessera, userId: string, ...input: A) => Promise<{ data: T }>,
  isChanged: (key: string) => boolean,
) => {
  const { client, userId, store } = useShared()
  const [state, setState] = useState<State<T>>({
    result: undefined,
    error: undefined,
    isRunning: false,
  })
  const running = useRef<Promise<T | undefined> | null>(null)

  const run = useCallback(
    (...input: A): Promise<T | undefined> => {
      const attempt = async () => {
        if (userId === undefined)
          throw new Error('Nobody is signed in: give TesseraProvider a userId')
        setState((before) => ({ ...before, error: undefined, isRunning: true }))
        try {
          const { data } = await send(client, userId, ...input)
          setState({ result: data, error: undefined, isRunning: false })
          void store.reload(isChanged)
          return data
        } catch (cause) {
          const error = isTesseraError(cause) ? cause : undefined
          setState((before) => ({ ...before, error, isRunning: false }))
          if (!error) throw cause
          return undefined
        } finally {
          running.current = null
        }
      }
      running.current ??= attempt()
      return running.current
    },
    [client, userId, store, send, isChanged],
  )
  return { ...state, run }
}
