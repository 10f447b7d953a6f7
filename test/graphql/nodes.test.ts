import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
  await world.post('/v1/games/play', world.keys.public, { userId: 'ann', gameType: 'NEON_WHEEL' })
})
afterAll(() => world.end())

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url')
const nobody = '00000000-0000-7000-8000-000000000000'

const nodeOf = (id: string, by = world.keys) =>
  world.graphql('query ($id: ID!) { node(id: $id) { __typename id } }', { id }, by)

/** An id of each type that can be read by its id, from the lists that show them. */
const idsByType = async () => {
  const { body } = await world.graphql(`{
    user(by: { externalId: "ann" }) { id plays { nodes { id } } ledgerEntries { nodes { id } } }
    games { id }
    rewardRules { nodes { id } }
    apiKeys { nodes { id } }
  }`)
  const { user, games, rewardRules, apiKeys } = body.data
  return {
    User: user.id,
    Play: user.plays.nodes[0].id,
    LedgerEntry: user.ledgerEntries.nodes[0].id,
    Game: games[0].id,
    RewardRule: rewardRules.nodes[0].id,
    ApiKey: apiKeys.nodes[0].id,
  } as Record<string, string>
}

const types = ['User', 'Play', 'LedgerEntry', 'Game', 'RewardRule', 'ApiKey']

describe.each(types)('a %s', (type) => {
  test('is found by its id', async () => {
    const id = (await idsByType())[type] as string
    expect((await nodeOf(id)).body.data).toEqual({ node: { __typename: type, id } })
  })

  test('that is unknown, of LIVE or of another partner is null without an error', async () => {
    const id = (await idsByType())[type] as string
    const other = await world.createPartner()
    const answers = [
      await nodeOf(globalId(type, nobody)),
      await nodeOf(id, world.partner.live),
      await nodeOf(id, other.test),
    ]
    for (const { body, status } of answers) {
      expect(body.data).toEqual({ node: null })
      expect(status).toBe(200)
    }
  })
})

test.each([
  ['no base64', '%%%'],
  ['nothing', ''],
  ['no type', globalId('', nobody)],
  ['no UUID', globalId('User', '1')],
  ['an unknown type', globalId('Nothing', nobody)],
  ['the root type', globalId('Query', nobody)],
  ['a type without ids', globalId('LeaderboardEntry', nobody)],
  ['a payload', globalId('AwardPointsPayload', nobody)],
  ['an interface', globalId('Node', nobody)],
  ['a scalar', globalId('String', nobody)],
  ['a property of every object', globalId('constructor', nobody)],
  ['SQL', globalId('User', `${nobody}' OR '1'='1`)],
])('an id that is %s is INVALID_NODE_ID', async (_, id) => {
  const { body, status } = await nodeOf(id)
  expect(body.errors[0].extensions.code).toBe('INVALID_NODE_ID')
  expect(status).toBe(400)
})

test('a public key gets no node that requires a secret key', async () => {
  const { RewardRule = '' } = await idsByType()
  for (const id of [RewardRule, globalId('RewardRule', nobody)]) {
    const { body } = await nodeOf(id, { public: world.keys.public } as never)
    expect(body.data).toBeUndefined()
    expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
  }
})
