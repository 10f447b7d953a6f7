/** Games keep their versions, and a play says by which one it was drawn. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyPlay } from '../../packages/verifier/play.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { points, setWheel } from './wheel.ts'

let world: World
let member: string
beforeAll(async () => {
  world = await createWorld()
  member = await world.signInAs('OWNER')
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const game = (price: number) => ({
  gameType: 'NEON_WHEEL',
  name: 'Wheel',
  description: 'A wheel.',
  segments: 12,
  price,
  rewards: [{ tier: 'COMMON', type: 'POINTS', value: 2, label: 'two', weight: 1 }],
})

const setGame = async (input: object, by: Parameters<World['graphql']>[2] = world.keys) => {
  const { body, text } = await world.graphql(
    `mutation ($input: SetGameInput!) { setGame(input: $input) {
      __typename ... on SetGamePayload { game { version } } } }`,
    { input },
    by,
  )
  if (body.data?.setGame.__typename !== 'SetGamePayload') throw new Error(text)
  return body.data.setGame.game.version as number
}

const shown = `version price status config { segments expectedPayout }
  actor { __typename } actorId createdAt`

const versions = async (args: string, by: Parameters<World['graphql']>[2] = world.keys) => {
  const { body, text } = await world.graphql(
    `{ game(gameType: NEON_WHEEL) { versions(${args}) {
      nodes { ${shown} } pageInfo { endCursor hasNextPage } totalCount { value } } } }`,
    {},
    by,
  )
  expect(body.errors, text).toBeUndefined()
  return body.data.game.versions
}

describe('the versions of a game', () => {
  test('show the configuration, who changed it and when, newest first', async () => {
    const byKey = await setGame(game(5), { secret: world.keys.secret })
    const byMember = await setGame(game(6), { bearer: member })
    expect(byMember).toBe(byKey + 1)
    const { nodes } = await versions('first: 2', { bearer: member })
    const same = {
      status: 'ACTIVE',
      config: { segments: 12, expectedPayout: 2 },
      createdAt: expect.any(String),
      actorId: expect.any(String),
    }
    expect(nodes).toEqual([
      { ...same, version: byMember, price: 6, actor: { __typename: 'Member' } },
      { ...same, version: byKey, price: 5, actor: { __typename: 'ApiKey' } },
    ])
    const [newest] = (await versions('first: 1')).nodes
    expect(newest.actor).toBeNull()
    expect(newest.actorId).toBe(nodes[0].actorId)
  })

  test('are a paged list that begins with the first version, which has no author', async () => {
    const all = await versions('first: 50')
    expect(all.totalCount.value).toBe(all.nodes.length)
    const numbers = all.nodes.map(({ version }: { version: number }) => version)
    expect(numbers).toEqual(numbers.map((_: number, i: number) => numbers.length - i))
    expect(all.nodes.at(-1)).toMatchObject({ actor: null, actorId: null })
    const { pageInfo } = await versions('first: 1')
    const next = await versions(`first: 1, after: "${pageInfo.endCursor}"`)
    expect(next.nodes[0].version).toBe(numbers[1])
  })

  test('include no refused change', async () => {
    const before = (await versions('first: 1')).totalCount.value
    await expect(setGame({ ...game(9), expectedVersion: 1 })).rejects.toThrow('ConflictError')
    expect((await versions('first: 1')).totalCount.value).toBe(before)
  })

  test('are visible to the owner only, not to a public key or another partner', async () => {
    const { body } = await world.graphql(
      '{ game(gameType: NEON_WHEEL) { version versions(first: 1) { nodes { id } } } }',
      {},
      { public: world.keys.public },
    )
    expect(body.data.game).toEqual({ version: expect.any(Number), versions: null })
    const { id } = await world.runtime.db.gameMechanicVersion.findFirstOrThrow({
      where: world.tenant,
    })
    const other = await world.createPartner()
    const query = 'query ($id: ID!) { node(id: $id) { id } }'
    const variables = { id: Buffer.from(`GameVersion:${id}`).toString('base64url') }
    expect((await world.graphql(query, variables)).body.data.node).not.toBeNull()
    expect((await world.graphql(query, variables, other.test)).body.data.node).toBeNull()
  })

  test.each([
    'UPDATE game_mechanic_version SET points_to_unlock = 0',
    'DELETE FROM game_mechanic_version',
    'TRUNCATE game_mechanic_version CASCADE',
  ])('never change: %s', async (text) => {
    await expect(world.server.database.pool.query({ text })).rejects.toMatchObject({
      code: '23001',
    })
  })

  test('are written for every change of the game, even by plain SQL', async () => {
    const { pool } = world.server.database
    await pool.query({
      text: `UPDATE game_mechanic SET points_to_unlock = 7 WHERE game_type = 'NEON_WHEEL'`,
    })
    const [newest] = (await versions('first: 1')).nodes
    expect(newest).toMatchObject({ price: 7, actor: null, actorId: null })
  })
})

test('the expected payout of a version is that of its rewards, in thousandths', async () => {
  const rewards = [
    { ...points(5), weight: 1 },
    { ...points(100), type: 'xp' as const, weight: 1 },
    { ...points(0), weight: 1 },
  ]
  const { id } = await setWheel(world, { rewards })
  const stored = await world.runtime.db.gameMechanicVersion.findFirstOrThrow({
    where: { mechanicId: id },
    orderBy: { version: 'desc' },
  })
  expect(stored.expectedPayout).toBe(1667n)
})

describe('the worth of rewards', () => {
  const rewards = [
    { tier: 'COMMON', type: 'POINTS', value: 10, label: 'Ten', weight: 4, worthPoints: 99 },
    { tier: 'COMMON', type: 'XP', value: 0, label: 'Nothing', weight: 3 },
    { tier: 'RARE', type: 'CASHBACK', value: 20, label: 'Cashback', weight: 2, worthPoints: 200 },
    { tier: 'EPIC', type: 'ITEM', value: 1, label: 'Mug', weight: 1 },
  ]
  const config = 'config { expectedPayout expectedWorth rewards { worthPoints } }'

  test('is that of the points, and for others what the partner has set, and is kept with the version', async () => {
    const first = await setGame({ ...game(5), rewards })
    await setGame({
      ...game(5),
      rewards: rewards.map((reward) => ({ ...reward, worthPoints: 40 })),
    })
    const { body } = await world.graphql(
      `{ game(gameType: NEON_WHEEL) { ${config}
        versions(first: 2) { nodes { version ${config} } } } }`,
    )
    const [newest, before] = body.data.game.versions.nodes
    expect(before).toEqual({
      version: first,
      config: {
        expectedPayout: 4,
        expectedWorth: 44,
        rewards: [10, 0, 200, null].map((worthPoints) => ({ worthPoints })),
      },
    })
    expect(newest.config).toEqual({
      expectedPayout: 4,
      expectedWorth: 16,
      rewards: [10, 0, 40, 40].map((worthPoints) => ({ worthPoints })),
    })
  })

  test('is not shown to users, in no answer and no proof', async () => {
    const { body } = await world.graphql(
      `{ game(gameType: NEON_WHEEL) { ${config} } }`,
      {},
      { public: world.keys.public },
    )
    expect(body.data?.game).toBeFalsy()
    expect(body.errors).not.toEqual([])
    const shown = await world.get('/v1/games/NEON_WHEEL/config', world.keys.public)
    expect(shown.text).not.toContain('worth')
    await world.givePoints('worth', 1)
    const played = await world.post('/v1/games/play', world.keys.public, {
      userId: 'worth',
      gameType: 'NEON_WHEEL',
    })
    expect(played.text).not.toContain('worthPoints')
    await world.post('/v1/users/worth/play-seeds/rotate', world.keys.public, {})
    const proof = await world.get(`/v1/plays/${played.body.data.playId}/proof`, world.keys.public)
    expect(proof.text).toContain('Cashback')
    expect(proof.text).not.toContain('worthPoints')
    expect(verifyPlay(proof.body.data ?? proof.body).every(({ ok }) => ok)).toBe(true)
  })
})

describe('a play', () => {
  const play = async (by = world.keys.public) => {
    const { body, text } = await world.graphql(
      `mutation { playGame(input: { user: { externalId: "eva" }, gameType: NEON_WHEEL }) {
        ... on PlayGamePayload { play { pointsSpent gameVersion {
          version price config { segments } actor { __typename } actorId } } } } }`,
      {},
      { public: by },
    )
    // A public key may not see who has changed the game.
    const hidden = body.errors.map(({ path }: { path: string[] }) => path.at(-1))
    expect(hidden, text).toEqual(['actor', 'actorId'])
    return body.data.playGame.play
  }

  test('shows the version that it was drawn from, even after the game has changed', async () => {
    await world.givePoints('eva', 2)
    const first = await setGame(game(10))
    const drawn = await play()
    expect(drawn).toEqual({
      pointsSpent: 10,
      gameVersion: {
        version: first,
        price: 10,
        config: { segments: 12 },
        actor: null,
        actorId: null,
      },
    })
    const second = await setGame(game(20))
    expect(await play()).toMatchObject({ pointsSpent: 20, gameVersion: { version: second } })
    const { body } = await world.graphql(
      `{ user(by: { externalId: "eva" }) { plays(first: 5) {
        nodes { pointsSpent gameVersionNumber gameVersion { version actorId } } } } }`,
    )
    expect(body.data.user.plays.nodes).toEqual([
      {
        pointsSpent: 20,
        gameVersionNumber: second,
        gameVersion: { version: second, actorId: expect.any(String) },
      },
      {
        pointsSpent: 10,
        gameVersionNumber: first,
        gameVersion: { version: first, actorId: expect.any(String) },
      },
    ])
  })
})
