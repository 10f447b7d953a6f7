import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { retentionJobs } from '../../../src/retention-rules.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'
import { follow, range, seqs } from './spectators.ts'

const dayMs = 24 * 3_600_000
let now = Date.now()
let world: World
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterAll(() => world.end())

const play = async () => {
  const { runtime, partner } = world
  const agents = [
    await makeAgent(runtime, partner.partnerId, 'minimax'),
    await makeAgent(runtime, partner.partnerId, 'random'),
  ] as const
  const { id } = await makeMatch(runtime, agents, { bestOf: 1 })
  await playAll(runtime)
  return runtime.db.arenaMatch.findUniqueOrThrow({ where: { id } })
}

const forget = async () => {
  for (const job of retentionJobs) await job.run(world.runtime)
  expect(await audit(world.server.database.pool)).toBe(0)
}
const logOf = (matchId: string) =>
  world.runtime.db.arenaMatchEvent.findMany({ where: { matchId }, orderBy: { seq: 'asc' } })

test('events of a match are deleted after its days, all but the last; the match stays', async () => {
  const { db, config } = world.runtime
  const match = await play()
  expect((await logOf(match.id)).map(({ seq }) => seq)).toEqual(range(1, match.seq))
  now += 400 * dayMs
  await forget()
  expect(await logOf(match.id)).toHaveLength(match.seq)

  config.retention.matchEventDays = 10
  const young = await play()
  now += 9 * dayMs
  await forget()
  expect(await logOf(match.id)).toMatchObject([{ seq: match.seq, kind: 'MATCH_COMPLETED' }])
  expect(await logOf(young.id)).toHaveLength(young.seq)
  expect(await db.arenaMatchGame.count({ where: { matchId: match.id } })).toBe(
    match.totalGamesPlayed,
  )
  const shown = await world.get(`/v1/arena/matches/${match.id}`)
  expect(shown.body.data.games).toHaveLength(match.totalGamesPlayed)

  // A reader of the whole match gets its end at once.
  for (const variables of [{}, { afterSeq: 0 }, { afterSeq: 1, speed: 1 }]) {
    const watcher = follow(world, { matchId: match.id, ...variables })
    await watcher.done
    expect(watcher.events).toMatchObject([
      { seq: match.seq, kind: 'ArenaMatchSnapshot', currentRound: null },
    ])
    expect(watcher.events[0]?.rounds).toHaveLength(match.totalGamesPlayed)
    await watcher.stop()
  }
  const last = follow(world, { matchId: match.id, afterSeq: match.seq - 1 })
  await last.done
  expect(seqs(last.events)).toEqual([match.seq])
  await last.stop()
  const whole = follow(world, { matchId: young.id, afterSeq: 0 })
  await whole.done
  expect(seqs(whole.events)).toEqual(range(1, young.seq))
  await whole.stop()
  config.retention.matchEventDays = 0
})
