/** What every row needs: a migrated database with users, their keys, and our server. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Demo } from '../src/demo/demo.ts'
import { atEnd, type Server, startServer } from './child.ts'
import { users } from './loads.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import type { seedUsers } from './seed.ts'

export type Bench = {
  postgres: Postgres
  demo: Demo
  /** Our server on the database with the users. */
  startOurs(env?: Record<string, string>): Promise<Server>
  /** A rival server: a script in this folder. */
  startRival(script: string): Promise<Server>
  /** Flushes what the last turn left behind, so that the next does not pay for it. */
  settle(): Promise<unknown>
}

export const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A separate database, for rows that are written without triggers. */
export const ownDatabase = async ({ postgres }: Bench, topic: string): Promise<string> => {
  const name = `tessera_${topic}_${process.pid}`
  await postgres.client.query(`CREATE DATABASE ${name}`)
  atEnd(() => postgres.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {}))
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

const scriptPath = (script: string) => fileURLToPath(new URL(script, import.meta.url))

/** The Node options in the `npm start` script of a checkout. */
const heapOptions = (checkout: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  return scripts.start.match(/--max-\S+/g) ?? []
}

const root = scriptPath('..')

/**
 * Our server as an operator starts it; without `databaseUrl` on the embedded database.
 * An earlier checkout has its entry under another name. `BENCH_NODE_FLAGS=--cpu-prof npm run bench 1` takes a profile.
 */
export const startTessera = (
  dataDir: string,
  databaseUrl?: string,
  checkout = root,
  env: Record<string, string> = {},
): Promise<Server> =>
  startServer(
    ['src/main.js', 'src/main.ts'].map((name) => join(checkout, name)).find(existsSync) ?? '',
    {
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      NEW_USER_LIMIT: 'off',
      CONNECTION_LIMIT: 'off',
      WEBHOOK_ALLOW_PRIVATE: '1',
      ARENA_MATCHMAKER: 'off',
      DEMO_PAST: 'off',
      LOG_LEVEL: 'error',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...env,
    },
    [...heapOptions(checkout), ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])],
  )

/** Waits until the server has classified all new users, so that it does not do so while anything is measured. */
const classifyAll = async (client: Postgres['client'], start: () => Promise<Server>) => {
  const { stop } = await start()
  const due = 'SELECT FROM user_profile WHERE due_at <= now() LIMIT 1'
  while ((await client.query(due)).rowCount) await sleep(500)
  await stop()
  await client.query('VACUUM ANALYZE')
}

/** @param checkout the folder of the code to measure, which may be another commit */
export const prepareBench = async (checkout = root): Promise<Bench> => {
  console.log('Starting PostgreSQL …')
  const postgres = await startPostgres()
  const { url, client } = postgres
  const dataDir = tempFolder()
  const startOurs = (env?: Record<string, string>) => startTessera(dataDir, url, checkout, env)
  console.log('Migrating …')
  await (await startOurs()).stop()
  // The goals of the demo would count awards. Only row 17 measures that, with goals of its own.
  await client.query(`DO $$ BEGIN
    IF to_regclass('goal') IS NOT NULL THEN TRUNCATE goal, measure_key CASCADE; END IF; END $$`)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  console.log(`Making ${users.toLocaleString('en')} users …`)
  const seed: { seedUsers: typeof seedUsers } = await import(
    pathToFileURL(join(checkout, 'bench/seed.ts')).href
  )
  await seed.seedUsers(client, { partnerId: demo.partnerId, users })
  await classifyAll(client, startOurs)
  return {
    postgres,
    demo,
    startOurs,
    startRival: (script) =>
      startServer(scriptPath(script), { DATABASE_URL: url, PARTNER_ID: demo.partnerId }),
    settle: () => client.query('CHECKPOINT'),
  }
}
