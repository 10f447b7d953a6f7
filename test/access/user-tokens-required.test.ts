/**
 * While an application requires tokens of users, a public key alone names no user: every route of docs/routes.txt and
 * every root field of the schema that a public key may use is tried without a token, with that of the user, and
 * with that of somebody else.
 */
import { readFileSync } from 'node:fs'
import { isInterfaceType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { schema } from '../../src/schema.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { createWorld, type World } from '../world.ts'
import { type Call, callsOf } from './calls.ts'
import { makeThings } from './things.ts'
import { isNothing, type Outcome, refusalOf, tryCall } from './tries.ts'

let world: World
let calls: Call[]
let key: string
let tokenOf: (userId: string) => Promise<string>

/** What a public key may do without naming a user. */
const ofNobody = [
  'game',
  'games',
  'goal',
  'goals',
  'leaderboard',
  'publicLottery',
  'reward',
  'rewards',
  'viewer',
  'GET /v1/games',
  'GET /v1/games/{gameType}/config',
  'GET /v1/goals',
  'GET /v1/leaderboard',
  'GET /v1/rewards',
  'GET /v1/rewards/{slug}',
  'node of Game',
  'node of Goal',
  'node of Partner',
  // Its public part, as on the leaderboard.
  'node of User',
]

/** Types of nodes that public keys read. */
const publicNodes = [
  'Activity',
  'Game',
  'Goal',
  'GoalCompletion',
  'Grant',
  'Offer',
  'Partner',
  'Play',
  'StageChange',
  'User',
]

/** Operations that need no key and name a user. */
const ofVisitors = ['redeemPublicCode']

const isPublic = (call: Call) =>
  call.face === 'REST'
    ? call.route.key === 'public'
    : call.needed[0] === 'public' ||
      ofVisitors.includes(call.title) ||
      publicNodes.some((type) => call.title === `node of ${type}`)

/** The user whom a call of `things.ts` names. */
const named = ({ variables }: Call) =>
  JSON.stringify(variables).includes('another-user') ? 'another-user' : 'demo-user'

beforeAll(async () => {
  world = await createWorld()
  const { runtime, partner } = world
  const { partnerId, applicationId } = partner
  // Somebody has to review the games.
  await world.signInAs('OPERATOR')
  const things = await makeThings(world, await world.signInAs('OWNER'))
  const { id } = await runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'demo-user' } })
  const own = async (table: { findFirstOrThrow(args: object): Promise<{ id: string }> }) =>
    (await table.findFirstOrThrow({ where: { userId: id } })).id
  const { db } = runtime
  calls = callsOf(things.values, {
    ...things.ids,
    User: id,
    Play: await own(db.play as never),
    GoalCompletion: await own(db.goalCompletion as never),
    Grant: await own(db.rewardGrant as never),
    Offer: await own(db.offer as never),
    Activity: await own(db.userActivity as never),
    StageChange: await own(db.stageChange as never),
  }).filter(isPublic)
  const { setUp, mint } = tokenCalls(world)
  await setUp({ userTokenPolicy: 'REQUIRED' })
  const made = { partnerId, applicationId, environment: 'LIVE', kind: 'PUBLIC' } as const
  key = (await createApiKey(runtime, made)).key
  tokenOf = async (userId) => (await mint(userId, {}, partner.live.secret)).token
}, 120_000)
afterAll(() => world.end())

const sweep = async (headersOf: (call: Call) => Promise<Record<string, string>>) => {
  const outcomes: [string, Outcome][] = []
  for (const call of calls) {
    const headers = { 'x-api-key': key, ...(await headersOf(call)) }
    outcomes.push([call.title, await tryCall(world, call, headers)])
  }
  return outcomes
}

test('all routes and root fields that public keys use are tried', () => {
  const routes = readFileSync('docs/routes.txt', 'utf8')
    .split('\n')
    .flatMap((line) => /^(\w+)\s+(\S+)\s+public\s/.exec(line)?.slice(1, 3).join(' ') ?? [])
  expect(routes.length).toBeGreaterThan(10)
  const titles = new Set(calls.map(({ title }) => title))
  expect(routes.filter((route) => !titles.has(route))).toEqual([])
  // A new operation for public keys must be tried here or be listed in `ofNobody`.
  expect(ofNobody.filter((title) => !titles.has(title))).toEqual([])
})

test('without a token, every call that names a user is refused', async () => {
  const outcomes = await sweep(async () => ({}))
  const open = outcomes.filter(([, { code }]) => code !== 'MISSING_USER_TOKEN')
  expect(open.map(([title]) => title).sort()).toEqual([...ofNobody].sort())
})

test('with the token of another user, no call reaches the user', async () => {
  const token = await tokenOf('a-stranger')
  const outcomes = await sweep(async () => ({ 'x-user-token': token }))
  const reached = outcomes.filter(
    ([title, outcome]) =>
      !ofNobody.includes(title) &&
      outcome.code !== 'USER_TOKEN_OF_ANOTHER' &&
      !(/^node of|^play$|^ledgerEntry$|^offer$|^GET .v1.plays/.test(title) && isNothing(outcome)),
  )
  // Each activity is rejected individually.
  expect(reached.map(([title]) => title)).toEqual([
    'trackActivities',
    'POST /v1/user-journeys/track',
  ])
  const { userActivity } = world.runtime.db
  expect(await userActivity.count({ where: { user: { externalId: 'another-user' } } })).toBe(0)
})

test('with the token of the user, every call is accepted', async () => {
  const outcomes = await sweep(async (call) => ({ 'x-user-token': await tokenOf(named(call)) }))
  const refused = outcomes.filter(([, outcome]) => refusalOf(outcome))
  expect(refused.map(([title, { code }]) => [title, code])).toEqual([])
})

/** What the leaderboard shows of every user. */
const shown = [
  'displayName',
  'environment',
  'externalId',
  'id',
  'lifetimePoints',
  'partner',
  'playCount',
  'rank',
  'rewardCount',
  'score',
  'uuid',
]

test('the leaderboard shows users as everyone sees them, without an error', async () => {
  const type = schema.getType('PublicUser')
  if (!isInterfaceType(type)) throw new Error('there are no public users')
  expect(Object.keys(type.getFields()).sort()).toEqual(shown)
  const query =
    '{ leaderboard { nodes { user { __typename externalId ... on User { balance } } } } }'
  const { body } = await world.call('POST', '/graphql', {
    headers: { 'x-api-key': key },
    body: { query },
  })
  expect(body.errors).toBeUndefined()
  const users = body.data.leaderboard.nodes.map(({ user }: { user: object }) => user)
  expect(users.length).toBeGreaterThan(0)
  for (const user of users)
    expect(user).toEqual({ __typename: 'UserView', externalId: expect.any(String) })
})
