/** Rows by which two servers are compared. Only the one whose turn it is works. */
import type { Bench } from './bench.ts'
import type * as loads from './loads.ts'
import { alternateRounds, type Contender, httpContender, median, rounds } from './rounds.ts'
import { deepPages, trackedLists } from './rows/journeys.ts'
import { watchMatch } from './rows/spectators.ts'
import { awardDelivered } from './rows/webhooks.ts'

/** A server with a separate PostgreSQL and database. */
export type Side = { name: string; bench: Bench; loads: typeof loads }
/** Starts the server of a row and what it needs. */
export type OpenRow = (side: Side) => Promise<{ contender: Contender; end(): Promise<void> }>

const overHttp =
  (load: keyof Omit<typeof loads, 'users' | 'awardTo'>, connections: number): OpenRow =>
  async ({ name, bench, loads }) => {
    const { pid, port, stop } = await bench.startOurs()
    const request = loads[load](bench.demo)
    return { contender: httpContender(name, { pid, port, connections, request }), end: stop }
  }

export const rows: Record<string, [what: string, row: OpenRow]> = {
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

/** A line with the rates of two sides, round by round against each other. */
export const compareSides = async (
  what: string,
  openRow: OpenRow,
  sides: Side[],
): Promise<string> => {
  console.log(what)
  const opened: Awaited<ReturnType<OpenRow>>[] = []
  for (const side of sides) opened.push(await openRow(side))
  const settle = async () => {
    for (const { bench } of sides) await bench.settle()
  }
  const [first = [], second = []] = await alternateRounds(
    opened.map(({ contender }) => contender),
    settle,
  )
  for (const { end } of opened) await end()
  const [left, other] = sides.map(({ name }) => name)
  const ratios = second.map((perSecond, i) => perSecond / (first[i] as number))
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((n) => n.toFixed(2))
  const speed = `${what}: ${Math.round(median(first))}/s ${left}, ${Math.round(median(second))}/s ${other}; ${other} ÷ ${left} ${median(ratios).toFixed(2)} (${least} to ${most})`
  const cpu = (whose: 'cpuMicros' | 'othersMicros', of: string) => {
    // Without the warm-up.
    const [was, is] = opened.map(({ contender }) => median(contender[whose]?.slice(-rounds) ?? []))
    return was && is
      ? `; CPU of the ${of} for each: ${Math.round(was)} µs ${left}, ${Math.round(is)} µs ${other}, ${(is / was).toFixed(2)} ×`
      : ''
  }
  return speed + cpu('cpuMicros', 'server') + cpu('othersMicros', 'database')
}
