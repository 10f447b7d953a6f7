import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type PlayedGame, playGames } from '../../src/games/play.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { inTransaction, type Queries } from '../../src/kit/database/db.ts'
import { TesseraError } from '../../src/kit/errors.ts'
import { awardPoints } from '../../src/points/points.ts'
import { setRewardRule } from '../../src/points/reward-rule.ts'
import { type Answer, createWorld, type World } from '../world.ts'
import { points, setWheel } from './wheel.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

/** A game whose only reward says how much it cost, so that a mixture of two versions shows. */
const setPrice = (price: number, change: Parameters<typeof setWheel>[1] = {}) =>
  setWheel(world, {
    price,
    status: 'ACTIVE',
    rewards: [{ ...points(price), type: 'xp', label: `price ${price}` }],
    ...change,
  })

const play = (userId: string) =>
  world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' })

const award = (userId: string, eventType: string) =>
  world.post('/v1/points/award', world.keys.secret, { userId, eventType })

const balanceOf = async (userId: string): Promise<number> =>
  (await world.get(`/v1/users/${userId}/sdk-balance`, world.keys.public)).body.data.totalPoints

const gameOf = (userId: string) => ({
  ...world.userKey(userId),
  gameType: 'NEON_WHEEL' as const,
})

const times = <T>(count: number, run: () => T) => Array.from({ length: count }, run)
const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('200 parallel plays on a balance for 10', () => {
  it.each([1, 2, 3, 4, 5])('are 10 plays and 190 refusals (%i)', async (run) => {
    await setPrice(50)
    const userId = `ten-${run}`
    await world.givePoints(userId, 5)
    const answers = await Promise.all(times(200, () => play(userId)))
    expect([count(answers, 200), count(answers, 402)]).toEqual([10, 190])
    const balances = answers.flatMap(({ body }) => body.data?.userBalance ?? [])
    expect(balances.sort((a, b) => b - a)).toEqual(times(10, () => 0).map((_, i) => 450 - 50 * i))
    expect(await balanceOf(userId)).toBe(0)
  })

  it('and parallel awards to the same user neither lose nor create points', async () => {
    await setPrice(50)
    await world.givePoints('busy', 5)
    const [plays, awards] = await Promise.all([
      Promise.all(times(200, () => play('busy'))),
      Promise.all(times(100, () => award('busy', 'daily_login'))),
    ])
    const won = count(plays, 200)
    expect(count(awards, 200)).toBe(100)
    expect(won + count(plays, 402)).toBe(200)
    expect(won).toBeGreaterThanOrEqual(10)
    expect(await balanceOf('busy')).toBe(500 + 100 * 10 - 50 * won)
  })
})

describe('a play that meets another change', () => {
  /** The database, which calls `act` right before a batch of plays is written. */
  const beforeWriting = (tx: Queries, act: () => Promise<unknown>): Queries =>
    new Proxy(tx, {
      get: (target, name) =>
        name !== '$queryRaw'
          ? Reflect.get(target, name)
          : async (query: Prisma.Sql) => {
              if (query.sql.startsWith('/* play_games */')) await act()
              return target.$queryRaw(query)
            },
    })

  const awardNow = (userId: string) =>
    awardPoints(world.runtime, [{ ...world.userKey(userId), eventType: 'signup' }])

  const playWith = (tx: Queries, userId: string, plays: number) =>
    playGames(
      { ...world.runtime, tx },
      times(plays, () => gameOf(userId)),
    )

  it('is not refused for points that the user had all the time', async () => {
    await setPrice(50)
    await world.givePoints('lucky', 1, 'purchase')
    let met = false
    const tx = beforeWriting(world.runtime.tx, async () => {
      if (!met) await awardNow('lucky')
      met = true
    })
    const results = await playWith(tx, 'lucky', 2)
    expect(results).toMatchObject([
      { play: { ledgerEntry: { balanceAfter: 100n } } },
      { play: { ledgerEntry: { balanceAfter: 50n } } },
    ])
  })

  it('takes effect in the end, however many awards come first', async () => {
    await setPrice(50)
    await world.givePoints('popular', 1)
    const awards: Promise<unknown>[] = []
    const tx = beforeWriting(world.runtime.tx, async () => {
      if (awards.length === 100) return
      awards.push(awardNow('popular'))
      // An award that waits for the lock of this play does not come first.
      await Promise.race([awards.at(-1), new Promise((resolve) => setTimeout(resolve, 50))])
    })
    const [result] = await playWith(tx, 'popular', 1)
    await Promise.all(awards)
    expect(result).toMatchObject({ play: { pointsSpent: 50 } })
  })

  it('is drawn again when its game was changed or switched off', async () => {
    await setPrice(10)
    await world.givePoints('waiting', 1)
    const playMeeting = async (change: () => Promise<unknown>) => {
      let met = false
      const tx = beforeWriting(world.runtime.tx, async () => {
        if (!met) await change()
        met = true
      })
      return (await playWith(tx, 'waiting', 1))[0]
    }
    let changed = 0
    const dearer = await playMeeting(async () => {
      changed = (await setPrice(20)).version
    })
    expect(dearer).toMatchObject({
      play: { pointsSpent: 20, rewardValue: 20, mechanicVersion: changed },
    })
    const gone = await playMeeting(() => setPrice(20, { status: 'INACTIVE' }))
    expect(gone).toMatchObject({ code: 'GAME_MECHANIC_NOT_FOUND' })
  })
})

describe('a game in memory', () => {
  const playAs = async (userId: string) => {
    const [result] = await playGames(world.runtime, [gameOf(userId)])
    return result instanceof TesseraError ? result.code : (result as PlayedGame).play.pointsSpent
  }

  it('refuses nothing that the current game accepts', async () => {
    await setPrice(50)
    await world.givePoints('modest', 1, 'daily_login')
    expect(await playAs('modest')).toBe('INSUFFICIENT_POINTS')
    await setPrice(10)
    expect(await playAs('modest')).toBe(10)
  })

  it('gives the refusals of the current game', async () => {
    await setPrice(50)
    expect(await playAs('nobody')).toBe('USER_NOT_FOUND')
    await setPrice(50, { status: 'INACTIVE' })
    expect(await playAs('nobody')).toBe('GAME_MECHANIC_NOT_FOUND')
  })

  it('is not one of a transaction that was rolled back', async () => {
    await setPrice(10)
    await world.givePoints('constant', 1)
    const undone = inTransaction(world.runtime, async (txWork) => {
      await txWork.tx.gameMechanic.updateMany({ data: { pointsToUnlock: 20 } })
      const [played] = await playGames(txWork, [gameOf('constant')])
      expect(played).toMatchObject({ play: { pointsSpent: 20 } })
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    expect(await playAs('constant')).toBe(10)
    await setPrice(30)
    expect(await playAs('constant')).toBe(30)
  })
})

it('when a price changes during plays, each play has the price, the reward and the number of one version', async () => {
  await setPrice(1)
  // Enough for every price that the changes may reach.
  await setRewardRule(world.runtime, { ...world.tenant, eventType: 'rich', points: 1_000_000 })
  for (const userId of ['a', 'b', 'c']) await world.givePoints(userId, 1, 'rich')
  let price = 1
  let playing = true
  const changes = (async () => {
    while (playing) {
      await setPrice(++price)
      const { body } = await play('a')
      expect(body.data.pointsSpent).toBe(price)
    }
  })()
  const answers: Answer[] = []
  for (let round = 0; round < 10; round++) {
    const users = ['a', 'b', 'c', 'b', 'c']
    answers.push(...(await Promise.all(times(6, () => users.map(play)).flat())))
  }
  playing = false
  await changes
  expect(count(answers, 200)).toBe(300)
  for (const { body } of answers)
    expect(body.data.reward).toMatchObject({
      value: body.data.pointsSpent,
      label: `price ${body.data.pointsSpent}`,
    })
  const { rows } = await world.server.database.pool.query({
    text: `SELECT count(*)::int AS mixed FROM play WHERE reward_label <> 'price ' || points_spent`,
  })
  expect(rows[0].mixed).toBe(0)
})

it('a game that is switched off during plays accepts no further play', async () => {
  await setPrice(1)
  await world.givePoints('late', 1)
  const early = times(20, () => play('late'))
  await setPrice(1, { status: 'INACTIVE' })
  const late = await Promise.all(times(20, () => play('late')))
  expect(count(late, 404)).toBe(20)
  const before = await Promise.all(early)
  expect(count(before, 200) + count(before, 404)).toBe(20)
})
