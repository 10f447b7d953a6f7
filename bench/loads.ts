/** The requests that rows send, one after the other. */
import type { Demo } from '../src/demo/demo.ts'
import { httpRequest } from './load.ts'

/** Users `user-1` … whom every bench database holds. */
export const users = 100_000

const randomUser = (among = users) => `user-${1 + Math.floor(Math.random() * among)}`

/** Gives the function that writes the next request, about one of so many users. */
export type Load = (demo: Pick<Demo, 'keys'>, among?: number) => () => string

const randomNumber = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)

const awardTo = ({ keys }: Pick<Demo, 'keys'>, user: () => string) => {
  const headers = { 'x-api-secret': keys.secretTest }
  return () => {
    const body = `{"userId":"${user()}","eventType":"purchase","reference":"o-${randomNumber()}"}`
    return httpRequest('POST /v1/points/award', headers, body)
  }
}

export const award: Load = (demo, among) => awardTo(demo, () => randomUser(among))

/** Each award makes its user. */
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

const query =
  'query ($userId: String!) { user(by: { externalId: $userId }) { externalId balance displayName } }'

export const graphqlRead: Load = ({ keys }) => {
  const headers = { 'x-api-key': keys.publicTest }
  return () => {
    const body = `{"query":"${query}","variables":{"userId":"${randomUser()}"}}`
    return httpRequest('POST /graphql', headers, body)
  }
}
