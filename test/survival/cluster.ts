/** PostgreSQL clusters that a test may freeze, kill, reset and restore. Debian's programs make them. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../server-process.ts'
import type { TestDatabase } from '../world.ts'

const versions = '/usr/lib/postgresql'
const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] ?? ''

const programPath = (name: string) => join(versions, newest, 'bin', name)

/** PostgreSQL and PgBouncer refuse to run as root. */
const idOf = (flag: '-u' | '-g') =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
/** The user of these processes. */
export const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

/** A new empty folder that PostgreSQL may write to. */
export const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-survival-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number)
  return folder
}

/** Runs a program of PostgreSQL (`pg_dump`, `pg_resetwal`) to its end and returns its output. */
export const runProgram = (name: string, args: string[], input?: string): string =>
  execFileSync(programPath(name), args, {
    ...user,
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 2 ** 30,
    ...(input !== undefined && { input }),
  })

/** Signals a process and all that it has started; none of them is listed before its parent has the signal. */
const signalFamily = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    for (const child of children.filter(Boolean)) signalFamily(Number(child), signal)
  } catch (error) {
    // It has ended in the meantime.
    if (!['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Copies a running cluster into a new folder, from which `startCluster` starts its standby. */
export const copyCluster = async (url: string): Promise<string> => {
  const data = createFolder()
  await promisify(execFile)(
    programPath('pg_basebackup'),
    ['-d', url, '-D', data, '-R', '-c', 'fast', '-N'],
    { ...user, cwd: tmpdir() },
  )
  return data
}

/**
 * Starts a cluster on its own port.
 * @param options.data a data folder that is there already, as made by `pg_basebackup`; a new one when left out
 * @param options.settings of the server: `{ max_connections: 20 }`
 */
export const startCluster = async (
  options: { data?: string; settings?: Record<string, string | number> } = {},
) => {
  const folder = createFolder()
  const data = options.data ?? join(folder, 'data')
  if (!options.data)
    await promisify(execFile)(
      programPath('initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
      { ...user, cwd: tmpdir() },
    )
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // A killed server has its commits in files that the system keeps. Only a crash of the machine would lose them.
    fsync: 'off',
    ...options.settings,
  }
  const url = (database = 'postgres') => `postgresql://postgres@127.0.0.1:${port}/${database}`

  const launch = () => {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(programPath('postgres'), ['-D', data, ...flags], {
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
  let server = launch()

  /** Runs statements on a new connection and returns the rows of the last. */
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    try {
      const result = await client.query(sql)
      return ([result].flat().at(-1) as pg.QueryResult).rows
    } finally {
      await client.end()
    }
  }
  const untilReady = async () => {
    for (let ready = false; !ready; await sleep(50)) {
      if (server.child.exitCode !== null) throw new Error(server.log())
      ready = await query('SELECT').then(
        () => true,
        () => false,
      )
    }
  }
  const signalAll = (signal: NodeJS.Signals) => signalFamily(server.child.pid as number, signal)
  const modes = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const
  const stop = async (mode: keyof typeof modes = 'fast') => {
    server.child.kill(modes[mode])
    await server.exited
  }
  await untilReady()

  return {
    data,
    port,
    url,
    query,
    stop,
    /** Starts it again after `stop`, on the same port. */
    start: async () => {
      server = launch()
      await untilReady()
    },
    /** Freezes all of its processes (SIGSTOP); connections stay open. */
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    /** An empty database with a folder, for `startServer` and `createWorld`. */
    createDatabase: async (name: string): Promise<TestDatabase> => {
      await query(`CREATE DATABASE ${name}`)
      const dataDir = mkdtempSync(join(tmpdir(), 'tessera-survival-'))
      const drop = async () => rmSync(dataDir, { recursive: true, force: true })
      return { databaseUrl: url(name), dataDir, drop }
    },
    /** Recent log output of the server. */
    log: () => server.log(),
    /** Ends it and deletes its data. */
    end: async () => {
      if (server.child.exitCode === null && server.child.signalCode === null) {
        signalAll('SIGCONT')
        await stop('immediate')
      }
      for (const path of [folder, data]) rmSync(path, { recursive: true, force: true })
    },
  }
}
