/** Contenders take turns, so that a slow minute of the machine is a slow minute for all of them. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { type Measured, runLoad } from './load.ts'

export type Contender = {
  name: string
  /** Does the work for `seconds` seconds; returns the rate per second. */
  measure(seconds: number): Promise<number>
  /** The CPU time of the server per request, in µs, one per measurement: it varies less than its speed. */
  cpuMicros?: number[]
  /** The same of all other processes except the load generator, which is mainly the database. */
  othersMicros?: number[]
}

export const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
export const secondsOfRound = 5
const secondsOfWarmUp = 2

export const median = (numbers: number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Errors under load. A run with any of them does not count as a result. */
export const faults: string[] = []

/** Notes answers that were not a success. */
export const noteFaults = (name: string, others: Measured['others']): void => {
  for (const [status, { count, first }] of others) {
    faults.push(`${name}: ${count} answers with status ${status}`)
    console.log(`  !!! ${name}: ${count} answers with status ${status}, the first:\n${first}\n`)
  }
}

/** The CPU time that a process has used, in µs; undefined where the system does not report it. */
const cpuMicrosOf = (pid: number): number | undefined => {
  try {
    // The fields after the program name in parentheses, from field 3 on. User and system time are in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return undefined
  }
}

/** The CPU time that all processes have used, in µs. */
const busyMicros = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) *
  1_000

/** A server under load. With its `pid`, the CPU time of a request is measured, too. */
export const httpContender = (
  name: string,
  {
    pid,
    ...load
  }: { port: number; connections: number; request: () => string; pid?: number | undefined },
  cpuMicros: number[] = [],
  othersMicros: number[] = [],
): Contender => ({
  name: `${name}, ${load.connections} connections`,
  cpuMicros,
  othersMicros,
  measure: async (seconds) => {
    const before = process.cpuUsage()
    const allBefore = busyMicros()
    const serverBefore = pid && cpuMicrosOf(pid)
    const { perSecond, p50Ms, p99Ms, others } = await runLoad({ ...load, seconds })
    const serverAfter = pid && cpuMicrosOf(pid)
    const all = busyMicros() - allBefore
    const { user, system } = process.cpuUsage(before)
    if (serverBefore !== undefined && serverAfter !== undefined) {
      const server = serverAfter - serverBefore
      cpuMicros.push(server / (perSecond * seconds))
      othersMicros.push((all - server - user - system) / (perSecond * seconds))
    }
    noteFaults(name, others)
    const share = Math.round((user + system) / seconds / 10_000)
    process.stdout.write(
      `  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, load generator ${share} % of a core\n`,
    )
    return perSecond
  },
})

/**
 * The rate per second of each contender, round by round, in their order; without the warm-up.
 * @param pause brings the database to rest before each turn
 */
export const alternateRounds = async (
  contenders: Contender[],
  pause: () => Promise<unknown>,
): Promise<number[][]> => {
  const results: number[][] = contenders.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [i, { name, measure }] of contenders.entries()) {
      await pause()
      const perSecond = await measure(round === 0 ? secondsOfWarmUp : secondsOfRound)
      console.log(
        `  ${round === 0 ? 'warm-up' : `round ${round}`}: ${name}: ${Math.round(perSecond)}/s`,
      )
      if (round > 0) results[i]?.push(perSecond)
    }
  return results
}

/** The medians of the contenders, in their order. */
export const alternate = async (
  contenders: Contender[],
  pause: () => Promise<unknown>,
): Promise<number[]> => (await alternateRounds(contenders, pause)).map(median)
