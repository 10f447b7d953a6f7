/**
 * `npm run bench [-- row ...]`: measures us and our rivals in alternation and prints a table.
 * A run of all rows also writes its table to results.md.
 */
import { writeFileSync } from 'node:fs'
import { invariants } from '../src/cli/audit/invariants.ts'
import { type Bench, prepareBench } from './bench.ts'
import { runToEnd } from './child.ts'
import { busyShare, isBusy, scoreMachine } from './machine.ts'
import { formatReport, formatTable, type Result } from './report.ts'
import { faults, rounds, secondsOfRound } from './rounds.ts'
import { codesRow } from './rows/codes.ts'
import { consoleRow } from './rows/console.ts'
import { countersRow } from './rows/counters.ts'
import { drawRow } from './rows/draw.ts'
import { exportRow } from './rows/exports.ts'
import { pagesRow, trackRow } from './rows/journeys.ts'
import { leaderboardRow } from './rows/leaderboard.ts'
import { lockedWalletRow } from './rows/locked.ts'
import { graphqlReadRow, restReadRow } from './rows/reads.ts'
import { spectatorRow } from './rows/spectators.ts'
import { startupRow } from './rows/startup.ts'
import { yearRow } from './rows/statistics.ts'
import { watchersRow } from './rows/watchers.ts'
import { webhookRow } from './rows/webhooks.ts'
import { awardRow, halfLoadRow, newUserRow, playRow, usualWayRow } from './rows/writes.ts'
import { youngRow } from './rows/young.ts'

const rows: Record<string, (bench: Bench) => Promise<Result[]>> = {
  1: awardRow,
  '1n': newUserRow,
  2: playRow,
  '2p': halfLoadRow,
  3: usualWayRow,
  4: restReadRow,
  5: graphqlReadRow,
  6: leaderboardRow,
  7: pagesRow,
  8: spectatorRow,
  9: codesRow,
  10: drawRow,
  11: trackRow,
  12: startupRow,
  14: webhookRow,
  15: yearRow,
  16: youngRow,
  17: countersRow,
  18: exportRow,
  19: consoleRow,
  21: lockedWalletRow,
  22: watchersRow,
}

const method = `Contenders took turns in one run, ${rounds} rounds of ${secondsOfRound} s after a warm-up, with a checkpoint before each turn; the medians are shown. The load generator, the server and PostgreSQL shared the machine. PostgreSQL on its defaults but for shared_buffers and max_connections; fsync and synchronous_commit on.`

/** A rival that wrote less, or wrong data, would be no rival. The same applies to us. */
const checkData = async ({ postgres }: Bench) => {
  console.log('Checking what was written …')
  for (const [promise, query] of Object.entries(invariants)) {
    const { rowCount } = await postgres.client.query(query)
    if (rowCount) faults.push(`${rowCount} rows break: ${promise}`)
  }
}

const main = async (wanted: string[]) => {
  const unknown = wanted.filter((row) => !(row in rows))
  if (unknown.length > 0)
    throw new Error(`No such row: ${unknown.join(', ')}. Rows: ${Object.keys(rows).join(', ')}`)
  const busy = await busyShare()
  if (isBusy(busy))
    console.log(
      `!!! Others use ${Math.round(busy * 100)} % of this machine: results will not be recorded`,
    )
  const bench = await prepareBench()
  const score = await scoreMachine(bench)
  console.log(`The machine: ${score}`)
  const results: Result[] = []
  for (const [name, measure] of Object.entries(rows)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    console.log(`Row ${name}`)
    results.push(...(await measure(bench)))
  }
  await checkData(bench)
  console.log(`\n${formatTable(results)}\n`)
  for (const fault of faults) console.log(`!!! ${fault}`)
  const isWell = faults.length === 0
  if (wanted.length > 0 || isBusy(busy)) return isWell
  const { version } = bench.postgres
  const report = formatReport(results, { postgresVersion: version, score, method, faults })
  writeFileSync(new URL('results.md', import.meta.url), report)
  return isWell
}

await runToEnd(() => main(process.argv.slice(2)))
