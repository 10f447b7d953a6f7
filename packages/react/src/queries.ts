/** Hooks that return data of the API. */
import type { AnswerOf, CallOptions, PathOf, RequestOf, TesseraError } from '@tessera/client'
import { useCallback, useSyncExternalStore } from 'react'
import { useShared } from './provider.ts'
import { beforeFirstAnswer } from './store.ts'

/** The state of a hook. `data` stays during a refetch. */
export type Query<T> = {
  /** Undefined before the first answer, and while the hook has no request. */
  data: T | undefined
  /** Why the last attempt failed. */
  error: TesseraError | undefined
  isLoading: boolean
  /** Fetches again. */
  reload: () => Promise<void>
}

type Asked<P extends PathOf<'get'>> = Omit<RequestOf<P, 'get'>, keyof CallOptions>

/** The name of a request in the store. */
const keyOf = (path: string, request: object): string => JSON.stringify([path, request])

const nothingAsked = { ...beforeFirstAnswer, isLoading: false }

const withoutReload = async () => {}

/**
 * The answer of any GET path. Components with the same request share it.
 * @param request its parameters; null sends no request, for instance while nobody is signed in
 */
export const useGet = <P extends PathOf<'get'>>(
  path: P,
  request: Asked<P> | null,
): Query<AnswerOf<P, 'get'>> => {
  const { client, store } = useShared()
  const key = request === null ? null : keyOf(path, request)
  const listen = useCallback(
    (listener: () => void) => {
      if (key === null) return withoutReload
      const [requested, sent] = JSON.parse(key)
      return store.listen(key, () => client.get(requested, sent), listener)
    },
    [client, store, key],
  )
  const read = () => (key === null ? nothingAsked : store.read(key))
  const snapshot = useSyncExternalStore(listen, read, () =>
    key === null ? nothingAsked : beforeFirstAnswer,
  )
  const reload = useCallback(() => store.reload((item) => item === key), [store, key])
  return { ...(snapshot as Omit<Query<AnswerOf<P, 'get'>>, 'reload'>), reload }
}

/** The same, with the `data` of the envelope. */
const dataOf = <T>({ data, ...query }: Query<{ data: T }>): Query<T> => ({
  ...query,
  data: data?.data,
})

/** The request for the user of the provider; null while nobody is signed in. */
const useOfUser = () => {
  const { userId } = useShared()
  return userId === undefined ? null : { path: { userId } }
}

/** The points that the user can spend, as `data.totalPoints`, and free plays. */
export const useBalance = () => dataOf(useGet('/v1/users/{userId}/sdk-balance', useOfUser()))

/** The latest plays of the user, newest first. */
export const usePlays = ({ limit = 20 }: { limit?: number } = {}) => {
  const ofUser = useOfUser()
  return dataOf(useGet('/v1/users/{userId}/plays', ofUser && { ...ofUser, query: { limit } }))
}

type GoalsQuery = NonNullable<RequestOf<'/v1/users/{userId}/goals', 'get'>['query']>
type GrantsQuery = NonNullable<RequestOf<'/v1/users/{userId}/grants', 'get'>['query']>

/** The goals of the user, in their order: how far the user is, and what to do next. */
export const useGoals = (query: GoalsQuery = {}) => {
  const ofUser = useOfUser()
  return dataOf(useGet('/v1/users/{userId}/goals', ofUser && { ...ofUser, query }))
}

/** The rewards of the user, newest first. They need a token of the user. */
export const useGrants = (query: GrantsQuery = {}) => {
  const ofUser = useOfUser()
  return dataOf(useGet('/v1/users/{userId}/grants', ofUser && { ...ofUser, query }))
}

/** The rewards for sale, in the order of the shop. */
export const useRewards = ({ limit = 20 }: { limit?: number } = {}) =>
  dataOf(useGet('/v1/rewards', { query: { limit } }))

/** The best users. */
export const useLeaderboard = ({ limit = 10 }: { limit?: number } = {}) =>
  dataOf(useGet('/v1/leaderboard', { query: { limit } }))

/** The games that can be played. */
export const useGames = () => dataOf(useGet('/v1/games', {}))

type GameType = RequestOf<'/v1/games/{gameType}/config', 'get'>['path']['gameType']

/** A game with its price, its rewards and their odds. */
export const useGame = (gameType: GameType) =>
  dataOf(useGet('/v1/games/{gameType}/config', { path: { gameType } }))
