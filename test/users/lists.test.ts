import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'

let world: World
/** Ids of the 23 ledger entries and of the 10 plays of `anna`, newest first. */
let entries: string[]
let plays: string[]
beforeAll(async () => {
  world = await createWorld()
  entries = []
  plays = []
  const award = async (userId: string, i: number) =>
    (
      await world.post('/v1/points/award', world.keys.secret, {
        userId,
        eventType: 'signup',
        metadata: { i },
        ...(i % 2 && { reference: `${userId}-${i}` }),
      })
    ).body.data.ledgerId
  for (let i = 0; i < 13; i++) entries.unshift(await award('anna', i))
  await award('other', 1)
  for (let i = 0; i < 10; i++) {
    const { body } = await world.post('/v1/games/play', world.keys.public, {
      userId: i % 2 ? 'anna' : 'other',
      gameType: 'ENIGMA_BOXES',
    })
    if (i % 2) plays.unshift(body.data.playId)
  }
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const history = (query = '', userId = 'anna') =>
  world.get(`/v1/users/${userId}/history${query}`, world.keys.secret)
const playsOf = (query = '', userId = 'anna') =>
  world.get(`/v1/users/${userId}/plays${query}`, world.keys.public)

type Row = { id: string; playId: string; eventType: string; points: number }

/** Pages through a list of `anna` by cursor; returns the ids in order. */
const walk = async (list: 'ledgerEntries { uuid }' | 'plays { uuid }', first: number) => {
  const [name, , field] = list.split(' ') as [string, string, string]
  const ids: string[] = []
  for (let after: string | null = null; ; ) {
    const { body } = await world.graphql(
      `query ($first: Int, $after: String) { user(by: { externalId: "anna" }) {
        ${name}(first: $first, after: $after) {
          totalCount { value } edges { cursor node { ${field} } } pageInfo { hasNextPage endCursor } } } }`,
      { first, after },
    )
    expect(body.errors).toBeUndefined()
    const { edges, pageInfo, totalCount } = body.data.user[name]
    ids.push(...edges.map(({ node }: { node: Record<string, string> }) => node[field]))
    expect(pageInfo.endCursor).toBe(edges.at(-1).cursor)
    expect(ids.length).toBeLessThanOrEqual(totalCount.value) // otherwise it loops
    if (!pageInfo.hasNextPage) {
      expect(totalCount).toEqual({ value: ids.length })
      return ids
    }
    after = pageInfo.endCursor
  }
}

describe('history', () => {
  it('is newest first, with awards, payments and wins', async () => {
    const { body } = await history('?limit=100')
    expect(body).toMatchObject({ message: 'History retrieved successfully', code: 200 })
    const rows: Row[] = body.data
    expect(rows.filter((row) => row.eventType === 'signup').map(({ id }) => id)).toEqual(entries)
    const spent = rows.filter((row) => row.eventType === 'game_play')
    expect(spent.map(({ id, points }) => [id, points])).toEqual(plays.map((id) => [id, -20]))
    const sum = rows.reduce((total, { points }) => total + points, 0)
    const balance = await world.get('/v1/users/anna/balance', world.keys.secret)
    expect(balance.body.data.totalPoints).toBe(sum)
    expect(body.meta).toEqual({ page: 1, limit: 100, total: rows.length, totalPages: 1 })
    expect(rows.at(-1)).toEqual({
      id: entries.at(-1),
      eventType: 'signup',
      points: 100,
      metadata: { i: 0 },
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(rows.at(-2)).toMatchObject({ reference: 'anna-1', metadata: { i: 1 } })
  })

  it('is the same with pages of any size and with cursors', async () => {
    const all = (await history('?limit=100')).body.data.map(({ id }: Row) => id)
    for (const limit of [1, 4, 7]) {
      const ids: string[] = []
      const pages = Math.ceil(all.length / limit)
      for (let page = 1; page <= pages; page++) {
        const { body } = await history(`?page=${page}&limit=${limit}`)
        expect(body.meta).toEqual({ page, limit, total: all.length, totalPages: pages })
        ids.push(...body.data.map(({ id }: Row) => id))
      }
      expect(ids).toEqual(all)
      expect(await walk('ledgerEntries { uuid }', limit)).toEqual(all)
    }
  })
})

describe('plays', () => {
  it('are newest first, of that user only, the same with pages and with cursors', async () => {
    const { body } = await playsOf()
    expect(body).toMatchObject({
      message: 'Plays retrieved successfully',
      meta: { page: 1, limit: 20, total: 5, totalPages: 1 },
    })
    expect(body.data.map(({ playId }: Row) => playId)).toEqual(plays)
    const pages = await Promise.all([1, 2, 3].map((page) => playsOf(`?page=${page}&limit=2`)))
    expect(pages.flatMap(({ body }) => body.data.map(({ playId }: Row) => playId))).toEqual(plays)
    expect(await walk('plays { uuid }', 2)).toEqual(plays)
  })
})

describe.each([
  ['history', history],
  ['plays', playsOf],
])('a page of %s', (_, list) => {
  it('beyond the end is empty, however far', async () => {
    const { total } = (await list()).body.meta
    for (const page of [9, 1_000_000, 2_147_483_647]) {
      const { status, body } = await list(`?page=${page}&limit=100`)
      expect([page, status]).toEqual([page, 200])
      expect(body).toMatchObject({ data: [], meta: { page, limit: 100, total, totalPages: 1 } })
    }
  })

  it('has at most 100 items, and shows that in `limit`', async () => {
    expect((await list('?limit=101')).body.meta.limit).toBe(100)
    expect((await list('?limit=2147483647')).body.meta.limit).toBe(100)
  })

  it.each([
    ['page=0', ['page']],
    ['limit=0', ['limit']],
    ['page=-1&limit=x', ['page', 'limit']],
    ['page=1.5', ['page']],
    ['page=&limit=1e2', ['page', 'limit']],
    ['page=99999999999999999999', ['page']],
  ])('is 400 for %s', async (query, fields) => {
    const { status, body } = await list(`?${query}`)
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  it('of an unknown user is 404', async () => {
    for (const userId of ['nobody', 'ANNA', '%00', 'x'.repeat(300)])
      expect(await list('', userId)).toMatchObject({
        status: 404,
        body: { message: 'User not found', code: 404, status: 'error' },
      })
  })
})

it.each(['ledgerEntries', 'plays'])('an invalid cursor for %s is refused', async (list) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cursors = ['', 'x', encode('signup'), encode(0), encode(2 ** 31), encode([1, 'x'])]
  for (const after of cursors) {
    const { status, body } = await world.graphql(
      `query ($after: String) { user(by: { externalId: "anna" }) { ${list}(after: $after) { totalCount { value } } } }`,
      { after },
    )
    expect(body.errors?.[0]?.extensions.code).toBe('INVALID_PARAMETERS')
    expect(status).toBeLessThan(500)
  }
})
