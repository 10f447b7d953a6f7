import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { playGames } from '../../src/games/play.ts'
import { markUsers } from '../../src/leaderboard/leaderboard.jobs.ts'
import { awardPoints } from '../../src/points/points.ts'
import { pick, runRandom } from '../games/random.ts'
import { createWorld, type World } from '../world.ts'

type Model = {
  userId: string
  totalPoints: number
  totalRewardsWon: number
  gamesPlayed: number
  score: number
  reachedAt: number
}
type Entry = Omit<Model, 'reachedAt'> & { rank: number; displayName: string | null }

let world: World
let now = Date.parse('2030-01-01T00:00:00Z')
const model = new Map<string, Model>()

const change = (userId: string, by: { points?: number; won?: number; plays?: number }) => {
  const user = model.get(userId) ?? {
    userId,
    totalPoints: 0,
    totalRewardsWon: 0,
    gamesPlayed: 0,
    score: 0,
    reachedAt: 0,
  }
  user.totalPoints += by.points ?? 0
  user.totalRewardsWon += by.won ?? 0
  user.gamesPlayed += by.plays ?? 0
  user.score = user.totalPoints + user.totalRewardsWon + user.gamesPlayed * 10
  user.reachedAt = now
  model.set(userId, user)
}

/** The leaderboard as specified, computed here. */
const expected = (): Entry[] =>
  [...model.values()]
    .sort(
      (a, b) => b.score - a.score || a.reachedAt - b.reachedAt || (a.userId < b.userId ? -1 : 1),
    )
    .map(({ reachedAt, ...user }, i) => ({ rank: i + 1, ...user, displayName: null }))

beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  const random = runRandom()
  const work = { ...world.runtime, random }
  const users = Array.from({ length: 60 }, (_, i) => `user${String(i).padStart(2, '0')}`)
  for (let round = 0; round < 60; round++) {
    now += random.int(3) // often the same moment
    const chosen = Array.from({ length: 1 + random.int(8) }, () =>
      world.userKey(pick(random, users)),
    )
    if (random.int(2) === 0) {
      const awards = chosen.map((award) => ({ ...award, eventType: 'purchase' }))
      for (const result of await awardPoints(work, awards)) {
        if (result instanceof Error) throw result
        change(result.user.externalId, { points: result.ledgerEntry.points })
      }
    } else {
      const plays = chosen.map((play) => ({ ...play, gameType: 'ENIGMA_BOXES' as const }))
      for (const result of await playGames(work, plays)) {
        if (result instanceof Error) continue
        const { rewardType: type, rewardValue: value } = result.play
        const points = type === 'points' ? value : 0
        change(result.user.externalId, { points, won: value > 0 ? 1 : 0, plays: 1 })
      }
    }
  }
  await world.givePoints('live-user', 1, 'signup', world.partner.live.secret)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const fields = `rank user { userId: externalId displayName totalPoints: lifetimePoints
  totalRewardsWon: rewardCount gamesPlayed: playCount score }`

const flat = (nodes: ({ rank: number } & { user: Omit<Entry, 'rank'> })[]) =>
  nodes.map(({ rank, user }) => ({ rank, ...user }))

/** All pages, by their numbers. */
const readPages = async (limit: number): Promise<Entry[]> => {
  const pages = Math.ceil(model.size / limit)
  const rows: Entry[] = []
  for (let page = 1; page <= pages; page++) {
    const { status, body } = await world.get(
      `/v1/leaderboard?page=${page}&limit=${limit}`,
      world.keys.public,
    )
    expect(status).toBe(200)
    expect(body.message).toBe('Leaderboard retrieved successfully')
    expect(body.meta).toEqual({ page, limit, total: model.size, totalPages: pages })
    rows.push(...body.data)
  }
  return rows
}

describe('the leaderboard', () => {
  it('follows its definition for a random history, on pages of any size', async () => {
    for (const limit of [100, 7, 1]) expect(await readPages(limit)).toEqual(expected())
  })

  it.each([1_000_000, 21_474_837, 2_147_483_647])('has an empty page %i', async (page) => {
    const path = `/v1/leaderboard?page=${page}&limit=100`
    const { status, body } = await world.get(path, world.keys.public)
    expect([status, body.data]).toEqual([200, []])
  })

  it('is the same with cursors, with the same ranks', async () => {
    for (const first of [1, 9, 100]) {
      const rows: Entry[] = []
      for (let after: string | null = null; ; ) {
        const { body } = await world.graphql(
          `query ($first: Int, $after: String) { leaderboard(first: $first, after: $after) {
            totalCount { value } nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
          { first, after },
        )
        expect(body.errors).toBeUndefined()
        const { nodes, pageInfo, totalCount } = body.data.leaderboard
        expect(totalCount.value).toBe(model.size)
        rows.push(...(flat(nodes) as Entry[]))
        expect(rows.length).toBeLessThanOrEqual(totalCount.value) // otherwise it loops
        after = pageInfo.endCursor
        if (!pageInfo.hasNextPage) break
      }
      expect(rows).toEqual(expected())
    }
  })

  it('shows the users around each user, and the rank of each user', async () => {
    const all = expected()
    for (const { rank, userId } of all) {
      const distance = rank % 6
      const { body } = await world.graphql(
        `query ($userId: String!, $distance: Int!) {
          leaderboardAround(user: { externalId: $userId }, distance: $distance) { ${fields} }
          user(by: { externalId: $userId }) { rank } }`,
        { userId, distance },
      )
      expect(body.errors).toBeUndefined()
      expect(body.data.user.rank).toBe(rank)
      const from = Math.max(0, rank - 1 - distance)
      expect(flat(body.data.leaderboardAround)).toEqual(all.slice(from, rank + distance))
    }
  })

  it('gives the same ranks when it is long enough for marks', async () => {
    const { db, clock } = world.runtime
    const find = async () => {
      const { body } = await world.graphql(
        '{ leaderboard(first: 100) { nodes { rank user { rank } } } }',
      )
      return body.data.leaderboard.nodes as { rank: number; user: { rank: number } }[]
    }
    for (const every of [1, 2]) {
      await markUsers({ db, clock }, every)
      const { partnerId } = world.partner
      expect(await db.leaderboardMark.count({ where: { partnerId } })).toBe(
        Math.floor(model.size / every) - 9,
      )
      for (const { rank, user } of await find()) expect(user.rank).toBe(rank)
      for (const limit of [7, 1]) expect(await readPages(limit)).toEqual(expected())
      now += 1_000
    }
    await world.givePoints('user00', 100)
    const late = (await find()).map(({ user }) => user.rank)
    // Ranks behind the first mark do not yet count the user who has passed it.
    expect(late[0]).toBe(1)
    expect(Math.max(...late.map((rank, i) => Math.abs(rank - (i + 1))))).toBeLessThanOrEqual(1)
    now += 1_000
    await markUsers({ db, clock }, 2)
    for (const { rank, user } of await find()) expect(user.rank).toBe(rank)
    await db.$executeRaw`DELETE FROM leaderboard_mark`
  })

  it('is null around a user who does not exist', async () => {
    const { body } = await world.graphql(
      '{ leaderboardAround(user: { externalId: "nobody" }) { rank } }',
    )
    expect(body.data).toEqual({ leaderboardAround: null })
  })

  it.each([
    ['user00', 51, 'INVALID_PARAMETERS'],
    ['user00', -1, 'INVALID_PARAMETERS'],
  ])('around %s at a distance of %i is %s', async (userId, distance, code) => {
    const { body } = await world.graphql(
      'query ($u: String!, $d: Int!) { leaderboardAround(user: { externalId: $u }, distance: $d) { rank } }',
      { u: userId, d: distance },
    )
    expect(body.errors[0].extensions.code).toBe(code)
  })

  it.each([
    ['nothing', ''],
    ['a number', 1],
    ['a year that is none', [100, '0000-01-01T00:00:00.000Z', 'a', 1]],
    ['a day that is none', [100, '2030-02-30T00:00:00.000Z', 'a', 1]],
    ['a rank beyond all', [1e15, '2030-01-01T00:00:00.000Z', 'a', 2_147_483_647]],
    ['a score beyond all', [Number.MAX_SAFE_INTEGER, '2030-01-01T00:00:00.000Z', 'a', 1]],
  ])('refuses a made-up cursor of %s', async (_, value) => {
    const after = Buffer.from(JSON.stringify(value)).toString('base64url')
    const { status, body } = await world.graphql(
      'query ($after: String) { leaderboard(after: $after) { nodes { rank } } }',
      { after },
    )
    expect(status).toBe(400)
    expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  })

  it('does not change when points are spent', async () => {
    const userId = 'spender'
    const find = async () => {
      const { body } = await world.get('/v1/leaderboard?limit=100', world.keys.public)
      return body.data.find((row: Entry) => row.userId === userId) as Entry
    }
    await world.givePoints(userId, 3)
    let before = await find()
    for (let i = 0; i < 10; i++) {
      const play = { userId, gameType: 'ENIGMA_BOXES' }
      const { body } = await world.post('/v1/games/play', world.keys.public, play)
      const after = await find()
      const { type, value } = body.data.reward
      expect(after.totalPoints).toBe(before.totalPoints + (type === 'points' ? value : 0))
      expect(after.gamesPlayed).toBe(before.gamesPlayed + 1)
      expect(after.score).toBeGreaterThan(before.score)
      before = after
    }
  })
})
