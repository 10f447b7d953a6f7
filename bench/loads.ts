/** The requests that rows send, one after the other. */
import type { Demo } from '../src/demo/demo.ts'
import { httpRequest } from './load.ts'

/** Users `user-1` … whom every bench database holds. `BENCH_AMONG=10000` for a smaller one. */
export const users = Number(process.env.BENCH_AMONG ?? 100_000)

const randomUser = (among = users) => `user-${1 + Math.floor(Math.random() * among)}`

/** Returns the function that makes the next request, for a random user of the first `among`. */
export type Load = (demo: Pick<Demo, 'keys'>, among?: number) => () => string

const randomNumber = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)

/** References are in random order. */
export const awardTo = (
  { keys }: Pick<Demo, 'keys'>,
  user: () => string = randomUser,
  eventType = 'purchase',
) => {
  const headers = { 'x-api-secret': keys.secretTest }
  return () => {
    const body = `{"userId":"${user()}","eventType":"${eventType}","reference":"o-${randomNumber()}"}`
    return httpRequest('POST /v1/points/award', headers, body)
  }
}

export const award: Load = (demo, among) => awardTo(demo, () => randomUser(among))

/** Each award creates its user. */
export const awardNew: Load = (demo) => awardTo(demo, () => `new-${randomNumber()}`)

export const play: Load = ({ keys }) => {
  const headers = { 'x-api-key': keys.publicTest }
  return () => {
    const body = `{"userId":"${randomUser()}","gameType":"NEON_WHEEL"}`
    return httpRequest('POST /v1/games/play', headers, body)
  }
}

export const restRead: Load = ({ keys }) => {
  const headers = { 'x-api-key': keys.publicTest }
  return () => httpRequest(`GET /v1/users/${randomUser()}/sdk-balance`, headers)
}

export const graphqlRead: Load = ({ keys }) => {
  const headers = { 'x-api-key': keys.publicTest }
  const query =
    'query ($userId: String!) { user(by: { externalId: $userId }) { externalId balance displayName } }'
  return () => {
    const body = `{"query":"${query}","variables":{"userId":"${randomUser()}"}}`
    return httpRequest('POST /graphql', headers, body)
  }
}
