/**
 * `npm run bench:standby`: how much load a standby takes off the primary. Two servers on one database take turns; only
 * one of them has `DATABASE_READ_URL`.
 */
import pg from 'pg'
import { createFolder, runProgram, startCluster } from '../test/survival/cluster.ts'
import { prepareBench } from './bench.ts'
import { atEnd, runToEnd } from './child.ts'
import { clusterMicros, postmasterOf } from './cluster-cpu.ts'
import * as loads from './loads.ts'
import { alternateRounds, type Contender, faults, httpContender, median } from './rounds.ts'

const work = {
  'GET /v1/users/{id}/sdk-balance': loads.restRead,
  'the same read by POST /graphql': loads.graphqlRead,
}

/** A standby of a cluster, and the URL of the same database there. */
const startStandby = async (url: string) => {
  const data = createFolder()
  runProgram('pg_basebackup', ['-d', url, '-D', data, '-R', '-c', 'fast'])
  const standby = await startCluster({
    data,
    settings: { shared_buffers: '512MB', max_connections: 300 },
  })
  atEnd(standby.end)
  return standby.url(new URL(url).pathname.slice(1))
}

const pidOf = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await postmasterOf(client)
  } finally {
    await client.end()
  }
}

await runToEnd(async () => {
  const bench = await prepareBench()
  const standbyUrl = await startStandby(bench.postgres.url)
  const clusters = {
    primary: await pidOf(bench.postgres.url),
    standby: await pidOf(standbyUrl),
  }
  const servers = {
    'without a standby': await bench.startOurs(),
    'with a standby': await bench.startOurs({ DATABASE_READ_URL: standbyUrl }),
  }
  for (const [what, load] of Object.entries(work)) {
    console.log(what)
    const request = load(bench.demo)
    const used = Object.entries(servers).map(([name, { pid, port }]) => {
      const contender = httpContender(name, { pid, port, connections: 64, request })
      const micros: Record<keyof typeof clusters, number[]> = { primary: [], standby: [] }
      const measure = async (seconds: number) => {
        const before = [clusterMicros(clusters.primary), clusterMicros(clusters.standby)] as const
        const perSecond = await contender.measure(seconds)
        const count = perSecond * seconds
        micros.primary.push((clusterMicros(clusters.primary) - before[0]) / count)
        micros.standby.push((clusterMicros(clusters.standby) - before[1]) / count)
        return perSecond
      }
      return { ...contender, micros, measure } satisfies Contender & { micros: unknown }
    })
    const rates = await alternateRounds(used, bench.settle)
    for (const [i, { name, micros, cpuMicros }] of used.entries()) {
      // The first is the warm-up.
      const of = (each: number[] = []) => `${median(each.slice(1)).toFixed(1)} µs`
      console.log(
        `${name}: ${Math.round(median(rates[i] ?? []))}/s; CPU for each: server ${of(cpuMicros)}, primary ${of(micros.primary)}, standby ${of(micros.standby)}`,
      )
    }
  }
  return faults.length === 0
})
