/** Row 16: a database without statistics against one with them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Demo } from '../../src/demo/demo.ts'
import { EmbeddedPool } from '../../src/kit/embedded/embedded-pool.ts'
import { type Bench, startTessera, tempFolder } from '../bench.ts'
import { award } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'
import { seedUsers } from '../seed.ts'

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
