/**
 * The end of a match locks the match and then its agents (docs/decisions/lock-order.md), as taking out an agent does.
 */
import pg from 'pg'
import { expect, test } from 'vitest'
import { createWorld, onPostgres } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'

test.runIf(onPostgres)('a match that ends is locked before its agents', async () => {
  let now = Date.now()
  const world = await createWorld({ clock: () => new Date(now) })
  const { runtime, partner } = world
  const { pool } = world.server.database
  const client = new pg.Client(pool.options.connectionString)
  await client.connect()
  try {
    const agents = [
      await makeAgent(runtime, partner.partnerId, 'random'),
      await makeAgent(runtime, partner.partnerId, 'random'),
    ] as const
    const { id } = await makeMatch(runtime, agents, { bestOf: 1 })
    await client.query('BEGIN')
    const ids = agents.map((agent) => agent.id)
    await client.query('SELECT FROM arena_agent WHERE id = ANY ($1) FOR NO KEY UPDATE', [ids])
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    const matchOf = () => runtime.db.arenaMatch.findUniqueOrThrow({ where: { id } })
    const isOpen = async () => (await matchOf()).status !== 'COMPLETED'
    const play = async () => {
      // A draw is followed by another game, later.
      for (; await isOpen(); now += 60_000) await playAll(runtime)
    }
    const played = play()
    const count = async (text: string, value: unknown) =>
      (await pool.query({ text, values: [value] })).rowCount
    const waiting = 'SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))'
    await expect.poll(() => count(waiting, rows[0].pid)).toBe(1)
    const free = 'SELECT FROM arena_match WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED'
    expect(await count(free, id)).toBe(0)
    await client.query('ROLLBACK')
    await played
    expect((await matchOf()).eloChange).not.toBeNull()
  } finally {
    await client.end()
    await world.end()
  }
})
