import type { AnswerOf, Tessera } from '@tessera/client'
import { useCallback, useRef } from 'react'
import { useUserAction } from './user-action.ts'

/** What the user has bought, and the new balance. */
export type BoughtReward = AnswerOf<'/v1/users/{userId}/rewards/{slug}/buy', 'post'>['data']

const isChangedByPurchases = () => true

/**
 * Buys rewards for the user of the provider, with a token of the user. `result` is the last purchase, and `error` says why
 * the last attempt failed, such as `INSUFFICIENT_POINTS` or `OUT_OF_STOCK`: `buy` does not reject for expected errors, it
 * resolves with undefined. During a purchase, calling it again returns the same purchase, so a double click buys once.
 * After an attempt without an answer, buying the same reward again repeats that purchase. Afterwards the other hooks
 * refetch their data.
 */
export const useBuy = () => {
  /** References by slug, until the purchase has succeeded. A refused one has not used up its reference. */
  const references = useRef(new Map<string, string>())
  const send = useCallback(async (client: Tessera, userId: string, slug: string) => {
    const reference = references.current.get(slug) ?? crypto.randomUUID()
    references.current.set(slug, reference)
    const answer = await client.post('/v1/users/{userId}/rewards/{slug}/buy', {
      path: { userId, slug },
      body: { reference },
    })
    references.current.delete(slug)
    return answer
  }, [])
  const { isRunning: isBuying, run: buy, ...state } = useUserAction(send, isChangedByPurchases)
  return { ...state, isBuying, buy }
}
