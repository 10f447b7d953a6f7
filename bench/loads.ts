/** The requests that rows send, one after the other. */
import { v7 as uuid } from 'uuid'
import type { Demo } from '../src/demo/demo.ts'
import { httpRequest } from './load.ts'

/** Users `user-1` … whom every bench database holds. `BENCH_AMONG=10000` for a smaller one. */
export const users = Number(process.env.BENCH_AMONG ?? 100_000)

const randomUser = (among = users) => `user-${1 + Math.floor(Math.random() * among)}`

/** Returns the function that makes the next request, for a random user of the first `among`. */
export type Load = (demo: Pick<Demo, 'keys'>, among?: number) => () => string

const randomNumber = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)

/** References in random order. */
export const randomReference = (): string => `o-${randomNumber()}`

export const awardTo = (
  { keys }: Pick<Demo, 'keys'>,
  user: () => string,
  reference: () => string = randomReference,
) => {
  const headers = { 'x-api-secret': keys.secretTest }
  return () => {
    const body = `{"userId":"${user()}","eventType":"purchase","reference":"${reference()}"}`
    return httpRequest('POST /v1/points/award', headers, body)
  }
}

export const award: Load = (demo, among) => awardTo(demo, () => randomUser(among))

/** Each reference begins with the time. */
export const awardByTime: Load = (demo) => awardTo(demo, randomUser, () => uuid())

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

const readUser =
  (fields: string, headersOf: (keys: Demo['keys']) => Record<string, string>): Load =>
  ({ keys }) => {
    const headers = headersOf(keys)
    const query = `query ($userId: String!) { user(by: { externalId: $userId }) { ${fields} } }`
    return () => {
      const body = `{"query":"${query}","variables":{"userId":"${randomUser()}"}}`
      return httpRequest('POST /graphql', headers, body)
    }
  }

export const graphqlRead = readUser('externalId balance displayName', ({ publicTest }) => ({
  'x-api-key': publicTest,
}))

/** First pages of a user's history and timeline. */
export const lists = readUser(
  'history(first: 10) { nodes { uuid points balanceAfter createdAt } } timeline(first: 10) { nodes { uuid category points occurredAt } }',
  ({ secretTest }) => ({ 'x-api-secret': secretTest }),
)
