/** A separate PostgreSQL with the default settings except for its size; or the server of DATABASE_URL. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { atEnd, endChild, freePort, hasEnded } from './child.ts'

export type Postgres = {
  url: string
  version: string
  /** For the queries of the bench itself; closed with the run. */
  client: pg.Client
  /** Null where PostgreSQL is not installed. */
  pgbench: string | null
}

const debianFolder = '/usr/lib/postgresql'

const findFolder = (program: string): string | undefined => {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  return [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((v) => join(debianFolder, v, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ].find((folder) => existsSync(join(folder, program)))
}

/** PostgreSQL refuses to run as root. */
const unprivileged = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

const startOwn = async (bin: string): Promise<string> => {
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-postgres-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid as number)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']
  execFileSync(join(bin, 'initdb'), initdb, { ...user, cwd: folder, stdio: 'pipe' })
  const port = await freePort()
  const settings = {
    port,
    unix_socket_directories: folder,
    shared_buffers: '512MB',
    max_connections: 300,
  }
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  )
  atEnd(() => endChild(server, 'SIGINT'))
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  while (!hasEnded(server)) {
    const client = await connect(url).catch(() => null)
    await client?.end()
    if (client) return url
    await sleep(50)
  }
  throw new Error('PostgreSQL did not start')
}

let databases = 0

/** @throws Error when there is neither PostgreSQL nor DATABASE_URL */
export const startPostgres = async (): Promise<Postgres> => {
  const bin = findFolder('initdb')
  const url = bin ? await startOwn(bin) : process.env.DATABASE_URL
  if (!url) throw new Error('Install PostgreSQL, or name a server in DATABASE_URL')
  const name = `tessera_bench_${process.pid}_${++databases}`
  const admin = await connect(url)
  await admin.query(`CREATE DATABASE ${name}`)
  const { rows } = await admin.query('SHOW server_version')
  await admin.end()
  atEnd(async () => {
    const last = await connect(url)
    await last.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await last.end()
  })
  const own = new URL(url)
  own.pathname = name
  const client = await connect(own.href)
  client.on('error', () => {}) // the server goes away at the end of the run
  atEnd(() => client.end())
  const folder = findFolder('pgbench')
  return {
    url: own.href,
    version: rows[0].server_version,
    client,
    pgbench: folder ? join(folder, 'pgbench') : null,
  }
}
