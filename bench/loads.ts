/** The requests that rows send, one after the other. */
import type { Demo } from '../src/demo/demo.ts'
import { httpRequest } from './load.ts'

/** Users `user-1` … whom every bench database holds. */
export const users = 100_000

const randomUser = (among = users) => `user-${1 + Math.floor(Math.random() * among)}`

/** Gives the function that writes the next request, about one of so many users. */
export type Load = (demo: Pick<Demo, 'keys'>, among?: number) => () => string

export const award: Load = ({ keys }, among) => {
  const headers = { 'x-api-secret': keys.secretTest }
  return () => {
    const reference = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
    const body = `{"userId":"${randomUser(among)}","eventType":"purchase","reference":"o-${reference}"}`
    return httpRequest('POST /v1/points/award', headers, body)
  }
}

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
