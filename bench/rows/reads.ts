/** Rows 4 and 5: a user's balance by REST and by GraphQL, against frameworks that answer a constant. */
import type { Bench } from '../bench.ts'
import { graphqlRead, type Load, restRead } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'

const againstConstant =
  (options: { row: string; what: string; against: string; goal: number; load: Load }) =>
  async (bench: Bench): Promise<Result[]> => {
    const { load, ...rest } = options
    const servers = [await bench.startOurs(), await bench.startRival('constant.ts')] as const
    const next = load(bench.demo)
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
  load: restRead,
})

export const graphqlReadRow = againstConstant({
  row: '5',
  what: 'the same read by POST /graphql, 64 connections',
  against: 'graphql-yoga answering a constant field',
  goal: 0.7,
  load: graphqlRead,
})
