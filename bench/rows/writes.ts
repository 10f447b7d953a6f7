/** Rows 1 to 3: awards and plays, with everything they write. */
import type { Bench } from '../bench.ts'
import { runOpenLoad } from '../load.ts'
import { award, awardNew, type Load, play } from '../loads.ts'
import { compare, limit, type Result } from '../report.ts'
import { prepareRival, type Rival } from '../rival.ts'
import { alternate, httpContender, median, noteFaults, rounds, secondsOfRound } from '../rounds.ts'

type Write = {
  row: string
  title: string
  load: Load
  /** The script that does the same with the plain ledger. */
  script: string
  /** By the number of connections. */
  goals: Record<number, number>
}

let prepared: Promise<Rival | null> | undefined
const rivalOf = (bench: Bench) => (prepared ??= prepareRival(bench))

const againstPlainLedger =
  ({ row, title, load, script, goals }: Write) =>
  async (bench: Bench): Promise<Result[]> => {
    const rival = await rivalOf(bench)
    const { port, stop } = await bench.startOurs()
    const request = load(bench.demo)
    const sizes = Object.keys(goals).map(Number)
    const measured = await alternate(
      [
        ...sizes.map((connections) => httpContender('ours', { port, connections, request })),
        ...(rival ? [8, 16].map((clients) => rival.contender(script, clients)) : []),
      ],
      async () => {
        await bench.settle()
        await rival?.settle()
      },
    )
    await stop()
    await rival?.check()
    const best = rival && Math.max(...measured.slice(sizes.length))
    return sizes.map((connections, i) =>
      compare({
        row,
        what: `${title}, ${connections} connections`,
        against: 'a plain ledger by pgbench, best of 8 and 16 clients',
        ours: measured[i] as number,
        rival: best,
        goal: goals[connections] as number,
      }),
    )
  }

export const awardRow = againstPlainLedger({
  row: '1',
  title: 'POST /v1/points/award',
  load: award,
  script: 'rival-award.sql',
  goals: { 64: 1, 256: 1.3 },
})

export const newUserRow = againstPlainLedger({
  row: '1n',
  title: 'the same for users who do not exist yet',
  load: awardNew,
  script: 'rival-award-new.sql',
  goals: { 64: 0.7 },
})

export const playRow = againstPlainLedger({
  row: '2',
  title: 'POST /v1/games/play',
  load: play,
  script: 'rival-play.sql',
  goals: { 64: 0.8, 256: 1 },
})

/** A closed loop hides stalls: while the server stalls, nobody sends. */
export const halfLoadRow = async (bench: Bench): Promise<Result[]> => {
  const results: Result[] = []
  for (const [title, load] of [
    ['POST /v1/points/award', award],
    ['POST /v1/games/play', play],
  ] as const) {
    const { port, stop } = await bench.startOurs()
    const request = load(bench.demo)
    const [most = 0] = await alternate(
      [httpContender(title, { port, connections: 64, request })],
      bench.settle,
    )
    const p99s: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await bench.settle()
      const perSecond = Math.round(most / 2)
      const all = { port, connections: 256, seconds: 2 * secondsOfRound, request, perSecond }
      const { p50Ms, p99Ms, others } = await runOpenLoad(all)
      noteFaults(title, others)
      console.log(
        `  round ${round}: ${perSecond}/s: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
      )
      p99s.push(p99Ms)
    }
    await stop()
    const what = `${title}, p99 at half of the maximum, at a fixed rate`
    results.push(limit({ row: '2p', what, ours: median(p99s), unit: 'ms', goal: 25 }))
  }
  return results
}

export const usualWayRow = async (bench: Bench): Promise<Result[]> => {
  const results: Result[] = []
  for (const [title, load] of [
    ['POST /v1/points/award', award],
    ['POST /v1/games/play', play],
  ] as const) {
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
