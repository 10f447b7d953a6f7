import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { pick, runRandom } from '../games/random.ts'
import { setWheel } from '../games/wheel.ts'
import {
  type Answer,
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../world.ts'

const times = <T>(count: number, run: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => run(i))
const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe.runIf(onPostgres)('two servers on one database', () => {
  let database: TestDatabase
  let worlds: World[] = []
  /** The world whose partner all calls are for, whichever server takes them. */
  let main: World
  beforeAll(async () => {
    database = await createDatabase()
    worlds = await Promise.all([createWorld({ database }), createWorld({ database })])
    main = worlds[0] as World
    await setWheel(main)
  })
  afterEach(async () => expect(await audit(main.server.database.pool)).toBe(0))
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.end()))
    await database?.drop()
  })

  const on = (i: number) => worlds[i % 2] as World
  const play = (i: number, userId: string, gameType = 'NEON_WHEEL') =>
    on(i).post('/v1/games/play', main.keys.public, { userId, gameType })
  const award = (i: number, body: { userId: string; eventType: string; reference?: string }) =>
    on(i).post('/v1/points/award', main.keys.secret, body)

  it('award a reference once, however many duplicates they get', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        times(100, (i) =>
          award(i, { userId: `u${i % 4}`, eventType: 'signup', reference: `round-${round}` }),
        ),
      )
      expect([count(answers, 200), count(answers, 409)]).toEqual([1, 99])
    }
  })

  it('award each of many references once', async () => {
    const answers = await Promise.all(
      times(400, (i) =>
        award(i, {
          userId: `m${i % 7}`,
          eventType: 'purchase',
          reference: `many-${Math.floor(i / 4)}`,
        }),
      ),
    )
    expect([count(answers, 200), count(answers, 409)]).toEqual([100, 300])
  })

  it('accept 10 plays on a balance for 10 plays', async () => {
    for (let round = 0; round < 5; round++) {
      const userId = `ten-${round}`
      await main.givePoints(userId, 5)
      const answers = await Promise.all(times(200, (i) => play(i, userId)))
      expect([count(answers, 200), count(answers, 402)]).toEqual([10, 190])
    }
  })

  it('process mixed awards and plays of the same users for three seconds without an error', async () => {
    const random = runRandom()
    const users = times(12, (i) => `mix-${i}`)
    await Promise.all(users.map((userId) => main.givePoints(userId, 1)))
    const expected = new Map(users.map((userId) => [userId, 100]))
    const statuses: Record<string, number> = {}
    const earn = (userId: string, points: number) =>
      expected.set(userId, (expected.get(userId) ?? 0) + points)

    const step = async () => {
      const userId = pick(random, users)
      const server = random.int(2)
      const isAward = random.int(2) === 0
      const answer = isAward
        ? await award(server, {
            userId,
            eventType: pick(random, ['signup', 'purchase', 'daily_login', 'unknown']),
            ...(random.int(2) && { reference: `mix-${random.int(300)}` }),
          })
        : await play(server, userId, pick(random, ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES']))
      const { status, body } = answer
      const name = `${isAward ? 'award' : 'play'} ${status}`
      statuses[name] = (statuses[name] ?? 0) + 1
      if (status !== 200) return
      if (isAward) earn(userId, body.data.pointsAwarded)
      else {
        const { type, value } = body.data.reward
        earn(userId, (type === 'points' ? value : 0) - body.data.pointsSpent)
      }
    }
    const end = Date.now() + 3000
    await Promise.all(
      times(40, async () => {
        while (Date.now() < end) await step()
      }),
    )
    const allowed = ['award 200', 'award 404', 'award 409', 'play 200', 'play 402']
    expect(Object.keys(statuses).filter((name) => !allowed.includes(name))).toEqual([])
    const { rows } = await main.server.database.pool.query({
      text: `SELECT external_id, balance::int FROM end_user WHERE external_id LIKE 'mix-%'`,
    })
    expect(new Map(rows.map((row) => [row.external_id, row.balance]))).toEqual(expected)
  })

  it('count users once, although both create the same ones', async () => {
    const answers = await Promise.all(
      times(200, (i) => award(i, { userId: `new-${i % 20}`, eventType: 'daily_login' })),
    )
    expect(count(answers, 200)).toBe(200)
  })
})
