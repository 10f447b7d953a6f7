import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorTable } from '../../src/core/errors.ts'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 3)
  await world.givePoints('ben', 1, 'daily_login')
})
afterAll(() => world.end())

const award = async (input: object) =>
  (
    await world.graphql(
      `mutation ($input: AwardPointsInput!) {
        awardPoints(input: $input) {
          __typename
          ... on AwardPointsPayload { userId eventType pointsAwarded userBalance reference }
          ... on Error { code message }
          ... on ValidationFailedError { errors { field code message } }
        }
      }`,
      { input },
    )
  ).body.data.awardPoints

const play = async (input: object) =>
  (
    await world.graphql(
      `mutation ($input: PlayGameInput!) {
        playGame(input: $input) {
          __typename
          ... on PlayGamePayload {
            playId gameType userId pointsSpent userBalance outcome environment playedAt
            reward { tier type value label }
          }
          ... on Error { code message }
          ... on ValidationFailedError { errors { field code message } }
        }
      }`,
      { input },
    )
  ).body.data.playGame

describe('one service with two faces', () => {
  test('awards and plays on one are seen on the other', async () => {
    expect(await award({ userId: 'cat', eventType: 'signup', reference: 'r' })).toEqual({
      __typename: 'AwardPointsPayload',
      userId: 'cat',
      eventType: 'signup',
      pointsAwarded: 100,
      userBalance: 100,
      reference: 'r',
    })
    const played = await play({ userId: 'cat', gameType: 'NEON_WHEEL' })
    expect(played).toMatchObject({ userBalance: 50, pointsSpent: 50, environment: 'TEST' })
    const plays = await world.get('/v1/users/cat/plays', world.keys.public)
    expect(plays.body.data[0]).toMatchObject({
      playId: played.playId,
      outcome: played.outcome,
      rewardLabel: played.reward.label,
      playedAt: played.playedAt,
    })
    const again = { userId: 'cat', eventType: 'signup', reference: 'r' }
    expect((await world.post('/v1/points/award', world.keys.secret, again)).status).toBe(409)
  })

  test('says the same of a user, their ledger, the games and the leaderboard', async () => {
    const { body } = await world.graphql(`{
      user(userId: "ann") {
        userId totalPoints displayName email metadata createdAt
        history(page: 1) {
          nodes { id: ledgerId eventType points reference metadata createdAt }
          pagination { page limit total totalPages }
        }
      }
      games { gameType name description pointsToUnlock status }
      game(gameType: NEON_WHEEL) { config { segments rewards { tier type value label weight } } }
      leaderboard(page: 1, limit: 2) {
        nodes { rank userId displayName totalPoints totalRewardsWon gamesPlayed score }
        pagination { page limit total totalPages }
      }
    }`)
    const { user, games, game, leaderboard } = body.data
    const rest = async (path: string, key: string) => (await world.get(path, key)).body
    const { public: pk, secret: sk } = world.keys
    const { history, ...balance } = user
    expect((await rest('/v1/users/ann/balance', sk)).data).toEqual(balance)
    const ledger = await rest('/v1/users/ann/history', sk)
    expect(ledger.meta).toEqual(history.pagination)
    expect(ledger.data).toEqual(
      history.nodes.map(({ reference: _, ...entry }: { reference: null }) => entry),
    )
    expect((await rest('/v1/games', pk)).data).toEqual(games)
    expect((await rest('/v1/games/NEON_WHEEL/config', pk)).data).toMatchObject(game)
    const board = await rest('/v1/leaderboard?limit=2', pk)
    expect([board.data, board.meta]).toEqual([leaderboard.nodes, leaderboard.pagination])
  })
})

describe('a refused mutation', () => {
  const rows = [
    ['/v1/points/award', { userId: 'ann', eventType: 'no' }, 'RewardRuleNotFoundError'],
    ['/v1/points/award', { userId: '', eventType: 'signup' }, 'ValidationFailedError'],
    ['/v1/games/play', { userId: 'no', gameType: 'NEON_WHEEL' }, 'UserNotFoundError'],
    ['/v1/games/play', { userId: 'ben', gameType: 'NEON_WHEEL' }, 'InsufficientPointsError'],
  ] as const

  test.each(rows)('at %s with %j is a %s, with the code of REST', async (path, input, typename) => {
    const isAward = path.endsWith('award')
    const key = world.keys[isAward ? 'secret' : 'public']
    const { body } = await world.post(path, key, input)
    const result = await (isAward ? award : play)(input)
    expect(result.__typename).toBe(typename)
    expect(result.code).toBe(body.errorCode)
    expect(result.message).toBe(body.message)
    expect(result.errors).toEqual(body.errors)
    expect(errorTable[body.errorCode as keyof typeof errorTable].status).toBe(body.code)
  })

  test('for a repeated reference is a DuplicateReferenceError', async () => {
    const input = { userId: 'ann', eventType: 'purchase', reference: 'twice' }
    await award(input)
    expect(await award(input)).toEqual({
      __typename: 'DuplicateReferenceError',
      code: 'DUPLICATE_REFERENCE',
      message: errorTable.DUPLICATE_REFERENCE.message,
    })
  })
})

describe('what the type system refuses', () => {
  const document =
    'mutation ($input: AwardPointsInput!) { awardPoints(input: $input) { __typename } }'

  test.each([
    ['a field that the input has not', { userId: 'a', eventType: 'signup', points: 1000 }],
    ['a value of another type', { userId: 5, eventType: 'signup' }],
    ['a missing field', { userId: 'a' }],
    ['null for what must be there', { userId: null, eventType: 'signup' }],
    ['a list', [{ userId: 'a', eventType: 'signup' }, null]],
    ['no input', undefined],
  ])('%s: it is named, and no internal error', async (_, input) => {
    const { body, status } = await world.graphql(document, { input })
    expect(status).toBeLessThan(500)
    expect(body.errors[0].message).toMatch(/\$input/)
    expect(body.errors[0].extensions?.code).not.toBe('INTERNAL')
    expect(body.data ?? null).toBeNull()
  })

  test('an enum value, a number out of range and a field that do not exist', async () => {
    for (const text of [
      '{ game(gameType: CHESS) { name } }',
      '{ leaderboard(page: 3000000000) { totalCount } }',
      '{ nothing }',
    ]) {
      const { body, status } = await world.graphql(text)
      expect(status).toBeLessThan(500)
      expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    }
  })
})

test('a ledger stays hidden from a public key, however deep it stands', async () => {
  for (const document of [
    '{ user(userId: "ann") { history { nodes { points } } } }',
    '{ aroundUser(userId: "ann") { user { history { totalCount } } } }',
  ]) {
    const { body, status } = await world.graphql(document, {}, { public: world.keys.public })
    expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
    expect(status).toBe(401)
    expect(JSON.stringify(body.data)).not.toMatch(/@|"points"/)
  }
})
