/** The plays of all users: each filter, order and direction finds the right plays, once each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GameMechanicVersion, Play } from '../../src/generated/prisma/client.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { type ListPage, pageFields, walkPages } from '../list-pages.ts'
import { createWorld, type World } from '../world.ts'
import { setWheel } from './wheel.ts'

let world: World
let plays: Play[]
/** The second version of the wheel. */
let version: GameMechanicVersion

/** Plays of three users of three games, with rewards of all tiers and types. Many have the same time. */
const plant = async (by: World['partner'], environment: 'TEST' | 'LIVE') => {
  const values = [by.partnerId, environment]
  await world.server.database.pool.query({
    text: `INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at)
      SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'user-' || n, now()
      FROM generate_series(1, 3) n`,
    values,
  })
  await world.server.database.pool.query({
    text: `INSERT INTO play (id, partner_id, environment, user_id, play_no, game_type, points_spent, outcome,
        reward_tier, reward_type, reward_value, reward_label, mechanic_version, seed_no, played_at)
      SELECT gen_random_uuid(), u.partner_id, u.environment, u.id, n,
        (ARRAY['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'])[1 + n % 3]::"GameType", 1, '{"boxIndex": 1}',
        (ARRAY['epic', 'rare', 'common', 'common'])[1 + n % 4]::"RewardTier",
        (ARRAY['points', 'xp', 'item', 'special', 'cashback'])[1 + n % 5]::"RewardType",
        0, 'x', 1 + n % 2, 1, '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 hour'
      FROM end_user u, generate_series(1, 40) n
      WHERE u.partner_id = $1::uuid AND u.environment = $2::"Environment"`,
    values,
  })
}

beforeAll(async () => {
  world = await createWorld()
  const { db } = world.runtime
  await setWheel(world)
  await setWheel(world, { price: 51 })
  const mechanic = { ...world.tenant, gameType: 'NEON_WHEEL' as const }
  version = await db.gameMechanicVersion.findFirstOrThrow({ where: { mechanic, version: 2 } })
  await plant(world.partner, 'TEST')
  await plant(world.partner, 'LIVE')
  await plant(await world.createPartner(), 'TEST')
  plays = await db.play.findMany({ where: world.tenant })
})
afterAll(() => world.end())

type Page = ListPage<{ uuid: string; user: { externalId: string } }>

const ask = async (args: string, variables: object = {}, by?: Parameters<World['graphql']>[2]) => {
  const { body } = await world.graphql(
    `query ($filter: PlayFilter${args.includes('$at') ? ', $at: String' : ''}) {
      plays(filter: $filter, ${args}) {
        nodes { uuid user { externalId } } ${pageFields} } }`,
    variables as Record<string, unknown>,
    by,
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.plays as Page
}

const userOf = async (externalId: string) =>
  (await world.runtime.db.endUser.findFirstOrThrow({ where: { ...world.tenant, externalId } })).id

type Case = [name: string, filterOf: () => object, isIn: (play: Play, user: string) => boolean]
const noon = new Date('2026-01-01T02:00:00Z')
const later = new Date('2026-01-01T05:00:00Z')
/** Ninety-two days that have all plays. */
const longest = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-04-03T00:00:00Z') }
const ofVersion = () => encodeNodeId('GameVersion', version.id)
const isOfVersion = (play: Play) =>
  play.gameType === 'NEON_WHEEL' && play.mechanicVersion === version.version
const cases: Case[] = [
  ['nothing', () => ({}), () => true],
  ['a game', () => ({ gameTypes: ['NEON_WHEEL'] }), (play) => play.gameType === 'NEON_WHEEL'],
  [
    'two games',
    () => ({ gameTypes: ['NEON_WHEEL', 'COSMIC_SLOTS', 'NEON_WHEEL'] }),
    (play) => play.gameType !== 'ENIGMA_BOXES',
  ],
  ['no game', () => ({ gameTypes: [] }), () => false],
  [
    'tiers and types of rewards',
    () => ({ rewardTiers: ['EPIC', 'RARE'], rewardTypes: ['POINTS', 'ITEM'] }),
    (play) => play.rewardTier !== 'common' && ['points', 'item'].includes(play.rewardType),
  ],
  [
    'a period',
    () => ({ playedAt: { from: noon, to: later } }),
    (play) => play.playedAt >= noon && play.playedAt < later,
  ],
  ['a version in a period', () => ({ gameVersionId: ofVersion(), playedAt: longest }), isOfVersion],
  [
    'a version, by its UUID, and another game',
    () => ({ gameVersionId: version.id, gameTypes: ['COSMIC_SLOTS'], playedAt: longest }),
    () => false,
  ],
  [
    'no known version',
    () => ({ gameVersionId: encodeNodeId('GameVersion', plays[0]?.id ?? ''), playedAt: longest }),
    () => false,
  ],
  ['a user', () => ({ user: { externalId: 'user-2' } }), (play, user) => play.userId === user],
  [
    'a user, a version, a tier and a period',
    () => ({
      user: { externalId: 'user-2' },
      gameVersionId: ofVersion(),
      rewardTiers: ['COMMON'],
      playedAt: { from: noon },
    }),
    (play, user) =>
      play.userId === user &&
      isOfVersion(play) &&
      play.rewardTier === 'common' &&
      play.playedAt >= noon,
  ],
  ['no known user', () => ({ user: { externalId: 'nobody' } }), () => false],
]

describe.each(cases)('filtered by %s', (_, filterOf, isIn) => {
  test.each(['ASC', 'DESC'])('all pages, %s', async (direction) => {
    const user = await userOf('user-2')
    const filter = filterOf()
    const wanted = plays.filter((play) => isIn(play, user))
    const order = `orderBy: { field: PLAYED_AT, direction: ${direction} }`
    const walked = await walkPages({
      readPage: (window, at) => ask(`${order}, ${window}`, { filter, at }),
      pageSize: 7,
      count: wanted.length,
    })
    const forward = walked.map(({ uuid }) => uuid)
    expect(forward.toSorted()).toEqual(wanted.map(({ id }) => id).sort())
    const byId = new Map(wanted.map((play) => [play.id, play]))
    const times = forward.map((id) => byId.get(id)?.playedAt.getTime() ?? 0)
    const sorted = times.toSorted((a, b) => (direction === 'ASC' ? a - b : b - a))
    expect(times).toEqual(sorted)
  })
})

test('a play has its user', async () => {
  const { nodes } = await ask('first: 40', { filter: { user: { externalId: 'user-3' } } })
  expect(nodes.map(({ user }) => user.externalId)).toEqual(Array(40).fill('user-3'))
})

test('a public key and a member without READ see none of it', async () => {
  const bearer = await world.signInAs('DEVELOPER')
  for (const by of [{ public: world.keys.public }, { bearer }])
    await expect(ask('first: 1', {}, by)).rejects.toThrow(/MISSING_API_SECRET|RIGHT_REQUIRED/)
  expect(
    (await ask('first: 1', {}, { bearer: await world.signInAs('ANALYST') })).nodes,
  ).toHaveLength(1)
})

test('a version without a user requires a period', async () => {
  const tooLong = { ...longest, from: new Date('2025-12-31T23:59:59Z') }
  for (const playedAt of [undefined, { to: longest.to }, tooLong])
    await expect(
      ask('first: 1', { filter: { gameVersionId: ofVersion(), playedAt } }),
    ).rejects.toThrow(/INVALID_PARAMETERS/)
})
