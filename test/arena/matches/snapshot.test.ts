import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.end())

const snapshot = async (matchId: string) =>
  (
    await world.graphql(
      `query ($matchId: ID!) { arena { result: matchSnapshot(id: $matchId) {
        seq currentRound { roundNumber turn board moves { slot action } }
        rounds { roundNumber agent1Actions agent2Actions } match { uuid status seq } } } }`,
      { matchId },
      {},
    )
  ).body.data?.arena.result

const newAgents = async () => {
  const { partnerId } = world.partner
  return [
    await makeAgent(world.runtime, partnerId, 'minimax'),
    await makeAgent(world.runtime, partnerId, 'random'),
  ] as const
}

test('a snapshot needs no subscription, and shows the last board of a match that is over', async () => {
  const match = await makeMatch(world.runtime, await newAgents(), { bestOf: 1 })
  expect(await snapshot(match.id)).toMatchObject({
    seq: 1,
    currentRound: null,
    match: { status: 'SCHEDULED', seq: 1 },
  })
  await playAll(world.runtime)
  const result = await snapshot(match.id)
  expect(result.match).toMatchObject({ status: 'COMPLETED', seq: result.seq })
  const last = result.rounds.at(-1)
  const { currentRound } = result
  expect(currentRound).toMatchObject({ roundNumber: last.roundNumber, turn: [] })
  const actions = (slot: string) =>
    currentRound.moves
      .filter((move: { slot: string }) => move.slot === slot)
      .map(({ action }: { action: string }) => action)

  expect([actions('AGENT1'), actions('AGENT2')]).toEqual([last.agent1Actions, last.agent2Actions])
  const filled = currentRound.board.flat().filter((cell: string | null) => cell !== null)
  expect(filled).toHaveLength(currentRound.moves.length)
})

test('a private or unknown match is not found', async () => {
  const [first, second] = await newAgents()
  const hidden = await makeAgent(world.runtime, world.partner.partnerId, 'random', {
    isPublic: false,
  })
  const match = await makeMatch(world.runtime, [first, hidden], { matchType: 'FRIENDLY' })
  for (const id of [match.id, second.id, 'x', '\u0000']) expect(await snapshot(id)).toBeNull()
})

test('the trend of an agent begins before its first ranked match and ends at its rating', async () => {
  const agents = await newAgents()
  const trendOf = async (agentId: string) =>
    (
      await world.graphql(
        'query ($agentId: ID!) { arena { agent(id: $agentId) { eloRating ratingTrend } } }',
        { agentId },
        {},
      )
    ).body.data.arena.agent
  expect((await trendOf(agents[0].id)).ratingTrend).toEqual([])
  for (let i = 0; i < 3; i++) {
    await makeMatch(world.runtime, agents, { bestOf: 1, gameType: 'CONNECT_FOUR' })
    await playAll(world.runtime)
  }
  const [first, second] = [await trendOf(agents[0].id), await trendOf(agents[1].id)]
  expect(first.ratingTrend).toHaveLength(4)
  expect(first.ratingTrend[0]).toBe(1200)
  expect(first.ratingTrend.at(-1)).toBe(first.eloRating)
  for (const [i, rating] of first.ratingTrend.entries())
    expect(rating + second.ratingTrend[i]).toBe(2400)
})
