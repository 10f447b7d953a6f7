/**
 * `npm run bench:compare -- COMMIT|FOLDER [ROW …]`: measures this checkout against another commit in one run, or against a
 * checkout in a folder that is ready to start.
 * Each has a PostgreSQL, a database and a server of its own; only the one whose turn it is works.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Bench, prepareBench, tempFolder } from './bench.ts'
import { atEnd, runToEnd } from './child.ts'
import * as loads from './loads.ts'
import { alternateRounds, type Contender, faults, httpContender, median } from './rounds.ts'
import { deepPages, trackedLists } from './rows/journeys.ts'
import { watchMatch } from './rows/spectators.ts'
import { awardDelivered } from './rows/webhooks.ts'

type Side = { name: 'before' | 'now'; bench: Bench; loads: typeof loads }
type Row = (side: Side) => Promise<{ contender: Contender; end(): Promise<void> }>

const overHttp =
  (load: keyof Omit<typeof loads, 'users'>, connections: number): Row =>
  async ({ name, bench, loads }) => {
    const { pid, port, stop } = await bench.startOurs()
    const request = loads[load](bench.demo)
    return { contender: httpContender(name, { pid, port, connections, request }), end: stop }
  }

const rows: Record<string, [what: string, row: Row]> = {
  1: ['POST /v1/points/award, 64 connections', overHttp('award', 64)],
  2: ['POST /v1/games/play, 64 connections', overHttp('play', 64)],
  4: ['GET /v1/users/{id}/sdk-balance, 64 connections', overHttp('restRead', 64)],
  5: ['the same read by POST /graphql, 64 connections', overHttp('graphqlRead', 64)],
  7: [
    'pages 1,001 of a ledger and a timeline of 200,000 rows, 4 connections',
    ({ name, bench }) => deepPages(name, bench),
  ],
  8: ['one live match and its spectators, events', ({ name, bench }) => watchMatch(name, bench)],
  11: ['lists of 500 journey events, one caller', ({ name, bench }) => trackedLists(name, bench)],
  14: [
    'awards that are delivered to an endpoint',
    ({ name, bench }) => awardDelivered(name, bench),
  ],
}

const run = (command: string, args: string[], cwd?: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

/** A folder with the code of a commit, ready to start. */
const checkOut = (commit: string): string => {
  if (existsSync(commit)) return commit
  const folder = join(tempFolder(), 'checkout')
  run('git', ['worktree', 'add', '--detach', folder, commit])
  atEnd(() => run('git', ['worktree', 'remove', '--force', folder]))
  const lockFile = 'package-lock.json'
  const isSame = readFileSync(lockFile).equals(readFileSync(join(folder, lockFile)))
  if (isSame) {
    cpSync('node_modules', join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    run('npm', ['run', 'postinstall'], folder)
  } else run('npm', ['ci'], folder)
  return folder
}

const prepare = async (name: Side['name'], checkout?: string): Promise<Side> => {
  console.log(`${name}:`)
  const own = checkout && join(checkout, 'bench/loads.ts')
  const theirs = own && existsSync(own) ? await import(pathToFileURL(own).href) : loads
  return { name, bench: await prepareBench(checkout), loads: theirs }
}

const compareRow = async (what: string, row: Row, sides: Side[]) => {
  console.log(what)
  const opened: Awaited<ReturnType<Row>>[] = []
  for (const side of sides) opened.push(await row(side))
  const settle = async () => {
    for (const { bench } of sides) await bench.settle()
  }
  const [before = [], now = []] = await alternateRounds(
    opened.map(({ contender }) => contender),
    settle,
  )
  for (const { end } of opened) await end()
  const ratios = now.map((perSecond, i) => perSecond / (before[i] as number))
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((n) => n.toFixed(2))
  const speed = `${what}: ${Math.round(median(before))}/s before, ${Math.round(median(now))}/s now; now ÷ before ${median(ratios).toFixed(2)} (${least} to ${most})`
  // The first is the warm-up.
  const cpu = (whose: 'cpuMicros' | 'othersMicros', of: string) => {
    const [was, is] = opened.map(({ contender }) => median(contender[whose]?.slice(1) ?? []))
    return was && is
      ? `; CPU of the ${of} for each: ${Math.round(was)} µs before, ${Math.round(is)} µs now, ${(is / was).toFixed(2)} ×`
      : ''
  }
  return speed + cpu('cpuMicros', 'server') + cpu('othersMicros', 'database')
}

const main = async ([commit, ...wanted]: string[]) => {
  const unknown = wanted.filter((row) => !(row in rows))
  if (!commit || unknown.length > 0)
    throw new Error(
      `npm run bench:compare -- COMMIT|FOLDER [ROW …]. Rows: ${Object.keys(rows).join(', ')}`,
    )
  const sides = [await prepare('before', checkOut(commit)), await prepare('now')]
  const lines: string[] = []
  for (const [name, [what, row]] of Object.entries(rows))
    if (wanted.length === 0 || wanted.includes(name))
      lines.push(`${name}  ${await compareRow(what, row, sides)}`)
  console.log(`\n${lines.join('\n')}`)
  for (const fault of faults) console.log(`!!! ${fault}`)
  return faults.length === 0
}

await runToEnd(() => main(process.argv.slice(2)))
