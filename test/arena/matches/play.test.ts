import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { makeMatches } from '../../../src/arena/matches/match.jobs.ts'
import { closeMatch } from '../../../src/arena/matches/match.ts'
import { startMatches } from '../../../src/arena/matches/runner.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'

let world: World
let now = Date.now()
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const agents = async (first = 'minimax', second = 'random') => {
  const { partnerId } = world.partner
  return [
    await makeAgent(world.runtime, partnerId, first as never),
    await makeAgent(world.runtime, partnerId, second as never),
  ] as const
}
const read = (id: string) => world.runtime.db.arenaMatch.findUniqueOrThrow({ where: { id } })
const eventsOf = (matchId: string) =>
  world.runtime.db.arenaMatchEvent.findMany({ where: { matchId }, orderBy: { seq: 'asc' } })

describe('a match', () => {
  test.each(games.map(({ type }) => type))(
    'of %s is played to its end, with games 1…n, events 1…m, ratings and webhook events',
    async (gameType) => {
      const pair = await agents()
      const { id } = await makeMatch(world.runtime, pair, { gameType, bestOf: 5 })
      await playAll(world.runtime)
      const match = await read(id)
      expect(match).toMatchObject({ status: 'COMPLETED', dueAt: null, leaseToken: null })
      const games = await world.runtime.db.arenaMatchGame.findMany({
        where: { matchId: id },
        orderBy: { gameNumber: 'asc' },
      })
      expect(games.map(({ gameNumber }) => gameNumber)).toEqual(games.map((_, i) => i + 1))
      const wins = (slot: number) => games.filter(({ winnerSlot }) => winnerSlot === slot).length
      expect([wins(1), wins(2)]).toEqual([match.agent1Score, match.agent2Score])
      expect(games.length === 15 || Math.max(wins(1), wins(2)) === 3).toBe(true)
      const events = await eventsOf(id)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
      expect(events.at(-1)).toMatchObject({ seq: match.seq, kind: 'MATCH_COMPLETED' })

      const after = await world.runtime.db.arenaAgent.findMany({
        where: { id: { in: pair.map(({ id }) => id) } },
      })
      const change = match.eloChange as number
      for (const [i, agent] of pair.entries()) {
        const gained = i === 0 ? change : -change
        expect(after.find(({ id }) => id === agent.id)).toMatchObject({
          eloRating: 1200 + gained,
          totalMatches: 1,
        })
      }
      expect(Math.sign(change)).toBe(
        match.winnerSlot === null ? 0 : match.winnerSlot === 1 ? 1 : -1,
      )

      const announced = await world.runtime.db.event.findMany({
        where: { type: { contains: '.' } },
      })
      const of = (type: string) =>
        announced.filter((event) => event.type === type && JSON.stringify(event.data).includes(id))
      expect(of('match.started')).toHaveLength(1)
      expect(of('match.completed')).toHaveLength(1)
      expect(of('game.completed')).toHaveLength(games.length)
    },
  )

  test('alternates who moves first at tic-tac-toe, and shows simultaneous moves together', async () => {
    const { id } = await makeMatch(world.runtime, await agents('minimax', 'minimax'), { bestOf: 1 })
    const rps = await makeMatch(world.runtime, await agents(), {
      gameType: 'ROCK_PAPER_SCISSORS',
    })
    await playAll(world.runtime)
    const first = (await eventsOf(id))
      .filter(({ kind }) => kind === 'GAME_STARTED')
      .map(({ data }) => (data as { firstSlot: number }).firstSlot)
    expect(first).toEqual([1, 2, 1])
    expect(await read(id)).toMatchObject({ winnerSlot: null, eloChange: 0, totalGamesPlayed: 3 })
    for (const { kind, data } of await eventsOf(rps.id))
      if (kind === 'MOVES_MADE') expect((data as { moves: [] }).moves).toHaveLength(2)
  })

  test('with an agent that is not ready waits, and is cancelled after 15 minutes', async () => {
    const pair = await agents()
    await world.runtime.db.arenaAgent.update({
      where: { id: pair[1].id },
      data: { status: 'PAUSED' },
    })
    const { id } = await makeMatch(world.runtime, pair)
    await playAll(world.runtime)
    expect((await read(id)).status).toBe('SCHEDULED')
    now += 15 * 60_000 + 1000
    await playAll(world.runtime)
    expect(await read(id)).toMatchObject({
      status: 'CANCELLED',
      endReason: 'It did not start within 15 minutes',
    })
    expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual([
      'MATCH_SCHEDULED',
      'MATCH_CANCELLED',
    ])
  })

  test('that is cancelled while it is played stays cancelled', async () => {
    const { runtime } = world
    const pair = await agents('minimax', 'minimax')
    const { id } = await makeMatch(runtime, pair, { bestOf: 7 })
    const stop = startMatches(runtime)
    while ((await read(id)).seq < 10) await new Promise((resolve) => setTimeout(resolve, 5))
    const closed = await closeMatch(runtime, id, 'Cancelled by an owner')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await stop()
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', seq: closed?.seq, eloChange: null })
    expect(await closeMatch(runtime, id, 'again')).toBeNull()
    expect((await eventsOf(id)).at(-1)?.kind).toBe('MATCH_CANCELLED')
  })

  test('is held by one node at a time, however many look for it', async () => {
    const { runtime } = world
    const matches = []
    for (let i = 0; i < 6; i++) matches.push(await makeMatch(runtime, await agents()))
    await Promise.all(Array.from({ length: 8 }, () => playAll(runtime)))
    await playAll(runtime)
    for (const { id } of matches) {
      expect((await read(id)).status).toBe('COMPLETED')
      const kinds = (await eventsOf(id)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'MATCH_COMPLETED')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'MATCH_STARTED')).toHaveLength(1)
    }
  })
})

test('the matchmaker keeps the configured number of matches, between free agents', async () => {
  const { runtime } = world
  const parts = {
    ...runtime,
    config: { ...runtime.config, arena: { ...runtime.config.arena, liveMatches: 3 } },
  }
  for (const name of ['random', 'mixed', 'markov'] as const)
    for (let i = 0; i < 2; i++) await makeAgent(runtime, world.partner.partnerId, name)
  const made = await Promise.all([makeMatches(parts), makeMatches(parts), makeMatches(parts)])
  expect(made.sort()).toEqual([0, 0, 3])
  const open = await runtime.db.arenaMatch.findMany({ where: { endedAt: null } })
  const players = open.flatMap(({ agent1Id, agent2Id }) => [agent1Id, agent2Id])
  expect(new Set(players).size).toBe(6)
  await playAll(runtime)
  expect(await makeMatches(parts)).toBe(3)
  await playAll(runtime)
})
