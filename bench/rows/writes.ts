/** Rows 1 to 3: awards and plays, with everything they write. */
import { type Bench, users } from '../bench.ts'
import { httpRequest } from '../load.ts'
import { runPgbench } from '../pgbench.ts'
import { compare, type Result } from '../report.ts'
import { alternate, type Contender, httpContender } from '../rounds.ts'

type Write = { title: string; script: string; request: (bench: Bench) => () => string }

const randomUser = () => `user-${1 + Math.floor(Math.random() * users)}`

export const award: Write = {
  title: 'POST /v1/points/award',
  script: 'award.sql',
  request: ({ demo }) => {
    const headers = { 'x-api-secret': demo.keys.secretTest }
    return () => {
      const reference = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
      const body = `{"userId":"${randomUser()}","eventType":"purchase","reference":"o-${reference}"}`
      return httpRequest('POST /v1/points/award', headers, body)
    }
  },
}

const play: Write = {
  title: 'POST /v1/games/play',
  script: 'play.sql',
  request: ({ demo }) => {
    const headers = { 'x-api-key': demo.keys.publicTest }
    return () =>
      httpRequest(
        'POST /v1/games/play',
        headers,
        `{"userId":"${randomUser()}","gameType":"NEON_WHEEL"}`,
      )
  },
}

const pgbenchContender = (
  { postgres, demo }: Bench,
  script: string,
  clients: number,
): Contender => ({
  name: `pgbench, ${clients} clients`,
  measure: (seconds) =>
    runPgbench(postgres.pgbench as string, {
      url: postgres.url,
      script,
      clients,
      seconds,
      variables: { users, partner: demo.partnerId },
    }),
})

const againstPgbench =
  (row: string, { title, script, request }: Write) =>
  async (bench: Bench): Promise<Result[]> => {
    const { port, stop } = await bench.startOurs()
    const next = request(bench)
    const [at64, at256, ...rivals] = (await alternate(
      [
        httpContender('ours', { port, connections: 64, request: next }),
        httpContender('ours', { port, connections: 256, request: next }),
        ...(bench.postgres.pgbench
          ? [8, 16].map((clients) => pgbenchContender(bench, script, clients))
          : []),
      ],
      bench.settle,
    )) as [number, number, ...number[]]
    await stop()
    const rival = rivals.length > 0 ? Math.max(...rivals) : null
    const against = 'pgbench, one statement, best of 8 and 16 clients'
    return [
      compare({ row, what: `${title}, 64 connections`, against, ours: at64, rival, goal: 1 }),
      compare({ row, what: `${title}, 256 connections`, against, ours: at256, rival, goal: 1.5 }),
    ]
  }

export const awardRow = againstPgbench('1', award)
export const playRow = againstPgbench('2', play)

export const usualWayRow = async (bench: Bench): Promise<Result[]> => {
  const results: Result[] = []
  for (const { title, request } of [award, play]) {
    const servers = [await bench.startOurs(), await bench.startRival('usual-way.ts')] as const
    const [ours, rival] = (await alternate(
      servers.map(({ port }, i) =>
        httpContender(i === 0 ? 'ours' : 'the usual way', {
          port,
          connections: 64,
          request: request(bench),
        }),
      ),
      bench.settle,
    )) as [number, number]
    for (const { stop } of servers) await stop()
    const against = 'Fastify + Prisma, an interactive transaction each'
    const what = `${title}, 64 connections`
    results.push(compare({ row: '3', what, against, ours, rival, goal: 10 }))
  }
  return results
}
