import { type AnswerOf, isTesseraError, type TesseraError } from '@tessera/client'
import { useCallback, useRef, useState } from 'react'
import { useShared } from './provider.ts'

/** What the user has bought, and the new balance. */
export type BoughtReward = AnswerOf<'/v1/users/{userId}/rewards/{slug}/buy', 'post'>['data']

type State = {
  /** The last purchase. */
  result: BoughtReward | undefined
  /** Why the last attempt failed, such as `INSUFFICIENT_POINTS` or `OUT_OF_STOCK`. */
  error: TesseraError | undefined
  isBuying: boolean
}

const idle: State = { result: undefined, error: undefined, isBuying: false }

/**
 * Buys rewards for the user of the provider, with a token of the user. `buy` does not reject for expected errors: it
 * resolves with undefined, and `error` has the reason. During a purchase, calling it again returns the same purchase,
 * so a double click buys once. After an attempt without an answer, buying the same reward again repeats that purchase.
 * Afterwards the other hooks refetch their data.
 */
export const useBuy = () => {
  const { client, userId, store } = useShared()
  const [state, setState] = useState(idle)
  const running = useRef<Promise<BoughtReward | undefined> | null>(null)
  /** References by slug, until the purchase has succeeded. A refused one has not used up its reference. */
  const references = useRef(new Map<string, string>())

  const buy = useCallback(
    (slug: string): Promise<BoughtReward | undefined> => {
      const run = async () => {
        if (userId === undefined)
          throw new Error('Nobody is signed in: give TesseraProvider a userId')
        setState((before) => ({ ...before, error: undefined, isBuying: true }))
        const reference = references.current.get(slug) ?? crypto.randomUUID()
        references.current.set(slug, reference)
        try {
          const { data } = await client.post('/v1/users/{userId}/rewards/{slug}/buy', {
            path: { userId, slug },
            body: { reference },
          })
          references.current.delete(slug)
          setState({ result: data, error: undefined, isBuying: false })
          void store.reload(() => true)
          return data
        } catch (error) {
          const expected = isTesseraError(error) ? error : undefined
          setState((before) => ({ ...before, error: expected, isBuying: false }))
          if (!expected) throw error
          return undefined
        } finally {
          running.current = null
        }
      }
      running.current ??= run()
      return running.current
    },
    [client, userId, store],
  )

  return { ...state, buy }
}
