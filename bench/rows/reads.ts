/** Rows 4 and 5: a user's balance by REST and by GraphQL, against frameworks that answer a constant. */
import { type Bench, users } from '../bench.ts'
import { httpRequest } from '../load.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'

const randomUser = () => `user-${1 + Math.floor(Math.random() * users)}`

const againstConstant =
  (options: {
    row: string
    what: string
    against: string
    goal: number
    request: (key: string) => () => string
  }) =>
  async (bench: Bench): Promise<Result[]> => {
    const { request, ...rest } = options
    const servers = [await bench.startOurs(), await bench.startRival('constant.ts')] as const
    const next = request(bench.demo.keys.publicTest)
    const [ours, rival] = (await alternate(
      servers.map(({ port }, i) =>
        httpContender(i === 0 ? 'ours' : 'constant', { port, connections: 64, request: next }),
      ),
      async () => {},
    )) as [number, number]
    for (const { stop } of servers) await stop()
    return [compare({ ...rest, ours, rival })]
  }

export const restReadRow = againstConstant({
  row: '4',
  what: 'GET /v1/users/{id}/sdk-balance, 64 connections',
  against: 'Fastify answering a constant',
  goal: 0.4,
  request: (key) => () =>
    httpRequest(`GET /v1/users/${randomUser()}/sdk-balance`, { 'x-api-key': key }),
})

const query =
  'query ($userId: String!) { user(userId: $userId) { userId totalPoints displayName } }'

export const graphqlReadRow = againstConstant({
  row: '5',
  what: 'the same read by POST /graphql, 64 connections',
  against: 'graphql-yoga answering a constant field',
  goal: 0.7,
  request: (key) => () =>
    httpRequest(
      'POST /graphql',
      { 'x-api-key': key },
      `{"query":"${query}","variables":{"userId":"${randomUser()}"}}`,
    ),
})
