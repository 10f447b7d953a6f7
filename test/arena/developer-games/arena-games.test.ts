import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { submitArenaGame } from '../../../src/arena/developer-games/game.ts'
import { SubmitArenaGame } from '../../../src/arena/developer-games/game-input.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { TesseraError } from '../../../src/kit/errors.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena, gameInput } from '../arena-world.ts'

let world: World
let arena: Arena
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const dashboard = (id: string) => `/dashboard/arena-games/${id}`
const edit = (id: string, body: unknown) =>
  arena.send('PATCH', dashboard(id), arena.developer, body)
const build = (id: string, body: unknown) =>
  arena.send('PATCH', `${dashboard(id)}/build`, arena.developer, body)
const list = async (query = '') => (await world.get(`/v1/arena/games${query}`)).body
const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

describe('a slug', () => {
  test.each([
    ['Ünïcode Rêves!', 'unicode-reves'],
    ['  --A  b__c--  ', 'a-b-c'],
    ['日本語', 'game'],
    ['featured', 'featured-2'],
    ['id', 'id-2'],
    ['Sessions', 'sessions-2'],
    ["../../etc/passwd'; DROP", 'etc-passwd-drop'],
  ])('of %j is %s', async (name, slug) => {
    expect((await arena.submit({ name })).slug).toBe(slug)
  })

  test('is unique when twenty games with the same name are submitted at once', async () => {
    const games = await Promise.all(
      Array.from({ length: 20 }, () => arena.submit({ name: 'Same Name' })),
    )
    expect(games.map(({ slug }) => slug).sort()).toEqual(
      ['same-name', ...Array.from({ length: 19 }, (_, i) => `same-name-${i + 2}`)].sort(),
    )
  })

  test('stays when the name changes', async () => {
    const { id, slug } = await arena.submit({ name: 'First Name' })
    expect((await edit(id, { name: 'Second Name' })).body.data).toMatchObject({
      name: 'Second Name',
      slug,
    })
  })
})

describe('a review', () => {
  test('of a new build leaves the last approved one public', async () => {
    const { id, slug } = await arena.publish({ name: 'Served', version: '1' })
    const buildUrl = 'https://games.example/2/'
    await build(id, { buildUrl, version: '2' })
    const served = async () => (await world.get(`/v1/arena/games/${slug}`)).body.data
    expect(await served()).toMatchObject({ buildUrl: gameInput.buildUrl, version: '1' })
    await arena.review(id, { status: 'REJECTED', reviewNotes: 'No.' })
    expect(await served()).toMatchObject({ version: '1' })
    await build(id, { buildUrl, version: '3' })
    await arena.review(id, { status: 'APPROVED' })
    expect(await served()).toMatchObject({ buildUrl, version: '3' })
  })

  test('applies to the build that was reviewed', async () => {
    const { id } = await arena.submit()
    await build(id, { buildUrl: 'https://evil.example/' })
    const body = { status: 'APPROVED', buildNo: 1 }
    expect((await arena.review(id, body)).body.errorCode).toBe('BUILD_REPLACED')
    expect((await arena.review(id, { ...body, buildNo: 2 })).status).toBe(200)
  })

  test('that approves needs no notes, and does not store blank ones', async () => {
    const { id } = await arena.submit()
    const { status, body } = await arena.review(id, { status: 'APPROVED', reviewNotes: ' ' })
    expect([status, body.data.reviewNotes]).toEqual([200, null])
  })

  test('by ten administrators at once succeeds once, with one event', async () => {
    const { id } = await arena.submit()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => arena.review(id, { status: 'APPROVED' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const events = await world.runtime.db.event.findMany({ where: { type: 'arena.game_reviewed' } })
    const own = events.filter(({ data }) => (data as { gameId: string }).gameId === id)
    expect(own).toHaveLength(1)
  })

  test('brings an archived game back only when a new build is approved', async () => {
    const { id, slug } = await arena.publish({ name: 'Phoenix' })
    await arena.send('DELETE', dashboard(id), arena.developer)
    expect((await build(id, { buildUrl: 'https://games.example/9/' })).body.data.status).toBe(
      'PENDING_REVIEW',
    )
    expect((await world.get(`/v1/arena/games/${slug}`)).status).toBe(404)
    await arena.review(id, { status: 'APPROVED' })
    expect((await world.get(`/v1/arena/games/${slug}`)).status).toBe(200)
  })
})

describe('public lists', () => {
  test('show only approved games, by category and by a part of the name', async () => {
    await arena.publish({ name: 'Zebra 100% Chess', category: 'CARD' })
    await arena.publish({ name: 'Zebra Racing', category: 'RACING' })
    await arena.submit({ name: 'Zebra Hidden', category: 'CARD' })
    expect(namesOf(await list('?search=zEBRA'))).toEqual(['Zebra Racing', 'Zebra 100% Chess'])
    expect(namesOf(await list('?search=zebra&category=CARD'))).toEqual(['Zebra 100% Chess'])
    expect(namesOf(await list('?search=100%25'))).toEqual(['Zebra 100% Chess'])
    for (const none of ['%25%25', '_', 'zebra_', '%00', '%5C'])
      expect(namesOf(await list(`?search=${none}`))).toEqual([])
    const page = await list('?search=zebra&limit=1&page=2')
    expect([namesOf(page), page.meta]).toEqual([
      ['Zebra 100% Chess'],
      { page: 2, limit: 1, total: 2, totalPages: 2 },
    ])
    expect(Object.keys(page.data[0]).sort()).toEqual(
      'id name slug category thumbnailUrl engine playerMode minPlayers maxPlayers entryFee supportsAgents totalSessions totalPlayers totalEarnings'
        .split(' ')
        .sort(),
    )
  })

  test('show featured games, the most recently featured first, until they are archived', async () => {
    const feature = (id: string, featured: boolean) =>
      arena.send('POST', `/admin/arena-games/${id}/feature`, arena.admin, { featured })
    const featured = async () => namesOf((await world.get('/v1/arena/games/featured')).body)
    const [a, b] = [await arena.publish({ name: 'A' }), await arena.publish({ name: 'B' })]
    for (const { id } of [b, a]) expect((await feature(id, true)).status).toBe(200)
    expect(await featured()).toEqual(['A', 'B'])
    await feature(a.id, false)
    await arena.send('DELETE', `/admin/arena-games/${b.id}`, arena.admin)
    expect(await featured()).toEqual([])
    const { id } = await arena.submit()
    expect((await feature(id, true)).body.errorCode).toBe('GAME_NOT_PUBLIC')
  })

  test('show sessions by status, with the total', async () => {
    const { id } = await arena.publish({ name: 'Counted' })
    const { sessionId, seats } = await arena.play(id)
    await arena.report(sessionId, { winnerId: seats[0].playerId })
    for (let i = 0; i < 3; i++) await arena.openSession(id)
    const sessions = async (query: string) =>
      (await world.get(`/v1/arena/games/${id}/sessions?${query}`)).body
    expect((await sessions('limit=2')).meta).toEqual({ page: 1, limit: 2, total: 4, totalPages: 2 })
    expect((await sessions('status=COMPLETED')).data).toMatchObject([{ id: sessionId }])
    expect((await sessions('status=WAITING')).meta.total).toBe(3)
    expect((await sessions('status=EXPIRED')).data).toEqual([])
    expect((await world.get(`/v1/arena/games/${id}/sessions/open`)).body.data).toHaveLength(3)
  })
})

test('a developer and an operator find games in all states by a part of the name', async () => {
  await arena.publish({ name: 'Quokka Run' })
  await arena.submit({ name: 'A quokka 100%' })
  const ask = async (search: string, wrap: (list: string) => string, token: string) => {
    const list = 'arenaGames(filter: { search: $search }) { nodes { name } }'
    const { body } = await world.call('POST', '/graphql', {
      key: token,
      headers: { 'x-environment': 'LIVE' },
      body: { query: `query ($search: String!) { ${wrap(list)} }`, variables: { search } },
    })
    return namesOf({ data: (body.data.platform ?? body.data).arenaGames.nodes })
  }
  for (const [wrap, token] of [
    [(list: string) => list, arena.developer],
    [(list: string) => `platform { ${list} }`, arena.admin],
  ] as const) {
    expect(await ask('QUOKKA', wrap, token)).toEqual(['A quokka 100%', 'Quokka Run'])
    expect(await ask('a%', wrap, token)).toEqual([])
    expect(await ask('ka 100%', wrap, token)).toEqual(['A quokka 100%'])
  }
})

describe('an existing session', () => {
  test('keeps its price and payout when its game changes', async () => {
    const { id } = await arena.publish({ entryFee: 100, developerRevenueShare: 10 })
    const session = await arena.openSession(id)
    await edit(id, { entryFee: 200, developerRevenueShare: 50, maxPlayers: 5 })
    expect(await arena.read(session.id)).toMatchObject({ entryFee: 100, maxPlayers: 2 })
    expect((await arena.openSession(id)).entryFee).toBe(200)
  })

  test('continues when its game is archived, and no new one can be created', async () => {
    const game = await arena.publish({ entryFee: 100 })
    const { sessionId, seats } = await arena.play(game.id)
    await arena.send('DELETE', dashboard(game.id), arena.developer)
    const open = `/v1/arena/games/${game.id}/sessions`
    expect((await world.post(open, world.partner.live.secret, {})).status).toBe(404)
    const [seat] = seats
    const answer = await arena.report(sessionId, { winnerId: seat.playerId }, seat.sessionToken)
    expect(answer.body.data.winnerPrize).toBe(140)
  })

  test('is not created when the named user cannot join', async () => {
    const { id } = await arena.publish({ entryFee: 1000 })
    const path = `/v1/arena/games/${id}/sessions`
    const userId = await arena.createUser()
    const answer = await world.post(path, world.partner.live.secret, { userId })
    expect(answer).toMatchObject({ status: 402, body: { message: 'Insufficient points' } })
    expect((await world.get(path)).body.meta.total).toBe(0)
    expect(await world.runtime.db.arenaSession.count({ where: { gameId: id } })).toBe(0)
  })

  test('for one player begins at once', async () => {
    const { id } = await arena.publish({ minPlayers: 1, maxPlayers: 1, playerMode: 'PVE' })
    const session = await arena.openSession(id, { userId: await arena.createUser() })
    expect(session.status).toBe('IN_PROGRESS')
  })
})

test('an edit changes the given fields, clears those set to null, and keeps the rest', async () => {
  const { id } = await arena.submit({ description: 'Old', rules: 'Old', estimatedDuration: 60 })
  const { data } = (await edit(id, { description: null, entryFee: 5, name: null })).body
  expect(data).toMatchObject({ description: null, rules: 'Old', entryFee: 5, name: 'Space Race' })
  expect(data.estimatedDuration).toBe(60)
  expect((await edit(id, {})).body.data).toMatchObject({ rules: 'Old', status: 'PENDING_REVIEW' })
})

test("a build may be on this service's own pages for games, at any public address", async () => {
  const { publicUrl } = world.runtime.config
  const own = `${publicUrl}/arena/builds/row/?columns=5`
  const { id } = await arena.submit({ buildUrl: own })
  const stored = await world.runtime.db.arenaGame.findUniqueOrThrow({ where: { id } })
  expect(stored.buildUrl).toBe('/arena/builds/row/?columns=5')
  const shown = await arena.send('GET', dashboard(id), arena.developer)
  expect(shown.body.data.buildUrl).toBe(own)
})

test('a build may be on the machine of its developer, in development only', async () => {
  const { runtime, partner } = world
  const submit = (production: boolean, buildUrl: string) =>
    submitArenaGame(
      { ...runtime, config: { ...runtime.config, production } },
      { ...SubmitArenaGame.parse({ ...gameInput, buildUrl }), partnerId: partner.partnerId },
    )
  for (const buildUrl of ['http://localhost:5173/', 'http://127.0.0.1:5173/?debug=1']) {
    expect(await submit(false, buildUrl)).toMatchObject({ buildUrl })
    await expect(submit(true, buildUrl)).rejects.toThrow(TesseraError)
  }
  for (const buildUrl of ['http://games.example/', 'http://10.1.2.3/', 'http://me:pw@localhost/'])
    await expect(submit(false, buildUrl)).rejects.toThrow(TesseraError)
})
