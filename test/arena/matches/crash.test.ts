import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/db/db.ts'
import { audit } from '../../../tools/invariants.ts'
import { type ServerProcess, startServer } from '../../server-process.ts'
import { createDatabase, type TestDatabase } from '../../world.ts'

/** Fifty take ten minutes: `TEST_KILLS=50`. */
const kills = Number(process.env.TEST_KILLS ?? 12)

const env = {
  ARENA_MATCHMAKER: 'on',
  ARENA_LIVE_MATCHES: '4',
  ARENA_GAME_PAUSE_MS: '10',
  ARENA_MOVE_PAUSE_MS: '10',
  // Matches of a killed process are free when its lease expires.
  ARENA_LEASE_MS: '300',
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

const liveMatches = async (base: string): Promise<string[]> => {
  const answer = await fetch(`${base}/v1/arena/matches/live?limit=100`)
  return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
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

test(`a server killed ${kills} times or more plays every match once, games 1…n once each`, async () => {
  let seen = 0
  let events = 0
  const interrupted = new Set<string>()
  // How much is played in a life depends on the machine. Something must be played in all of them.
  for (let life = 0; life < kills || seen === 0; life++) {
    server = await startServer(database, env)
    for (let live: string[] = []; live.length === 0; await pause(20)) {
      live = await liveMatches(server.base)
      for (const id of live) interrupted.add(id)
    }
    // Killed at a different moment each time.
    await pause((life * 137) % 700)
    await server.kill('SIGKILL')
    server = undefined
    if (life % 5 !== 4) continue
    const [row] = await ask(`SELECT
      (SELECT count(*)::int FROM arena_match_game) AS games,
      (SELECT count(*)::int FROM arena_match_event) AS events`)
    expect(row?.events).toBeGreaterThanOrEqual(events)
    seen = row?.games ?? 0
    events = row?.events ?? 0
  }
  expect(interrupted.size).toBeGreaterThan(1)

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
