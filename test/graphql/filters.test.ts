import { getNullableType, isEnumType, isInputObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('anna', 4)
  await world.givePoints('anna', 2, 'daily_login')
  const play = { userId: 'anna', gameType: 'ENIGMA_BOXES' }
  for (let i = 0; i < 3; i++) await world.post('/v1/games/play', world.keys.public, play)
  await world.runtime.db.$executeRaw`UPDATE play SET played_at = '2020-01-01' WHERE play_no = 2`
})
afterAll(() => world.end())

type Node = Record<string, unknown>
type List = { totalCount: { value: number; precision: string }; nodes: Node[] }

const counted = 'totalCount { value precision }'

const ofAnna = async (list: string): Promise<List> => {
  const { body, text } = await world.graphql(
    `{ user(by: { externalId: "anna" }) { list: ${list} } }`,
  )
  if (body.errors) throw new Error(text)
  return body.data.user.list
}

test('a history filtered by event type is that part of the history, in both orders', async () => {
  const fields = `{ ${counted} nodes { id eventType } }`
  const all = (await ofAnna(`ledgerEntries(first: 100) ${fields}`)).nodes
  const isSignup = ({ eventType }: Node) => eventType === 'signup'
  const some = await ofAnna(`ledgerEntries(filter: { eventTypes: ["signup"] }) ${fields}`)
  expect(some).toEqual({
    totalCount: { value: 4, precision: 'EXACT' },
    nodes: all.filter(isSignup),
  })
  const oldest = 'orderBy: { field: CREATED_AT, direction: ASC }'
  const turned = await ofAnna(
    `ledgerEntries(${oldest}, filter: { eventTypes: ["signup"] }) ${fields}`,
  )
  expect(turned.nodes).toEqual(some.nodes.toReversed())
})

test('plays can be filtered by game and time', async () => {
  const count = async (filter: string) =>
    (await ofAnna(`plays(filter: { ${filter} }) { ${counted} nodes { id } }`)).totalCount.value
  expect(await count('gameTypes: [ENIGMA_BOXES]')).toBe(3)
  expect(await count('gameTypes: [NEON_WHEEL]')).toBe(0)
  expect(await count('playedAt: { to: "2020-01-02T00:00:00Z" }')).toBe(1)
  expect(await count('playedAt: { from: "2020-01-01T00:00:00Z" }')).toBe(3)
  expect(await count('playedAt: { from: "2020-01-01T00:00:00.001Z" }')).toBe(2)
  expect(await count('playedAt: {}')).toBe(3)
})

test('events can be filtered by time, and a period beside an event and names', async () => {
  const events = async (filter: string) => {
    const { body, text } = await world.graphql(
      `{ events(first: 100, filter: { ${filter} }) { ${counted} nodes { id name occurredAt } } }`,
    )
    if (body.errors) throw new Error(text)
    return body.data.events as List
  }
  const all = (await events('')).nodes
  await world.runtime.db.$executeRaw`UPDATE event SET occurred_at = '2020-01-01'
    WHERE position = (SELECT min(position) FROM event)`
  const [first, ...rest] = all
  const [old] = (await events('occurredAt: { to: "2020-01-02T00:00:00Z" }')).nodes
  expect(old?.id).toBe(first?.id)
  const recent = 'occurredAt: { from: "2020-01-01T00:00:00.001Z" }'
  const { nodes, totalCount } = await events(recent)
  expect(nodes).toEqual(rest)
  expect(totalCount).toEqual({ value: rest.length, precision: 'EXACT' })
  expect((await events(`${recent}, names: ["game.played"]`)).nodes).toEqual(
    rest.filter(({ name }) => name === 'game.played'),
  )
  expect((await events(`${recent}, afterEventId: "${rest[0]?.id}"`)).nodes).toEqual(rest.slice(1))
})

test('a timeline filtered by kind has no other events', async () => {
  const fields = `{ ${counted} nodes { category } }`
  const { nodes, totalCount } = await ofAnna(
    `activities(filter: { categories: [GAME_PLAY] }) ${fields}`,
  )
  expect(nodes.map(({ category }) => category)).toEqual(Array(3).fill('GAME_PLAY'))
  expect(totalCount.value).toBe(3)
})

test('a filter takes several values, a list of none matches nothing, and null is no filter', async () => {
  const games = async (values: string) => {
    const list = `plays(filter: { gameTypes: ${values} }) { ${counted} nodes { gameType } }`
    const { nodes, totalCount } = await ofAnna(list)
    expect(totalCount).toEqual({ value: nodes.length, precision: 'EXACT' })
    return nodes.length
  }
  expect(await games('[NEON_WHEEL, ENIGMA_BOXES, ENIGMA_BOXES]')).toBe(3)
  expect(await games('[NEON_WHEEL, COSMIC_SLOTS]')).toBe(0)
  expect(await games('[]')).toBe(0)
  expect(await games('null')).toBe(3)
  // GraphQL makes a list of a single value.
  expect(await games('ENIGMA_BOXES')).toBe(3)
})

test('the order of the values of a filter and repeated ones make no other list', async () => {
  const page = (values: string, more = '') =>
    world.graphql(`{ user(by: { externalId: "anna" }) {
      plays(first: 1, filter: { gameTypes: ${values} } ${more}) { nodes { id } pageInfo { endCursor } } } }`)
  const first = (await page('[NEON_WHEEL, ENIGMA_BOXES]')).body.data.user.plays
  const after = `, after: "${first.pageInfo.endCursor}"`
  const { body } = await page('[ENIGMA_BOXES, NEON_WHEEL, ENIGMA_BOXES]', after)
  expect(body.errors).toBeUndefined()
  expect(body.data.user.plays.nodes).toHaveLength(1)
  expect(body.data.user.plays.nodes).not.toEqual(first.nodes)
  const other = await page('[ENIGMA_BOXES]', after)
  expect(other.body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
})

test('every filter by an enum takes a list', () => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  // Statistics compare one dimension.
  const asks = ['StatisticsFilter']
  const filters = inputs.filter(({ name }) => name.endsWith('Filter') && !asks.includes(name))
  const found = filters.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      isEnumType(getNullableType(field.type)) ? [`${type.name}.${field.name}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('rows with and without a date can be filtered', async () => {
  const { apiKey } = world.runtime.db
  const where = { partnerId: world.partner.partnerId, environment: 'TEST', kind: 'PUBLIC' } as const
  const { id } = await apiKey.findFirstOrThrow({ where })
  const copy = await apiKey.findUniqueOrThrow({ where: { id } })
  const revoked = { id: world.partner.partnerId, hash: Buffer.from('x'), revokedAt: new Date() }
  await apiKey.create({ data: { ...copy, ...revoked } })
  const keysOf = async (filter: string) => {
    const document = `{ apiKeys(filter: { ${filter} }) { nodes { revokedAt } } }`
    const { body } = await world.graphql(document)
    return body.data.apiKeys.nodes.map(({ revokedAt }: Node) => revokedAt !== null)
  }
  expect(await keysOf('isRevoked: true')).toEqual([true])
  expect(await keysOf('isRevoked: false')).toEqual([false, false])
  expect(await keysOf('isRevoked: null')).toHaveLength(3)
  await apiKey.update({ where: { id }, data: { expiresAt: new Date('2030-01-02') } })
  const inDays = (from: string, to: string) => keysOf(`expiresAt: { from: "${from}", to: "${to}" }`)
  expect(await inDays('2030-01-01T00:00:00Z', '2030-01-03T00:00:00Z')).toEqual([false])
  expect(await inDays('2030-01-03T00:00:00Z', '2030-01-04T00:00:00Z')).toEqual([])
})

test('only a backend can find an inactive game', async () => {
  const { partnerId } = world.partner
  const where = { partnerId, environment: 'TEST', gameType: 'NEON_WHEEL' } as const
  await world.runtime.db.gameMechanic.updateMany({ where, data: { status: 'INACTIVE' } })
  const document = '{ games(filter: { isActive: false }) { gameType } }'
  const { body } = await world.graphql(document)
  expect(body.data.games).toEqual([{ gameType: 'NEON_WHEEL' }])
  const active = await world.graphql('{ games { gameType } }')
  expect(active.body.data.games).not.toContainEqual({ gameType: 'NEON_WHEEL' })
  const { body: refused } = await world.graphql(document, {}, { public: world.keys.public })
  expect(refused.errors[0].extensions.code).toBe('MISSING_API_SECRET')
})

test('the error of a filter has its path, and in REST the name of the parameter', async () => {
  const document = '{ webhookDeliveries(filter: { webhookEndpointId: "x" }) { nodes { id } } }'
  const { body } = await world.graphql(document)
  const message = 'filter.webhookEndpointId is not the id of a WebhookEndpoint'
  const fault = { code: 'RULE_BROKEN', message }
  expect(body.errors[0].extensions.errors).toEqual([
    { path: ['filter', 'webhookEndpointId'], ...fault },
  ])
  const rest = await world.get('/v1/webhooks/deliveries?endpointId=x', world.keys.secret)
  expect([rest.status, rest.body.errors]).toEqual([
    400,
    [{ field: 'endpointId', code: 'invalid', message: 'endpointId must be a UUID' }],
  ])
})
