/** PostgreSQL's own bench as a rival: no HTTP, no process between, one statement each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { atEnd, endChild } from './child.ts'

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
  const run = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)]
  const child = spawn(program, [...run, ...defined, '-f', file, url])
  atEnd(() => endChild(child, 'SIGTERM'))
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  const tps = /tps = ([\d.]+)/.exec(out)?.[1]
  const failed = /failed transactions: (\d+)/.exec(out)?.[1]
  if (!tps || child.exitCode !== 0 || (failed ?? '0') !== '0') throw new Error(`${out}\n${err}`)
  return Number(tps)
}
