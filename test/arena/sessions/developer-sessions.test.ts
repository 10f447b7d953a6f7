/** The sessions of all games of a developer: of theirs alone, in every order, each once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../../src/kit/node-id.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let world: World
let arena: Arena
let games: string[]
/** The sessions by age, oldest first, with the place of their game. */
let sessions: { id: string; game: number; status: string }[]

beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  games = []
  for (let n = 0; n < 3; n++) games.push((await arena.publish({ name: `Game ${n}` })).id)
  sessions = []
  for (let n = 0; n < 11; n++) {
    const game = (n * 2) % 3
    const { id } = await arena.openSession(games[game] as string)
    sessions.push({ id, game, status: 'WAITING' })
  }
  for (const item of sessions.filter((_, n) => n % 4 === 0)) {
    item.status = 'EXPIRED'
    await world.runtime.db.arenaSession.update({
      where: { id: item.id },
      data: { status: 'EXPIRED' },
    })
  }
  const { partnerId } = await world.createPartner()
  const rival = await arena.publish({ name: 'Rival' }, await world.signInAs('OWNER', partnerId))
  await arena.openSession(rival.id)
  games.push(rival.id)
})
afterAll(() => world.end())

type Page = {
  nodes: { uuid: string; game: { name: string }; players: unknown[] }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
  totalCount: { value: number; precision: string }
}

const ask = async (args: string, bearer = arena.developer, filter: object = {}) => {
  const { body } = await world.call('POST', '/graphql', {
    headers: { authorization: `Bearer ${bearer}`, 'x-environment': 'LIVE' },
    body: {
      query: `query ($filter: ArenaSessionFilter) { arenaSessions(${args}, filter: $filter) {
        nodes { uuid game { name } players { slot } } pageInfo { hasNextPage endCursor }
        totalCount { value precision } } }`,
      variables: { filter },
    },
  })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.arenaSessions as Page
}

const all = () => sessions
test.each([
  ['all', () => ({}), all],
  [
    'of a game',
    () => ({ arenaGame: { id: games[1] } }),
    () => sessions.filter(({ game }) => game === 1),
  ],
  [
    'of a game, by its global id',
    () => ({ arenaGame: { id: encodeNodeId('ArenaGame', games[2] as string) } }),
    () => sessions.filter(({ game }) => game === 2),
  ],
  [
    'in a state',
    () => ({ statuses: ['EXPIRED'] }),
    () => sessions.filter((session) => session.status === 'EXPIRED'),
  ],
  [
    'of a game in a state',
    () => ({ arenaGame: { id: games[0] }, statuses: ['WAITING'] }),
    () => sessions.filter((session) => session.game === 0 && session.status === 'WAITING'),
  ],
  [
    'in one of two states',
    () => ({ statuses: ['WAITING', 'EXPIRED'] }),
    () =>
      sessions.filter((session) => session.status === 'WAITING' || session.status === 'EXPIRED'),
  ],
  ['in none of the states', () => ({ statuses: [] }), () => []],
  ['of the game of somebody else', () => ({ arenaGame: { id: games[3] } }), () => []],
  ['of a slug of no game', () => ({ arenaGame: { slug: 'no-such-game' } }), () => []],
] as const)('sessions %s, page by page', async (_, filterOf, wanted) => {
  const filter = filterOf()
  for (const direction of ['ASC', 'DESC']) {
    const ids = wanted().map(({ id }) => id)
    const expected = direction === 'ASC' ? ids : ids.toReversed()
    const seen: Page['nodes'] = []
    let after = ''
    for (let hasNext = true; hasNext; ) {
      const order = `orderBy: { field: CREATED_AT, direction: ${direction} }`
      const page = await ask(`first: 3, ${order}${after}`, arena.developer, filter)
      expect(page.totalCount).toEqual({ value: ids.length, precision: 'EXACT' })
      seen.push(...page.nodes)
      hasNext = page.pageInfo.hasNextPage
      after = `, after: "${page.pageInfo.endCursor}"`
    }
    expect(seen.map(({ uuid }) => uuid)).toEqual(expected)
    const names = new Map(sessions.map(({ id, game }) => [id, `Game ${game}`]))
    for (const { uuid, game } of seen) expect(game.name).toBe(names.get(uuid))
  }
})

test('they are for members, and show nothing of another developer', async () => {
  const { partnerId } = await world.createPartner()
  expect((await ask('first: 5', await world.signInAs('OWNER', partnerId))).nodes).toEqual([])
  expect((await ask('first: 5', await world.signInAs('DEVELOPER'))).nodes).toHaveLength(5)
  const { body } = await world.graphql('{ arenaSessions { nodes { id } } }', {}, world.keys)
  expect(body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
})
