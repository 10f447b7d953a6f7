import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { playGames } from '../../src/games/play.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { createWorld, type World } from '../world.ts'
import { points, setWheel } from './wheel.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const play = (body: unknown, key = world.keys.public) => world.post('/v1/games/play', key, body)

const select = async (text: string, values: unknown[]) =>
  (await world.server.database.pool.query({ text, values })).rows

const historyOf = async (userId: string) => {
  const { body } = await world.get(`/v1/users/${userId}/history`, world.keys.secret)
  return body.data.map((row: { eventType: string; points: number }) => [row.eventType, row.points])
}

describe('a play is refused', () => {
  it('for its body first, with all invalid fields', async () => {
    const { status, body } = await play({ gameType: 'ROULETTE', userId: 7 })
    expect(status).toBe(400)
    expect(body).toMatchObject({ message: 'Invalid request body', code: 400, status: 'error' })
    expect(body.errors).toMatchObject([
      { field: 'userId', message: 'userId must be a string' },
      {
        field: 'gameType',
        message: 'gameType must be one of NEON_WHEEL, COSMIC_SLOTS, ENIGMA_BOXES',
      },
    ])
    expect((await play({})).body.errors).toMatchObject([{ field: 'userId' }, { field: 'gameType' }])
  })

  it('for its game next, then for its user, then for the points', async () => {
    await setWheel(world, { gameType: 'ENIGMA_BOXES', status: 'INACTIVE' })
    await world.givePoints('poor', 1, 'daily_login')
    const problem = async (userId: string, gameType: string) => {
      const { status, body } = await play({ userId, gameType })
      expect(body).toMatchObject({ code: status, status: 'error' })
      return [status, body.message]
    }
    expect(await problem('nobody', 'ENIGMA_BOXES')).toEqual([404, 'Game mechanic not found'])
    expect(await problem('poor', 'ENIGMA_BOXES')).toEqual([404, 'Game mechanic not found'])
    expect(await problem('nobody', 'NEON_WHEEL')).toEqual([404, 'User not found'])
    expect(await problem('poor', 'NEON_WHEEL')).toEqual([402, 'Insufficient points'])
    expect(await historyOf('poor')).toEqual([['daily_login', 10]])
  })

  it('in LIVE when the user and the points are in TEST', async () => {
    await world.givePoints('tester', 1)
    const body = { userId: 'tester', gameType: 'COSMIC_SLOTS' }
    expect((await play(body, world.partner.live.public)).body.message).toBe('User not found')
  })
})

describe('a play', () => {
  it('returns every documented field, and the event and the list say the same', async () => {
    await setWheel(world, { rewards: [{ ...points(3), type: 'xp', tier: 'rare', label: '3 XP' }] })
    await world.givePoints('anna', 1)
    const { status, body } = await play({ userId: 'anna', gameType: 'NEON_WHEEL' })
    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'Game played successfully',
      code: 200,
      status: 'success',
      data: {
        playId: expect.stringMatching(/^[\da-f-]{36}$/),
        gameType: 'NEON_WHEEL',
        userId: 'anna',
        pointsSpent: 50,
        userBalance: 50,
        outcome: { winningSegment: expect.any(Number), spinAngle: expect.any(Number) },
        reward: { tier: 'rare', type: 'xp', value: 3, label: '3 XP' },
        environment: 'TEST',
        playedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
    const { playId, reward, userBalance, environment, ...listed } = body.data
    const [event] = await select('SELECT * FROM event WHERE id = $1', [playId])
    expect(event).toMatchObject({ type: 'game.played', environment: 'TEST', data: body.data })
    const [activity] = await select('SELECT * FROM user_activity WHERE id = $1', [playId])
    expect(activity).toMatchObject({ category: 'GAME_PLAY', event_type: 'game_play', points: -50 })
    const plays = await world.get('/v1/users/anna/plays', world.keys.public)
    expect(plays.body.data).toEqual([
      {
        ...listed,
        playId,
        rewardTier: 'rare',
        rewardType: 'xp',
        rewardValue: 3,
        rewardLabel: '3 XP',
      },
    ])
  })

  it('that wins points returns the balance before the reward, which has its own ledger entry', async () => {
    await setWheel(world, { rewards: [points(7)] })
    await world.givePoints('ben', 1)
    const first = await play({ userId: 'ben', gameType: 'NEON_WHEEL' })
    const second = await play({ userId: 'ben', gameType: 'NEON_WHEEL' })
    expect([first, second].map(({ body }) => body.data.userBalance)).toEqual([50, 7])
    expect((await play({ userId: 'ben', gameType: 'NEON_WHEEL' })).status).toBe(402)
    expect(await historyOf('ben')).toEqual([
      ['game_reward', 7],
      ['game_play', -50],
      ['game_reward', 7],
      ['game_play', -50],
      ['signup', 100],
    ])
    const { body } = await world.get('/v1/users/ben/sdk-balance', world.keys.public)
    expect(body.data).toEqual({ userId: 'ben', totalPoints: 14, freePlays: [] })
  })

  it('can be paid with points that the play before it won', async () => {
    await setWheel(world, { rewards: [points(50)] })
    await world.givePoints('cleo', 1, 'purchase')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => play({ userId: 'cleo', gameType: 'NEON_WHEEL' })),
    )
    expect(answers.map(({ status, body }) => [status, body.data?.userBalance])).toEqual(
      answers.map(() => [200, 0]),
    )
  })

  it('of a free game needs a user and costs nothing', async () => {
    await setWheel(world, { price: 0 })
    await world.givePoints('dora', 1, 'daily_login')
    expect((await play({ userId: 'nobody', gameType: 'NEON_WHEEL' })).status).toBe(404)
    const { body } = await play({ userId: 'dora', gameType: 'NEON_WHEEL' })
    expect(body.data).toMatchObject({ pointsSpent: 0, userBalance: 10 })
    expect(await historyOf('dora')).toEqual([
      ['game_play', 0],
      ['daily_login', 10],
    ])
  })
})

it('a batch of plays runs in order, with the results in the same order', async () => {
  const live: Tenant = { ...world.tenant, environment: 'LIVE' }
  await setWheel(world, { rewards: [points(20)] })
  await setWheel(world, { gameType: 'ENIGMA_BOXES', status: 'INACTIVE' })
  await setWheel(world, { ...live, price: 100 })
  await world.givePoints('one', 1)
  await world.givePoints('two', 1, 'purchase')
  await world.givePoints('one', 1, 'signup', world.partner.live.secret)
  const of = (name: string, tenant = world.tenant, gameType = 'NEON_WHEEL' as const) => ({
    ...world.userKey(name, tenant),
    gameType,
  })
  const results = await playGames(world.runtime, [
    of('one'),
    of('two'),
    of('nobody'),
    of('one', live),
    of('two'),
    { ...of('one'), gameType: 'ENIGMA_BOXES' },
    of('one'),
    of('one', live),
    of('one'),
  ])
  const short = results.map((r) =>
    r instanceof Error
      ? (r as Error & { code: string }).code
      : `${r.play.environment} ${r.play.ledgerEntry.balanceAfter}`,
  )
  expect(short).toEqual([
    'TEST 50',
    'TEST 0',
    'USER_NOT_FOUND',
    'LIVE 0',
    'INSUFFICIENT_POINTS',
    'GAME_MECHANIC_NOT_FOUND',
    'TEST 20',
    'INSUFFICIENT_POINTS',
    'INSUFFICIENT_POINTS',
  ])
})
