import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoQuery } from '../../src/graphql/engine.ts'
import { errorTable } from '../../src/kit/errors.ts'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 3)
  await world.givePoints('ben', 1, 'daily_login')
})
afterAll(() => world.end())

test('the query that GraphiQL opens with is answered', async () => {
  const { body } = await world.graphql(demoQuery, {}, { public: world.keys.public })
  expect(body.errors).toBeUndefined()
  expect(body.data.leaderboard).toMatchObject({ totalCount: { value: 2 } })
})

const award = async (input: object) =>
  (
    await world.graphql(
      `mutation ($input: AwardPointsInput!) {
        awardPoints(input: $input) {
          __typename
          ... on AwardPointsPayload {
            ledgerEntry { eventType points balanceAfter reference play { id } }
            user { externalId balance lifetimePoints createdAt }
          }
          ... on Error { code message }
          ... on ValidationError { errors { path code message } }
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
            play {
              uuid gameType pointsSpent environment playedAt
              outcome { ... on WheelOutcome { winningSegment spinAngle } }
              reward { tier type value label }
              user { balance }
              ledgerEntry { balanceAfter points play { uuid } }
            }
            user { externalId balance playCount rewardCount lifetimePoints score }
          }
          ... on Error { code message }
          ... on ValidationError { errors { path code message } }
        }
      }`,
      { input },
    )
  ).body.data.playGame

describe('REST and GraphQL', () => {
  test("show each other's awards and plays", async () => {
    const cat = { externalId: 'cat' }
    expect(await award({ user: cat, eventType: 'signup', reference: 'r' })).toEqual({
      __typename: 'AwardPointsPayload',
      ledgerEntry: {
        eventType: 'signup',
        points: 100,
        balanceAfter: 100,
        reference: 'r',
        play: null,
      },
      user: {
        externalId: 'cat',
        balance: 100,
        lifetimePoints: 100,
        createdAt: expect.stringMatching(/Z$/),
      },
    })
    const { play: played, user } = await play({ user: cat, gameType: 'NEON_WHEEL' })
    expect(played).toMatchObject({
      pointsSpent: 50,
      environment: 'TEST',
      user: { balance: user.balance },
      ledgerEntry: { balanceAfter: 50, points: -50, play: { uuid: played.uuid } },
    })
    const shown = 'externalId balance playCount rewardCount lifetimePoints score'
    const { body } = await world.graphql(`{ user(by: { externalId: "cat" }) { ${shown} } }`)
    expect(user).toEqual(body.data.user)
    const plays = await world.get('/v1/users/cat/plays', world.keys.public)
    expect(plays.body.data[0]).toMatchObject({
      playId: played.uuid,
      outcome: played.outcome,
      rewardLabel: played.reward.label,
      playedAt: played.playedAt,
    })
    const again = { userId: 'cat', eventType: 'signup', reference: 'r' }
    expect((await world.post('/v1/points/award', world.keys.secret, again)).status).toBe(409)
  })

  test('return the same user, ledger, games and leaderboard', async () => {
    const { body } = await world.graphql(`{
      user(by: { externalId: "ann" }) {
        userId: externalId totalPoints: balance displayName email metadata createdAt
        ledgerEntries {
          nodes { id: uuid eventType points reference metadata createdAt }
          totalCount { value }
        }
      }
      games { gameType name description price status }
      game(gameType: NEON_WHEEL) { config { segments rewards { value label weight } } }
      leaderboard(first: 2) {
        nodes { rank user { userId: externalId displayName totalPoints: lifetimePoints
          totalRewardsWon: rewardCount gamesPlayed: playCount score } }
        totalCount { value }
      }
    }`)
    const { user, game, leaderboard } = body.data
    const games = body.data.games.map(({ price, ...shown }: { price: number }) => ({
      ...shown,
      pointsToUnlock: price,
    }))
    const rest = async (path: string, key: string) => (await world.get(path, key)).body
    const { public: pk, secret: sk } = world.keys
    const { ledgerEntries, ...balance } = user
    expect((await rest('/v1/users/ann/balance', sk)).data).toEqual(balance)
    const ledger = await rest('/v1/users/ann/history', sk)
    expect(ledger.meta.total).toBe(ledgerEntries.totalCount.value)
    expect(ledger.data).toEqual(
      ledgerEntries.nodes.map(({ reference: _, ...entry }: { reference: null }) => entry),
    )
    expect((await rest('/v1/games', pk)).data).toEqual(games)
    expect((await rest('/v1/games/NEON_WHEEL/config', pk)).data).toMatchObject(game)
    const board = await rest('/v1/leaderboard?limit=2', pk)
    expect([board.data, board.meta.total]).toEqual([
      leaderboard.nodes.map(({ rank, user }: { rank: number; user: object }) => ({
        rank,
        ...user,
      })),
      leaderboard.totalCount.value,
    ])
  })
})

describe('a refused mutation', () => {
  const rows = [
    ['/v1/points/award', { userId: 'ann', eventType: 'no' }, 'NotFoundError'],
    ['/v1/points/award', { userId: '', eventType: 'signup' }, 'ValidationError'],
    ['/v1/games/play', { userId: 'no', gameType: 'NEON_WHEEL' }, 'NotFoundError'],
    ['/v1/games/play', { userId: 'ben', gameType: 'NEON_WHEEL' }, 'InsufficientPointsError'],
  ] as const

  test.each(rows)('at %s with %j is a %s, with the code of REST', async (path, input, typename) => {
    const isAward = path.endsWith('award')
    const key = world.keys[isAward ? 'secret' : 'public']
    const { body } = await world.post(path, key, input)
    const { userId, ...rest } = input
    const result = await (isAward ? award : play)({ user: { externalId: userId }, ...rest })
    expect(result.__typename).toBe(typename)
    expect(result.code).toBe(body.errorCode)
    expect(result.message).toBe(body.message)
    const faults = result.errors?.map(
      ({ path, code, ...fault }: { path: string[]; code: string; message: string }) => ({
        field: path.join('.').replace('user.externalId', 'userId'),
        ...fault,
        code: code.toLowerCase(),
        message: fault.message.replace('user.externalId', 'userId'),
      }),
    )
    expect(faults).toEqual(body.errors)
    expect(errorTable[body.errorCode as keyof typeof errorTable].status).toBe(body.code)
  })

  test('for a repeated reference is a DuplicateReferenceError', async () => {
    const input = { user: { externalId: 'ann' }, eventType: 'purchase', reference: 'twice' }
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
    [
      'a field that the input has not',
      { user: { externalId: 'a' }, eventType: 'signup', points: 1000 },
    ],
    ['a value of another type', { user: { externalId: 5 }, eventType: 'signup' }],
    ['a missing field', { user: { externalId: 'a' } }],
    ['two keys of one user', { user: { externalId: 'a', id: 'b' }, eventType: 'signup' }],
    ['null for what must be there', { user: null, eventType: 'signup' }],
    ['a list', [{ user: { externalId: 'a' }, eventType: 'signup' }, null]],
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
      '{ leaderboard(first: 3000000000) { totalCount { value } } }',
      '{ nothing }',
    ]) {
      const { body, status } = await world.graphql(text)
      expect(status).toBeLessThan(500)
      expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    }
  })
})

test('a ledger stays hidden from a public key at any depth', async () => {
  for (const document of [
    '{ user(by: { externalId: "ann" }) { ledgerEntries { nodes { points } } } }',
    '{ leaderboardAround(user: { externalId: "ann" }) { user { ... on User { ledgerEntries { totalCount { value } } } } } }',
  ]) {
    const { body, status } = await world.graphql(document, {}, { public: world.keys.public })
    expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
    // The user is shown without the ledger.
    expect(status).toBe(200)
    expect(body.errors[0].path.at(-1)).toBe('ledgerEntries')
    expect(JSON.stringify(body.data)).toMatch(/"ledgerEntries":null/)
    expect(JSON.stringify(body)).not.toMatch(/@|"points"/)
  }
})
