import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestPartner, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let world: World
let arena: Arena
let stranger: TestPartner
let strangerToken: string
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  stranger = await world.createPartner()
  strangerToken = await world.signInAs('OWNER', stranger.partnerId)
})
afterAll(() => world.end())

const node = async (type: string, id: string, bearer?: string) => {
  const global = Buffer.from(`${type}:${id}`).toString('base64url')
  const { body } = await world.graphql(
    'query ($id: ID!) { node(id: $id) { __typename ... on ArenaGame { name } } }',
    { id: global },
    bearer ? { bearer } : {},
  )
  return body.data?.node ?? body.errors?.[0]?.extensions.code ?? null
}

test('only its developer and administrators see a game under review', async () => {
  const name = `Secret ${randomUUID()}`
  const { id, slug } = await arena.submit({ name })
  expect(await node('ArenaGame', id, arena.developer)).toMatchObject({ name })
  expect(await node('ArenaGame', id, arena.admin)).toMatchObject({ name })
  expect(await node('ArenaGame', id, strangerToken)).toBeNull()
  expect(await node('ArenaGame', id)).toBeNull()
  for (const path of [
    '/v1/arena/games',
    `/v1/arena/games?search=${encodeURIComponent(name)}`,
    `/v1/arena/games/${slug}`,
    `/v1/arena/games/id/${id}`,
    `/v1/arena/games/${id}/sessions`,
    `/arena/games/${slug}`,
  ])
    expect((await world.get(path)).text).not.toContain(name)
  const all =
    '{ platform { arenaGames(filter: { statuses: [PENDING_REVIEW] }) { nodes { name } } } }'
  const { body } = await world.graphql(all, {}, { bearer: strangerToken })
  expect(body.errors[0].extensions.code).toBe('ADMIN_REQUIRED')
  const by = `by: { slug: "${slug}" }`
  const own = await world.graphql(
    `{ arenaGame(${by}) { name } arena { game(${by}) { name } } }`,
    {},
    {
      bearer: strangerToken,
    },
  )
  expect(own.body.data).toEqual({ arenaGame: null, arena: { game: null } })
})

test('a game is an ArenaGame to its developer alone', async () => {
  const { id, slug } = await arena.publish()
  await arena.send('PATCH', `/dashboard/arena-games/${id}/build`, arena.developer, {
    buildUrl: 'https://games.example/secret/2/',
  })
  const read = async (keys: object) => {
    const query = `{ arena { game(by: { slug: "${slug}" }) { __typename id buildUrl ... on ArenaGame {
      status updatedAt version partner { name } newestBuild { buildUrl } builds { buildUrl } } } } }`
    const { game } = (await world.graphql(query, {}, keys)).body.data.arena
    const byId = await world.graphql(`{ node(id: "${game.id}") { __typename id } }`, {}, keys)
    expect(byId.body.data.node).toEqual({ __typename: game.__typename, id: game.id })
    return game
  }
  const shown = await read({})
  const { buildUrl } = shown
  expect(shown.__typename).toBe('ArenaGameView')
  expect(buildUrl).not.toContain('secret')
  const { live, test: sandbox } = world.partner
  for (const keys of [
    {},
    { public: live.public },
    sandbox,
    stranger.live,
    { bearer: strangerToken },
  ])
    expect(await read(keys)).toEqual(shown)
  for (const keys of [{ bearer: arena.developer }, { bearer: arena.admin }, live]) {
    const game = await read(keys)
    expect(game).toMatchObject({
      __typename: 'ArenaGame',
      id: shown.id,
      status: 'PENDING_REVIEW',
      updatedAt: expect.any(String),
      version: expect.any(Number),
      partner: { name: expect.any(String) },
    })
    expect(game.newestBuild.buildUrl).toContain('secret')
    expect(game.builds).toHaveLength(2)
    expect(game.buildUrl).toBe(buildUrl)
  }
})

test('the public fields of a session reveal no users, partners or tokens', async () => {
  const game = await arena.publish({ entryFee: 10, resultPolicy: 'QUORUM' })
  await arena.accept(game.id, [world.partner, stranger])
  const { sessionId, seats } = await arena.play(game.id, 2, [world.partner, stranger])
  const secrets = seats.flatMap(({ userId, partner, sessionToken }) => [
    userId,
    partner.partnerId,
    sessionToken,
  ])
  const paths = [
    `/v1/arena/games/sessions/${sessionId}`,
    `/v1/arena/games/${game.id}/sessions`,
    `/v1/arena/games/${game.slug}`,
    `/arena/games/${game.slug}`,
  ]
  for (const path of paths)
    for (const secret of secrets) expect((await world.get(path)).text).not.toContain(secret)
  const text = (
    await world.graphql(
      `{ arena { session(id: "${sessionId}") {
        game { name } players { uuid slot type score isWinner user { externalId } } } } }`,
      {},
      {},
    )
  ).text
  for (const secret of secrets) expect(text).not.toContain(secret)
  // A backend sees which players are its own users.
  const usersOf = async (keys: object) => {
    const query = `{ arena { session(id: "${sessionId}") { players { user { externalId } } } } }`
    const { body } = await world.graphql(query, {}, keys)
    return body.data.arena.session.players.map(
      ({ user }: { user: { externalId: string } | null }) => user?.externalId ?? null,
    )
  }
  expect(await usersOf({ secret: world.partner.live.secret })).toEqual([seats[0].userId, null])
  expect(await usersOf({ secret: stranger.live.secret })).toEqual([null, seats[1].userId])
  expect(await usersOf({ public: world.partner.live.public })).toEqual([null, null])
  expect(await usersOf({ secret: world.partner.test.secret })).toEqual([null, null])
  // Joining returns the token of the caller's user only.
  const { text: joined } = await arena.join(sessionId, seats[1].userId, stranger)
  expect(joined).toContain(seats[1].sessionToken)
  expect(joined).not.toContain(seats[0].sessionToken)
  expect(joined).not.toContain(seats[0].userId)
})

test('only the owner of a session sees its ledger', async () => {
  const game = await arena.publish({ entryFee: 10, resultPolicy: 'QUORUM' })
  await arena.accept(game.id, [world.partner, stranger])
  const { seats } = await arena.play(game.id, 2, [world.partner, stranger])
  const path = `/v1/users/${seats[0].userId}/history`
  expect((await world.get(path, stranger.live.secret)).status).toBe(404)
  expect((await world.get(path, world.partner.test.secret)).status).toBe(404)
  expect((await world.get(path, world.partner.live.secret)).body.data[0]).toMatchObject({
    eventType: 'session_entry',
    points: -10,
  })
})
