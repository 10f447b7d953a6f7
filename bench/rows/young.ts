/** Rows 16 and 17: a database without statistics against one with them, and one that grew against a new one. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { EmbeddedPool } from '../../src/core/db/embedded-db.ts'
import type { Demo } from '../../src/demo/demo.ts'
import { type Bench, startTessera, tempFolder } from '../bench.ts'
import { atEnd, endChild } from '../child.ts'
import { award } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'
import { seedUsers } from '../seed.ts'

const awards = Number(process.env.BENCH_AWARDS ?? 1_000_000)

type Place = { dataDir: string; url?: string }

/** A database that nobody uses while it is prepared. */
type Kind = {
  name: string
  make(name: string): Promise<Place>
  /** Statements that bypass the server. */
  within(at: Place, run: (client: pg.Client) => Promise<unknown>): Promise<void>
}

const embedded: Kind = {
  name: 'embedded',
  make: async () => ({ dataDir: tempFolder() }),
  within: async ({ dataDir }, run) => {
    const pool = await EmbeddedPool.open(join(dataDir, 'db'))
    await run(pool as never)
    await pool.end()
  },
}

const server = ({ postgres }: Bench): Kind => ({
  name: 'PostgreSQL',
  make: async (name) => {
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    await postgres.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await postgres.client.query(`CREATE DATABASE ${name}`)
    return { dataDir: tempFolder(), url: url.href }
  },
  within: async ({ url }, run) => {
    const client = new pg.Client({ connectionString: url as string })
    await client.connect()
    await run(client)
    await client.end()
  },
})

/** A server without jobs, which would classify all new users in the first minute, and not again in the next. */
const startOn = async (name: string, at: Place, users: number) => {
  const { port, stop } = await startTessera(at.dataDir, at.url, undefined, { JOBS: 'off' })
  const demo = JSON.parse(readFileSync(join(at.dataDir, 'demo.json'), 'utf8')) as Demo
  const load = { port, connections: 64, request: award(demo, users) }
  return { contender: httpContender(name, load), stop }
}

/** Two databases that differ only in their statistics; they take turns. */
export const youngRow = async (bench: Bench): Promise<Result[]> => {
  const results: Result[] = []
  for (const kind of [embedded, server(bench)])
    for (const users of [20_000, 200_000]) {
      const what = `awards, ${kind.name}, ${users.toLocaleString('en')} users`
      const servers = []
      for (const state of ['new', 'analysed']) {
        const at = await kind.make(`${state}_${users}`)
        await (await startTessera(at.dataDir, at.url)).stop()
        const { partnerId } = JSON.parse(
          readFileSync(join(at.dataDir, 'demo.json'), 'utf8'),
        ) as Demo
        await kind.within(at, (client) => seedUsers(client, { partnerId, users, analyze: false }))
        if (state === 'analysed') await kind.within(at, (client) => client.query('ANALYZE'))
        servers.push(await startOn(`${what}, ${state}`, at, users))
      }
      const [ours = 0, rival = 0] = await alternate(
        servers.map(({ contender }) => contender),
        () => bench.settle(),
      )
      for (const { stop } of servers) await stop()
      const against = 'the same after ANALYZE'
      results.push(
        compare({ row: '16', what: `${what}, no statistics`, against, ours, rival, goal: 0.9 }),
      )
    }
  return results
}

const megabytes = (folder: string) =>
  Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024

/** Awards of one partner to 1,000 users on the embedded database, in a separate process. */
export const millionRow = async (): Promise<Result[]> => {
  const dataDir = tempFolder()
  const script = fileURLToPath(new URL('../million.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(awards)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(() => endChild(child, 'SIGTERM'))
  const ended = once(child, 'exit')
  const tenths: number[] = []
  for await (const line of createInterface(child.stdout)) {
    tenths.push(Number(line))
    console.log(`  tenth ${tenths.length}: ${line}/s, folder ${Math.round(megabytes(dataDir))} MB`)
  }
  const [code] = await ended
  if (code !== 0 || tenths.length !== 10) throw new Error('The awards broke off')
  const grown = megabytes(join(dataDir, 'db'))
  // The size of a restored dump: every table and index is rewritten.
  await embedded.within({ dataDir }, async (client) => {
    await client.query('VACUUM FULL')
    await client.query('CHECKPOINT')
  })
  const restored = megabytes(join(dataDir, 'db'))
  const row = '17'
  const [first, last] = [tenths[0] as number, tenths[9] as number]
  return [
    compare({
      row,
      what: `the last tenth of ${awards.toLocaleString('en')} awards to 1,000 users, embedded`,
      against: 'the first tenth',
      ours: last,
      rival: first,
      goal: 0.9,
    }),
    {
      ...{ row, what: 'the folder after that', against: 'all tables written anew' },
      ours: `${Math.round(grown)} MB`,
      rival: `${Math.round(restored)} MB`,
      ratio: `${(grown / restored).toFixed(2)} ×`,
      goal: '≤ 1.5 ×',
      met: grown <= 1.5 * restored ? 'yes' : 'no',
    },
  ]
}
