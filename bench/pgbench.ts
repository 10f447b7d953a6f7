/** PostgreSQL's own bench as a rival: no HTTP, no process in between, one statement per transaction. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { atEnd, endChild } from './child.ts'

const timed = (clients: number, seconds: number) =>
  ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-T', `${seconds}`] as const

const run = async (program: string, options: readonly string[]): Promise<string> => {
  const child = spawn(program, options)
  atEnd(() => endChild(child, 'SIGTERM'))
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (child.exitCode !== 0) throw new Error(`${out}\n${err}`)
  return out
}

const ratePerSecond = (out: string): number => {
  const tps = /tps = ([\d.]+)/.exec(out)?.[1]
  const failed = /failed transactions: (\d+)/.exec(out)?.[1]
  if (!tps || (failed ?? '0') !== '0') throw new Error(out)
  return Number(tps)
}

/**
 * Transactions per second of a script in this folder.
 * @throws Error when a transaction failed: it would have written nothing
 */
export const runPgbench = async (
  program: string,
  options: {
    url: string
    script: string
    clients: number
    seconds: number
    variables: Record<string, string | number>
  },
): Promise<number> => {
  const { url, script, clients, seconds, variables } = options
  const file = fileURLToPath(new URL(script, import.meta.url))
  const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  return ratePerSecond(
    await run(program, [...timed(clients, seconds), ...defined, '-f', file, url]),
  )
}

/** Transactions per second of pgbench's built-in script, on tables that it makes in an empty database. */
export const scorePgbench = async (
  program: string,
  url: string,
  seconds: number,
): Promise<number> => {
  await run(program, ['-i', '-q', '-s', '10', url])
  return ratePerSecond(await run(program, [...timed(8, seconds), url]))
}
