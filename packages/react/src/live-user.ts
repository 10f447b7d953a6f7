import { isTesseraError, type LiveUser, type TesseraError } from '@tessera/client'
import { useEffect, useState } from 'react'
import { useShared } from './provider.ts'

/** The state of `useLiveUser`. */
export type WatchedUser = {
  /**
   * The balance, the goals, the streaks, the rewards that wait for the user, and the offers. Undefined before the first answer
   * and while nobody is signed in; null while there is no such user.
   */
  user: LiveUser | null | undefined
  isConnected: boolean
  /** Why there is no state, such as `MISSING_USER_TOKEN`. */
  error: TesseraError | undefined
}

const nothingYet: WatchedUser = { user: undefined, isConnected: false, error: undefined }

/** Follows the user of the provider. After a broken connection it goes on. Needs a token of the user. */
export const useLiveUser = (): WatchedUser => {
  const { client, userId } = useShared()
  const [watched, setWatched] = useState(nothingYet)
  useEffect(() => {
    setWatched(nothingYet)
    if (userId === undefined) return
    const stopping = new AbortController()
    const { signal } = stopping
    const change = (part: Partial<WatchedUser>) => {
      if (!signal.aborted) setWatched((before) => ({ ...before, ...part }))
    }
    const watch = async () => {
      const onConnection = (isConnected: boolean) => change({ isConnected })
      try {
        for await (const user of client.watchUser(userId, { signal, onConnection }))
          change({ user })
      } catch (error) {
        if (!isTesseraError(error)) throw error
        change({ error })
      }
      change({ isConnected: false })
    }
    void watch()
    return () => stopping.abort()
  }, [client, userId])
  return watched
}
