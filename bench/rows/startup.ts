/** Row 12: how soon a start answers, and how much memory the process takes. */
import { execFileSync } from 'node:child_process'
import { type Bench, startTessera, tempFolder } from '../bench.ts'
import { httpRequest, runLoad } from '../load.ts'
import { users } from '../loads.ts'
import { limit, type Result } from '../report.ts'
import { median, rounds } from '../rounds.ts'

export const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

const timeStart = async (dataDir: string, url?: string) => {
  const { readyAfterMs, stop } = await startTessera(dataDir, url)
  await stop()
  return readyAfterMs / 1000
}

export const startupRow = async ({ postgres, startOurs, demo }: Bench): Promise<Result[]> => {
  const [first, again, onPostgres]: [number[], number[], number[]] = [[], [], []]
  for (let round = 1; round <= rounds; round++) {
    const dataDir = tempFolder()
    first.push(await timeStart(dataDir))
    again.push(await timeStart(dataDir))
    onPostgres.push(await timeStart(dataDir, postgres.url))
    const shown = [first, again, onPostgres].map((times) => times.at(-1)?.toFixed(2)).join(', ')
    console.log(`  round ${round}: embedded first, again, on PostgreSQL: ${shown} s`)
  }

  const { pid, port, stop } = await startOurs()
  const atStart = residentMegabytes(pid)
  const body = () =>
    `{"userId":"user-${1 + Math.floor(Math.random() * users)}","eventType":"purchase"}`
  const headers = { 'x-api-secret': demo.keys.secretTest }
  const request = () => httpRequest('POST /v1/points/award', headers, body())
  await runLoad({ port, connections: 64, seconds: 300, request })
  const afterLoad = residentMegabytes(pid)
  await stop()
  console.log(`  resident: ${atStart.toFixed(0)} MB, after load ${afterLoad.toFixed(0)} MB`)

  const row = '12'
  return [
    limit({
      row,
      what: 'start to ready, embedded, first time',
      ours: median(first),
      unit: 's',
      goal: 4,
    }),
    limit({
      row,
      what: 'start to ready, embedded, again',
      ours: median(again),
      unit: 's',
      goal: 1.2,
    }),
    limit({
      row,
      what: 'start to ready, PostgreSQL',
      ours: median(onPostgres),
      unit: 's',
      goal: 0.7,
    }),
    limit({
      row,
      what: 'resident memory, PostgreSQL, after start',
      ours: atStart,
      unit: 'MB',
      goal: 220,
    }),
    limit({
      row,
      what: 'the same after five minutes of awards, 64 connections',
      ours: afterLoad,
      unit: 'MB',
      goal: 350,
    }),
  ]
}
