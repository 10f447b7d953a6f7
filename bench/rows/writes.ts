/** Rows 1 to 3: awards and plays, with everything they write. */
import type { Bench } from '../bench.ts'
import { award, type Load, play, users } from '../loads.ts'
import { runPgbench } from '../pgbench.ts'
import { compare, type Result } from '../report.ts'
import { alternate, type Contender, httpContender } from '../rounds.ts'

type Write = { title: string; script: string; load: Load }

const awards: Write = { title: 'POST /v1/points/award', script: 'award.sql', load: award }
const plays: Write = { title: 'POST /v1/games/play', script: 'play.sql', load: play }

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
  (row: string, { title, script, load }: Write) =>
  async (bench: Bench): Promise<Result[]> => {
    const { port, stop } = await bench.startOurs()
    const next = load(bench.demo)
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

export const awardRow = againstPgbench('1', awards)
export const playRow = againstPgbench('2', plays)

export const usualWayRow = async (bench: Bench): Promise<Result[]> => {
  const results: Result[] = []
  for (const { title, load } of [awards, plays]) {
    const servers = [await bench.startOurs(), await bench.startRival('usual-way.ts')] as const
    const [ours, rival] = (await alternate(
      servers.map(({ port }, i) =>
        httpContender(i === 0 ? 'ours' : 'the usual way', {
          port,
          connections: 64,
          request: load(bench.demo),
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
