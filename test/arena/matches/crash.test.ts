import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../../src/kit/database/db.ts'
import { type ServerProcess, startServer } from '../../server-process.ts'
import { createDatabase, type TestDatabase } from '../../world.ts'

/** Fifty take ten minutes: `TEST_KILLS=50`. */
const kills = Number(process.env.TEST_KILLS ?? 6)

const env = {
  ARENA_MATCHMAKER: 'on',
  ARENA_LIVE_MATCHES: '4',
  ARENA_GAME_PAUSE_MS: '10',
  ARENA_MOVE_PAUSE_MS: '10',
  LOG_LEVEL: 'error',
}

let database: TestDatabase
let server: ServerProcess | undefined
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  await database?.drop()
})

type Row = Record<string, number>

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type LiveMatch = { id: string; agent1Score: number; agent2Score: number }

/** How many games of each live match are won. */
const liveMatches = async (base: string): Promise<Map<string, number>> => {
  const answer = await fetch(`${base}/v1/arena/matches/live?limit=100`)
  const { data } = (await answer.json()) as { data: LiveMatch[] }
  return new Map(data.map(({ id, agent1Score, agent2Score }) => [id, agent1Score + agent2Score]))
}

/** Runs queries on the database while no server uses it. */
const ask = async (text: string) => {
  const { pool, close } = await openDatabase(database)
  try {
    expect(await audit(pool)).toBe(0)
    return (await pool.query({ text, values: [] })).rows as Row[]
  } finally {
    await close()
  }
}

test(`a server killed at least ${kills} times plays every match once, games 1…n once each`, async () => {
  let events = 0
  const interrupted = new Set<string>()
  // On a slow machine, one match may outlast all of these processes.
  for (let life = 0; life < kills || interrupted.size < 2; life++) {
    server = await startServer(database, env)
    const { base } = server
    let live = await liveMatches(base)
    for (; live.size === 0; live = await liveMatches(base)) await pause(20)
    // Killed at a different moment each time: early, or after a game was won, however slow it is.
    await pause((life * 137) % 700)
    const isWon = async () => {
      const now = await liveMatches(base)
      return [...live].some(([id, won]) => now.get(id) !== won)
    }
    if (life % 3 === 2) while (!(await isWon())) await pause(20)
    await server.kill('SIGKILL')
    server = undefined
    for (const id of live.keys()) interrupted.add(id)
    // The matches of the killed process are free when their leases expire, which takes 30 seconds.
    await ask('UPDATE arena_match SET lease_until = now() WHERE lease_until IS NOT NULL')
    if (life % 3 !== 2) continue
    const [row] = await ask(`SELECT
      (SELECT count(*)::int FROM arena_match_game) AS games,
      (SELECT count(*)::int FROM arena_match_event) AS events`)
    expect(row?.games).toBeGreaterThan(0)
    expect(row?.events).toBeGreaterThan(events)
    events = row?.events ?? 0
  }

  // Without new matches, the open ones end.
  server = await startServer(database, { ...env, ARENA_MATCHMAKER: 'off' })
  const { base } = server
  const open = async () => {
    const totals = ['SCHEDULED', 'IN_PROGRESS'].map(async (status) => {
      const types = 'ROCK_PAPER_SCISSORS,TIC_TAC_TOE,CONNECT_FOUR'
      const answer = await fetch(`${base}/v1/arena/matches?status=${status}&gameTypes=${types}`)
      return ((await answer.json()) as { meta: { total: number } }).meta.total
    })
    return (await Promise.all(totals)).reduce((a, b) => a + b)
  }
  const end = Date.now() + 120_000
  while ((await open()) > 0 && Date.now() < end) await pause(300)
  expect(await open()).toBe(0)
  await server.kill('SIGTERM')
  server = undefined
  const [row] = await ask(`SELECT
    (SELECT count(*)::int FROM arena_match WHERE status <> 'COMPLETED') AS others,
    (SELECT count(*)::int FROM arena_match) AS matches,
    (SELECT count(*)::int FROM event WHERE type = 'match.completed') AS announced,
    (SELECT sum(elo_rating)::int - 1200 * count(*)::int FROM arena_agent) AS made`)
  expect(row).toMatchObject({ others: 0, made: 0 })
  expect(row?.announced).toBe(row?.matches)
}, 900_000)
