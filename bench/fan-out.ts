/**
 * `npm run bench:fan-out`: the cost when each transaction with an event sends its notification itself, as before,
 * against sending it after the commit. Both take turns on one database: `tessera.news` chooses for a connection.
 */
import { parseArgs } from 'node:util'
import { prepareBench } from './bench.ts'
import { runToEnd } from './child.ts'
import { clusterMicros, postmasterOf } from './cluster-cpu.ts'
import * as loads from './loads.ts'
import { runPgbench } from './pgbench.ts'
import { alternateRounds, type Contender, faults, httpContender, median } from './rounds.ts'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    connections: { type: 'string', default: '256' },
  },
})

const report = (contenders: Contender[], results: number[][], cpu: number[][]) => {
  contenders.forEach(({ name }, i) => {
    const [rate, micros] = [median(results[i] ?? []), median(cpu[i]?.slice(1) ?? [])]
    console.log(`${name}: ${Math.round(rate)}/s, database ${Math.round(micros)} µs of CPU each`)
  })
  const ratios = (results[1] ?? []).map((rate, i) => rate / (results[0]?.[i] ?? Number.NaN))
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
  console.log(`after / before: ${median(ratios).toFixed(2)} (rounds ${each})\n`)
}

await runToEnd(async () => {
  const bench = await prepareBench()
  const { url, client, pgbench } = bench.postgres
  if (!pgbench) throw new Error('pgbench is not installed')
  const pid = await postmasterOf(client)
  const before = `${url}?options=${encodeURIComponent('-c tessera.news=notify')}`

  const compare = async (contenders: Contender[]) => {
    const cpu: number[][] = contenders.map(() => [])
    const measured = contenders.map((contender, i) => ({
      ...contender,
      measure: async (seconds: number) => {
        const start = clusterMicros(pid)
        const perSecond = await contender.measure(seconds)
        cpu[i]?.push((clusterMicros(pid) - start) / (perSecond * seconds))
        return perSecond
      },
    }))
    report(contenders, await alternateRounds(measured, bench.settle), cpu)
  }

  const inserts = (name: string, url: string): Contender => ({
    name: `${name}, pgbench, ${values.clients} connections`,
    measure: (seconds) =>
      runPgbench(pgbench, {
        ...{ url, seconds, script: 'fan-out.sql', clients: Number(values.clients) },
        variables: { tenant: bench.demo.partnerId },
      }),
  })
  await compare([inserts('before', before), inserts('after', url)])

  const awards = async (name: string, env: Record<string, string>) => {
    const { pid, port } = await bench.startOurs(env)
    const connections = Number(values.connections)
    return httpContender(name, { pid, port, connections, request: loads.award(bench.demo) })
  }
  await compare([await awards('before', { DATABASE_URL: before }), await awards('after', {})])
  return faults.length === 0
})
