import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentFaults } from '../../rest/documented.ts'
import { createWorld, type TestPartner, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let world: World
let arena: Arena
let other: TestPartner
let game: { id: string; name: string }
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  other = await world.createPartner()
  game = await arena.publish({ entryFee: 100, developerRevenueShare: 20, resultPolicy: 'SERVER' })
})
afterAll(() => world.end())

const path = '/dashboard/arena-acceptances'
const caps = { maxPointsInPerDay: 500, maxPointsOutPerDay: 0 }
const accept = (body: object, partner = other) =>
  arena.sendAs(partner, 'POST', path, { ...caps, ...body })
const withdraw = (gameId: string, partner = other) =>
  arena.sendAs(partner, 'DELETE', `${path}/${gameId}`)
const list = async (partner = other) => (await arena.sendAs(partner, 'GET', path)).body

test('a member accepts a game, changes the caps, withdraws, and accepts again', async () => {
  const accepted = await accept({ gameId: game.id.toUpperCase() })
  expect(accepted.body).toMatchObject({
    message: 'Game accepted successfully',
    data: {
      gameId: game.id,
      gameName: game.name,
      entryFee: 100,
      developerRevenueShare: 20,
      resultPolicy: 'SERVER',
      ...caps,
      isInForce: true,
      pointsInToday: 0,
      pointsOutToday: 0,
      withdrawnAt: null,
    },
  })
  await accept({ gameId: game.id, maxPointsOutPerDay: 7 })
  const { data, meta } = await list()
  expect([meta.total, data[0].maxPointsInPerDay, data[0].maxPointsOutPerDay]).toEqual([1, 500, 7])

  const withdrawn = await withdraw(game.id)
  expect(withdrawn.body.data).toMatchObject({ isInForce: false, withdrawnAt: expect.any(String) })
  expect((await withdraw(game.id)).body.data).toEqual(withdrawn.body.data)
  expect((await list()).data).toEqual([withdrawn.body.data])
  const again = await accept({ gameId: game.id })
  expect(again.body.data).toMatchObject({ isInForce: true, withdrawnAt: null })
})

test('several members accept a game at the same time', async () => {
  const { id } = await arena.publish({ entryFee: 10, resultPolicy: 'SERVER' })
  const partner = await world.createPartner()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => accept({ gameId: id }, partner)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await list(partner)).data).toHaveLength(1)
})

test('an acceptance holds until the terms of the game change', async () => {
  const { id } = await arena.publish({ entryFee: 10, resultPolicy: 'QUORUM' })
  await accept({ gameId: id })
  await arena.send('PATCH', `/dashboard/arena-games/${id}`, arena.developer, { name: 'Renamed' })
  expect((await list()).data[0]).toMatchObject({ gameName: 'Renamed', isInForce: true })
  await arena.send('PATCH', `/dashboard/arena-games/${id}`, arena.developer, { entryFee: 20 })
  expect((await list()).data[0]).toMatchObject({ entryFee: 10, isInForce: false })
  const seen = { entryFee: 10, developerRevenueShare: 30, resultPolicy: 'QUORUM' }
  for (const stale of [seen, { ...seen, entryFee: 20, developerRevenueShare: 0 }]) {
    const { status, body } = await accept({ gameId: id, ...stale })
    expect([status, body.errorCode]).toEqual([409, 'ARENA_TERMS_CHANGED'])
  }
  const { body } = await accept({ gameId: id, ...seen, entryFee: 20 })
  expect(body.data).toMatchObject({ entryFee: 20, isInForce: true })
})

test('only members of the partner see and change its acceptances', async () => {
  const stranger = await world.createPartner()
  expect(await list(stranger)).toMatchObject({ data: [], meta: { total: 0 } })
  expect((await withdraw(game.id, stranger)).body.errorCode).toBe('ARENA_ACCEPTANCE_NOT_FOUND')
  const { secret } = other.live
  for (const [method, url, body] of [
    ['GET', path, undefined],
    ['POST', path, { gameId: game.id, ...caps }],
    ['DELETE', `${path}/${game.id}`, undefined],
  ] as const) {
    const answer = await world.call(method, url, { key: secret, body })
    expect([answer.status, answer.body.errorCode]).toEqual([401, 'INVALID_BEARER_TOKEN'])
  }
  for (const document of [
    '{ arenaAcceptances { totalCount { value } } }',
    `mutation { acceptArenaGame(input: { arenaGame: { id: "${game.id}" }, maxPointsInPerDay: 1, maxPointsOutPerDay: 1 }) { __typename } }`,
    `mutation { withdrawArenaAcceptance(input: { arenaGame: { id: "${game.id}" } }) { __typename } }`,
  ]) {
    const { body } = await world.graphql(document, {}, { secret })
    expect(body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
  }
})

test('a member working in TEST cannot accept a game', async () => {
  const key = await world.signInAs('OWNER', other.partnerId)
  const headers = { 'x-environment': 'TEST' }
  const body = { gameId: game.id, ...caps }
  for (const [method, url] of [
    ['POST', path],
    ['DELETE', `${path}/${game.id}`],
  ] as const) {
    const answer = await world.call(method, url, { key, headers, body })
    expect([answer.status, answer.body.errorCode]).toEqual([403, 'LIVE_ONLY'])
  }
})

test('a game that is not public gets the same answer as an unknown one', async () => {
  const pending = await arena.submit({ entryFee: 10, resultPolicy: 'QUORUM' })
  for (const gameId of [pending.id, randomUUID()])
    expect((await accept({ gameId })).body.errorCode).toBe('ARENA_GAME_NOT_FOUND')
  for (const gameId of [pending.id, randomUUID(), 'x', '%00', 'a'.repeat(300)]) {
    const answer = await withdraw(gameId)
    expect([answer.status, answer.body.errorCode]).toEqual([404, 'ARENA_ACCEPTANCE_NOT_FOUND'])
    expect(documentFaults('DELETE', `${path}/${gameId}`, answer, { strict: true })).toEqual([])
  }
})

test.each([
  [{ entryFee: 100 }],
  [{ entryFee: 100, resultPolicy: 'TOKEN' }],
  [{ resultPolicy: 'QUORUM' }],
  [{}],
])('a game with %j cannot be shared', async (terms) => {
  const { id } = await arena.publish(terms)
  const { status, body } = await accept({ gameId: id })
  expect([status, body.errors[0].field]).toEqual([400, 'gameId'])
})

test.each([
  ['gameId', undefined],
  ['gameId', 'x'],
  ['gameId', 5],
  ['maxPointsInPerDay', undefined],
  ['maxPointsInPerDay', -1],
  ['maxPointsInPerDay', 1.5],
  ['maxPointsInPerDay', 2 ** 31],
  ['maxPointsOutPerDay', '5'],
  ['maxPointsOutPerDay', null],
  ['resultPolicy', 'TRUST'],
  ['entryFee', 0],
])(
  'an acceptance with the %s %j is refused, and the error names the field',
  async (field, value) => {
    const { status, body } = await accept({ gameId: game.id, [field]: value })
    expect([status, body.errors[0].field]).toEqual([400, field])
  },
)

test('the public games are filtered by whether several partners can share their prize pools', async () => {
  const fee = { entryFee: 100 }
  for (const [name, terms] of [
    ['Shared by quorum', { ...fee, resultPolicy: 'QUORUM' }],
    ['Shared by server', { ...fee, resultPolicy: 'SERVER' }],
    ['Shared by no policy', fee],
    ['Shared by token', { ...fee, resultPolicy: 'TOKEN' }],
    ['Shared for free', { resultPolicy: 'SERVER' }],
  ] as const)
    await arena.publish({ name, ...terms })
  const found = async (isShareable: boolean) => {
    const { body } = await world.graphql(
      `query ($filter: PublicArenaGameFilter) {
        arena { games(filter: $filter) { nodes { name isShareable } } } }`,
      { filter: { search: 'shared', isShareable } },
    )
    const nodes: { name: string; isShareable: boolean }[] = body.data.arena.games.nodes
    expect(nodes.map((node) => node.isShareable)).toEqual(nodes.map(() => isShareable))
    return nodes.map(({ name }) => name)
  }
  expect(await found(true)).toEqual(['Shared by server', 'Shared by quorum'])
  expect(await found(false)).toEqual(['Shared for free', 'Shared by token', 'Shared by no policy'])
})

test('a game shows the acceptance of the member who asks, and nobody else’s', async () => {
  const [first, second] = [await world.createPartner(), await world.createPartner()]
  await accept({ gameId: game.id, maxPointsInPerDay: 11 }, first)
  await accept({ gameId: game.id, maxPointsInPerDay: 22 }, second)
  const capSeenBy = async (bearer?: string) => {
    const { body } = await world.graphql(
      `{ arena { game(by: { id: "${game.id}" }) { acceptance { maxPointsInPerDay isInForce } } } }`,
      {},
      bearer ? { bearer } : {},
    )
    return body.data.arena.game.acceptance
  }
  for (const [partner, maxPointsInPerDay] of [
    [first, 11],
    [second, 22],
  ] as const) {
    const member = await world.signInAs('DEVELOPER', partner.partnerId)
    expect(await capSeenBy(member)).toEqual({ maxPointsInPerDay, isInForce: true })
  }
  expect(await capSeenBy(arena.developer)).toBeNull()
  expect(await capSeenBy()).toBeNull()
})
