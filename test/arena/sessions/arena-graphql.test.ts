/** Where GraphQL differs from REST: rates are 0 to 1, and scores are a list. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena, gameInput } from '../arena-world.ts'

let world: World
let arena: Arena
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
})
afterAll(() => world.end())

const submit = async (developerRevenueRate: number) => {
  const document = `mutation ($input: SubmitArenaGameInput!) { submitArenaGame(input: $input) {
    ... on SubmitArenaGamePayload { arenaGame { uuid developerRevenueRate } }
    ... on ValidationError { errors { message } } } }`
  const input = { ...gameInput, developerRevenueRate }
  const headers = { authorization: `Bearer ${arena.developer}`, 'x-environment': 'LIVE' }
  const request = { query: document, variables: { input } }
  const { body } = await world.call('POST', '/graphql', { headers, body: request })
  return body.data.submitArenaGame
}

test('a rate in GraphQL is a percentage in REST', async () => {
  const { arenaGame } = await submit(0.29)
  expect(arenaGame.developerRevenueRate).toBe(0.29)
  const { body } = await arena.send(
    'GET',
    `/dashboard/arena-games/${arenaGame.uuid}`,
    arena.developer,
  )
  expect(body.data.developerRevenueShare).toBe(29)
  expect((await submit(0.51)).errors).toEqual([
    { message: 'developerRevenueRate must be at most 0.5' },
  ])
  expect((await submit(0.125)).errors).toEqual([
    { message: 'developerRevenueRate must have at most two decimals' },
  ])
})

test('scores are a list, and the error for an invalid one names its index', async () => {
  const { id } = await arena.publish()
  const { sessionId, seats } = await arena.play(id)
  const report = async (scores: object[]) => {
    const document = `mutation ($input: ReportArenaResultInput!) { reportArenaResult(input: $input) {
      ... on ReportArenaResultPayload { arenaSession { players { uuid score } } }
      ... on ValidationError { errors { path message } } } }`
    const input = { arenaSessionId: sessionId, winnerId: seats[0]?.playerId, scores }
    return (await world.graphql(document, { input })).body.data.reportArenaResult
  }
  const scores = seats.map(({ playerId }, n) => ({ arenaPlayerId: playerId, score: n + 1 }))
  const [first = { arenaPlayerId: '', score: 0 }] = scores
  expect((await report([...scores, { arenaPlayerId: 'x', score: 1 }])).errors).toEqual([
    {
      path: ['scores', '2', 'arenaPlayerId'],
      message: 'scores.2.arenaPlayerId is not a player of this session',
    },
  ])
  expect((await report([first, first])).errors).toEqual([
    { path: ['scores'], message: 'scores must name each player once' },
  ])
  const { arenaSession } = await report(scores)
  expect(arenaSession.players).toEqual(
    scores.map(({ arenaPlayerId, score }) => ({ uuid: arenaPlayerId, score })),
  )
})
