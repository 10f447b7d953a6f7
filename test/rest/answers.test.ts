import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createWorld, type World } from '../world.ts'
import { document, documentFaults } from './documented.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  const award = (body: object) => world.post('/v1/points/award', world.keys.secret, body)
  await award({ userId: 'ann', eventType: 'referral', displayName: 'Ann', email: 'ann@x.example' })
  await award({ userId: 'ann', eventType: 'signup', reference: 'r-1', metadata: { from: 'test' } })
  await award({ userId: 'ben', eventType: 'daily_login' })
  for (const gameType of ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'])
    await world.post('/v1/games/play', world.keys.public, { userId: 'ann', gameType })
  await plantProgramme()
})
afterAll(() => world.end())

let grantId: string
let codedId: string

/** A goal with opt-in, and a grant that the user can claim. */
const plantProgramme = async () => {
  const { body } = await world.graphql(`mutation {
    createReward(input: { name: "bonus", kind: POINTS, points: 5 }) { __typename }
    mug: createReward(input: { name: "mug", kind: CODE, price: 5 }) { __typename }
    addRewardCodes(input: { reward: { slug: "mug" }, codes: ["A-1", "A-2"] }) { __typename }
    coded: giveReward(input: { user: { externalId: "ann" }, reward: { slug: "mug" } }) {
      ... on GiveRewardPayload { grant { uuid } } }
    createGoal(input: { slug: "visits", name: "Visits", joinMode: OPT_IN, repeat: UNLIMITED,
      tasks: [{ target: 3, measure: { facts: [ACTIVITY] } }], rewards: [{ slug: "bonus" }] }) { __typename }
    startGoal(input: { goal: { slug: "visits" } }) { __typename }
    createStreak: createGoal(input: { slug: "daily", name: "Daily", window: DAY, repeat: EACH_WINDOW, streak: {},
      tasks: [{ target: 1, measure: { facts: [ACTIVITY] } }] }) { ... on CreateGoalPayload { goal { uuid } } }
    startStreak: startGoal(input: { goal: { slug: "daily" } }) { __typename }
    giveReward(input: { user: { externalId: "ann" }, reward: { slug: "bonus" }, needsClaim: true }) {
      ... on GiveRewardPayload { grant { uuid } } } }`)
  grantId = body.data.giveReward.grant.uuid
  codedId = body.data.coded.grant.uuid
  // Met three days ago, and broken since.
  const { db } = world.runtime
  const { id: userId } = await db.endUser.findFirstOrThrow({ where: { externalId: 'ann' } })
  const completedAt = new Date(Date.now() - 3 * 86_400_000)
  const windowStart = new Date(completedAt.toISOString().slice(0, 10))
  const goalId = body.data.createStreak.goal.uuid
  const id = goalId
  await db.goalCompletion.create({
    data: { ...world.tenant, id, goalId, userId, k: 1, windowStart, completedAt },
  })
}

const expectDocumented = (method: string, path: string, answer: Answer) => {
  expect(documentFaults(method, path, answer, { strict: true })).toEqual([])
  expect(answer.body.code).toBe(answer.status)
}

const envelope = ['code', 'data', 'message', 'status']
const record = ['gameType', 'outcome', 'playId', 'playedAt', 'pointsSpent']
const flatReward = ['rewardLabel', 'rewardTier', 'rewardType', 'rewardValue']
const mechanic = ['description', 'gameType', 'name', 'pointsToUnlock', 'status']
const seeds = ['clientSeed', 'commitment', 'nextCommitment', 'nextNonce']
const ranked = ['displayName', 'gamesPlayed', 'rank', 'score', 'totalPoints', 'totalRewardsWon']

const streak = [
  'brokenOn',
  'deadline',
  'freezes',
  'goalId',
  'history',
  'length',
  'longest',
  'name',
  'slug',
  'state',
]

const userGoal = [
  'category',
  'claim',
  'claimDays',
  'completionCount',
  'description',
  'endsAt',
  'goalId',
  'holdDays',
  'imageUrl',
  'isCounting',
  'joinMode',
  'joinedAt',
  'maxCompletions',
  'name',
  'nextAction',
  'nextWindowAt',
  'position',
  'repeat',
  'rewards',
  'slug',
  'startedAt',
  'state',
  'status',
  'tasks',
  'timeLimitHours',
  'window',
  'windowEndsAt',
  'windowStart',
]
const grant = [
  'cancelledAt',
  'claimExpiresAt',
  'claimedAt',
  'code',
  'createdAt',
  'description',
  'expiredAt',
  'failedAt',
  'failure',
  'freePlaysLeft',
  'fulfilledAt',
  'gameType',
  'grantId',
  'heldUntil',
  'imageUrl',
  'issuedAt',
  'kind',
  'message',
  'name',
  'needsClaim',
  'playableUntil',
  'points',
  'price',
  'readyAt',
  'revokedAt',
  'reward',
  'rewardId',
  'shortfall',
  'source',
  'status',
  'userId',
]

type Row = { call: string; path: string; list?: true; keys: string[]; body?: object }

/** Every route of the foundation, with the exact keys of `data` or of the items of its list, for a user with everything set. */
const rows: Row[] = [
  { call: 'GET /v1/games', path: '/v1/games', keys: mechanic },
  {
    call: 'GET /v1/games/NEON_WHEEL/config',
    path: '/v1/games/{gameType}/config',
    keys: ['config', ...mechanic],
  },
  {
    call: 'POST /v1/games/play',
    path: '/v1/games/play',
    body: { userId: 'ann', gameType: 'ENIGMA_BOXES' },
    keys: [...record, 'environment', 'reward', 'userBalance', 'userId'],
  },
  {
    call: 'GET /v1/users/ann/plays',
    path: '/v1/users/{userId}/plays',
    list: true,
    keys: [...record, ...flatReward, 'userId'],
  },
  {
    call: 'GET /v1/users/ann/sdk-balance',
    path: '/v1/users/{userId}/sdk-balance',
    keys: ['displayName', 'freePlays', 'totalPoints', 'userId'],
  },
  {
    call: 'GET /v1/users/ann/balance',
    path: '/v1/users/{userId}/balance',
    keys: ['createdAt', 'displayName', 'email', 'metadata', 'totalPoints', 'userId'],
  },
  {
    call: 'GET /v1/users/ann/history?page=1&limit=100',
    path: '/v1/users/{userId}/history',
    list: true,
    keys: ['createdAt', 'eventType', 'id', 'metadata', 'points'],
  },
  { call: 'GET /v1/leaderboard', path: '/v1/leaderboard', list: true, keys: [...ranked, 'userId'] },
  {
    call: 'POST /v1/points/award',
    path: '/v1/points/award',
    body: { userId: 'ann', eventType: 'purchase', reference: 'r-2' },
    keys: [
      'createdAt',
      'eventType',
      'ledgerId',
      'pointsAwarded',
      'reference',
      'userBalance',
      'userId',
    ],
  },
  {
    call: 'POST /v1/points/award/batch',
    path: '/v1/points/award/batch',
    body: { awards: [{ userId: 'ann', eventType: 'purchase', reference: 'r-3' }] },
    keys: ['results'],
  },
  {
    call: 'GET /v1/users/ann/play-seeds',
    path: '/v1/users/{userId}/play-seeds',
    keys: seeds,
  },
  {
    call: 'POST /v1/users/ann/play-seeds/rotate',
    path: '/v1/users/{userId}/play-seeds/rotate',
    body: { clientSeed: 'mine' },
    keys: ['revealed', ...seeds],
  },
  {
    call: 'POST /v1/users/ann/token',
    path: '/v1/users/{userId}/token',
    body: { ttlSeconds: 60 },
    keys: ['expiresAt', 'scopes', 'token', 'userId'],
  },
  {
    call: 'POST /v1/users/ann/token/revoke',
    path: '/v1/users/{userId}/token/revoke',
    keys: ['revokedAt'],
  },
  {
    call: 'GET /v1/users/ann/goals',
    path: '/v1/users/{userId}/goals',
    list: true,
    keys: userGoal,
  },
  {
    call: 'POST /v1/users/ann/goals/visits/join',
    path: '/v1/users/{userId}/goals/{slug}/join',
    keys: userGoal,
  },
  {
    call: 'GET /v1/users/ann/streaks',
    path: '/v1/users/{userId}/streaks',
    list: true,
    keys: streak,
  },
  ...[
    ['freezes', { count: 1 }] as const,
    ['pause', { days: 2 }] as const,
    ['restore'] as const,
  ].map(([name, body]) => ({
    call: `POST /v1/users/ann/streaks/daily/${name}`,
    path: `/v1/users/{userId}/streaks/{slug}/${name}`,
    ...(body && { body }),
    keys: streak,
  })),
  ...[['block', { reason: 'OTHER' }] as const, ['unblock'] as const].map(([name, body]) => ({
    call: `POST /v1/users/ann/${name}`,
    path: `/v1/users/{userId}/${name}`,
    ...(body && { body }),
    keys: ['block', 'userId'],
  })),
  {
    call: 'GET /v1/users/ann/grants',
    path: '/v1/users/{userId}/grants',
    list: true,
    keys: grant,
  },
  {
    call: 'POST /v1/users/ann/grants/{grantId}/claim',
    path: '/v1/users/{userId}/grants/{grantId}/claim',
    keys: [...grant, 'userBalance'],
  },
  {
    call: 'POST /v1/users/ann/grants/{codedId}/reveal',
    path: '/v1/users/{userId}/grants/{grantId}/reveal',
    keys: grant,
  },
  {
    call: 'POST /v1/users/ann/rewards/mug/buy',
    path: '/v1/users/{userId}/rewards/{slug}/buy',
    body: { reference: 'mug-1' },
    keys: [...grant, 'reference', 'userBalance'],
  },
  {
    call: 'POST /v1/points/spend',
    path: '/v1/points/spend',
    body: { userId: 'ann', points: 1, reason: 'a discount', reference: 'spend-1' },
    keys: [
      'createdAt',
      'eventType',
      'ledgerId',
      'pointsSpent',
      'reference',
      'userBalance',
      'userId',
    ],
  },
]

const keyOf = (path: string, method: string) => {
  const { security } = document.paths[path][method.toLowerCase()]
  const takesSecret = security.flatMap(Object.keys).includes('secretKey')
  return takesSecret ? world.keys.secret : world.keys.public
}

const send = ({ call, path, body }: Pick<Row, 'call' | 'path' | 'body'>) => {
  const [method, url] = call
    .replace('{grantId}', grantId)
    .replace('{codedId}', codedId)
    .split(' ') as [string, string]
  return world.call(method, url, { key: keyOf(path, method), ...(body && { body }) })
}

describe('answers', () => {
  test('are checked here for every route of games, users, points and leaderboard', () => {
    const paths = Object.keys(document.paths).filter((path) =>
      /^\/v1\/(games|users|points|leaderboard)\b/.test(path),
    )
    expect(rows.map(({ path }) => path).sort()).toEqual(paths.sort())
  })

  test.each(rows)('of $call have the documented envelope and fields', async (row) => {
    const answer = await send(row)
    expectDocumented(row.call.split(' ')[0] as string, row.path, answer)
    const { body } = answer
    expect(Object.keys(body).sort()).toEqual(row.list ? [...envelope, 'meta'].sort() : envelope)
    expect(body).toMatchObject({ code: 200, status: 'success', message: expect.any(String) })
    const item = Array.isArray(body.data) ? body.data.at(-1) : body.data
    expect(Object.keys(item).sort()).toEqual([...row.keys].sort())
    if (row.list) {
      expect(Object.keys(body.meta)).toEqual(['page', 'limit', 'total', 'totalPages'])
      expect(body.data).toHaveLength(body.meta.total)
    }
  })

  test('omit fields that are not set', async () => {
    const balance = await world.get('/v1/users/ben/sdk-balance', world.keys.public)
    expect(balance.body.data).toEqual({ userId: 'ben', totalPoints: 10, freePlays: [] })
    const { body } = await world.get('/v1/users/ben/history', world.keys.secret)
    expect(body.data[0]).not.toHaveProperty('reference')
    const body2 = { userId: 'ben', eventType: 'daily_login' }
    const award = await world.post('/v1/points/award', world.keys.secret, body2)
    expect(award.body.data).not.toHaveProperty('reference')
    expectDocumented('POST', '/v1/points/award', award)
  })

  test.each([
    ['POST /v1/games/play', '/v1/games/play', {}, 400],
    ['POST /v1/games/play', '/v1/games/play', { userId: 'ann', gameType: 'CHESS' }, 400],
    ['POST /v1/games/play', '/v1/games/play', { userId: 'no', gameType: 'NEON_WHEEL' }, 404],
    ['POST /v1/games/play', '/v1/games/play', { userId: 'ben', gameType: 'NEON_WHEEL' }, 402],
    ['POST /v1/points/award', '/v1/points/award', { userId: 'ann', eventType: 'no' }, 404],
    [
      'POST /v1/points/award',
      '/v1/points/award',
      { userId: 'ann', eventType: 'signup', reference: 'r-1' },
      409,
    ],
    ['GET /v1/games/CHESS/config', '/v1/games/{gameType}/config', undefined, 404],
    ['GET /v1/users/no/balance', '/v1/users/{userId}/balance', undefined, 404],
    ['GET /v1/leaderboard?page=0', '/v1/leaderboard', undefined, 400],
  ] as const)(
    'to %s for %s with %j are the documented error %i',
    async (call, path, body, code) => {
      const answer = await send({ call, path, ...(body && { body }) })
      expect(answer.status).toBe(code)
      expectDocumented(call.split(' ')[0] as string, path, answer)
      expect(answer.body).toMatchObject({ status: 'error', errorCode: expect.any(String) })
      expect(answer.body).not.toHaveProperty('data')
    },
  )
})
