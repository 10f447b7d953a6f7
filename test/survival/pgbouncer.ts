/** A PgBouncer for one test, in front of a cluster. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../server-process.ts'
import { createFolder, user } from './cluster.ts'

/** Debian's version, or another one. */
const program = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer'
const [, major, minor] = /(\d+)\.(\d+)/.exec(
  execFileSync(program, ['--version'], { encoding: 'utf8' }),
) as unknown as [string, number, number]

/** Whether this version can keep the names of prepared statements: 1.21 and later. */
export const canKeepNames = major > 1 || minor >= 21

/** @param settings of PgBouncer: `{ pool_mode: 'transaction' }` */
export const startPgBouncer = async (
  cluster: { port: number },
  settings: Record<string, string | number> = {},
) => {
  const folder = createFolder()
  const port = await freePort()
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    max_client_conn: 500,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  const file = join(folder, 'pgbouncer.ini')
  const databases = `[databases]\n* = host=127.0.0.1 port=${cluster.port}\n`
  writeFileSync(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  const launch = () => {
    const child = spawn(program, [file], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-100_000)
    })
    return { child, exited: once(child, 'exit'), log: () => log }
  }
  let running = launch()
  const url = (database = 'postgres') => `postgresql://postgres@127.0.0.1:${port}/${database}`
  const answers = async () => {
    const client = new pg.Client({ connectionString: url() })
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  const untilReady = async () => {
    while (!(await answers())) {
      if (running.child.exitCode !== null) throw new Error(running.log())
      await sleep(50)
    }
  }
  const stop = async (signal: NodeJS.Signals) => {
    running.child.kill(signal)
    await running.exited
  }
  const stopFor = (signal: NodeJS.Signals) => async (ms: number) => {
    await stop(signal)
    await sleep(ms)
    running = launch()
    await untilReady()
  }
  await untilReady()
  return {
    url,
    /** Its recent log output. */
    log: () => running.log(),
    /** Ends it without warning, and starts it again after this time. */
    kill: stopFor('SIGKILL'),
    /** Ends it when its clients have finished their transactions, and starts it again after this time. */
    restart: stopFor('SIGINT'),
    /** Freezes it for this time. */
    pause: async (ms: number) => {
      running.child.kill('SIGSTOP')
      await sleep(ms)
      running.child.kill('SIGCONT')
    },
    end: async () => {
      await stop('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
