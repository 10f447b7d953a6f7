/** Rules for every list of the schema, found in the schema itself. */
import { type GraphQLEnumType, type GraphQLInputObjectType, getNamedType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'
import { connections, type LongList, makeLists } from './long-lists.ts'

const connectionFields = connections.map(([place]) => place).sort()

const size = 300

let world: World
let lists: Record<string, LongList>

beforeAll(async () => {
  world = await createWorld()
  lists = await makeLists(world)
}, 120_000)
afterAll(() => world.end())

test('every list is tested', () => {
  expect(Object.keys(lists).sort(), 'the lists of test/graphql/long-lists.ts').toEqual(
    connectionFields,
  )
})

const nameOf = (place: string) => place.slice(place.indexOf('.') + 1)

const fieldOf = (place: string) => {
  const [type = '', name = ''] = place.split('.')
  const { [name]: field } = (schema.getType(type) as GraphQLInputObjectType).getFields()
  return field as unknown as { args: { name: string; type: GraphQLInputObjectType }[] }
}

/** The orders of a list as arguments; none if it takes no `orderBy`. */
const ordersOf = (place: string): string[] => {
  const arg = fieldOf(place).args.find(({ name }) => name === 'orderBy')
  if (!arg) return []
  const { field } = arg.type.getFields()
  const words = (getNamedType(field?.type as never) as unknown as GraphQLEnumType).getValues()
  return words.flatMap(({ name }) =>
    ['ASC', 'DESC'].map((direction) => `orderBy: { field: ${name}, direction: ${direction} }`),
  )
}

type Part = {
  edges: { cursor: string; node: unknown }[]
  pageInfo: Record<string, string | boolean | null>
}

const ask = async (place: string, args: string, variables: object = {}) => {
  const { key, by, wrap } = lists[place] as LongList
  const text = `list: ${nameOf(place)}(${args}) { edges { cursor node { ${key} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
  const document = `query ${args.includes('$cursor') ? '($cursor: String)' : ''} ${wrap(text)}`
  const body = { query: document, variables: { cursor: null, ...variables } }
  const answer = await world.call('POST', '/graphql', { headers: by, body })
  let { data } = answer.body
  while (data && !('list' in data)) data = Object.values(data)[0]
  return { part: data?.list as Part, answer }
}

/** The keys of all items in their order, from the beginning or from the end. */
const walk = async (
  place: string,
  { backward = false, order = '', between = async () => {} } = {},
): Promise<string[]> => {
  const way = backward ? 'last: 100, before: $cursor' : 'first: 100, after: $cursor'
  let keys: string[] = []
  for (let cursor: unknown = null; ; ) {
    const { part, answer } = await ask(place, `${way} ${order}`, { cursor })
    if (!part) throw new Error(answer.text)
    const found = part.edges.map(({ node }) => JSON.stringify(node))
    keys = backward ? [...found, ...keys] : [...keys, ...found]
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = part.pageInfo
    expect(backward ? hasNextPage : hasPreviousPage).toBe(cursor !== null)
    if (!(backward ? hasPreviousPage : hasNextPage)) return keys
    cursor = backward ? startCursor : endCursor
    await between()
  }
}

describe.each(connectionFields)('%s', (place) => {
  test('is the same forward and backward, and loses and repeats nothing while rows are added', async () => {
    const { rows } = lists[place] as LongList
    if (rows.made < size) await rows.add(size - rows.made)
    const keys = await walk(place)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThanOrEqual(size)
    expect(await walk(place, { backward: true })).toEqual(keys)
    const known = new Set(keys)
    for (const backward of [false, true]) {
      const seen = await walk(place, { backward, between: () => rows.add(3) })
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((key) => known.has(key))).toEqual(keys)
    }
  })

  test('is complete in each order, and the two directions are the reverse of each other', async () => {
    const orders = ordersOf(place)
    for (let i = 0; i < orders.length; i += 2) {
      const up = await walk(place, { order: orders[i] as string })
      expect(await walk(place, { order: orders[i + 1] as string })).toEqual(up.toReversed())
      expect(up.length).toBeGreaterThanOrEqual(size)
    }
  })

  test('refuses arguments that do not describe a part of the list', async () => {
    const refused = async (args: string, cursor: unknown = null) => {
      const { answer } = await ask(place, args, { cursor })
      expect(answer.body.errors?.[0].extensions.code, answer.text).toBe('INVALID_PARAMETERS')
      expect(answer.status).toBeLessThan(500)
      return answer.body.errors[0].extensions.errors[0].message as string
    }
    for (const n of [0, -1, 101, 10_000]) {
      expect(await refused(`first: ${n}`)).toBe('first must be 1 to 100')
      expect(await refused(`last: ${n}`)).toBe('last must be 1 to 100')
    }
    expect(await refused('first: 1, last: 1')).toMatch(/go forward/)
    expect(await refused('after: $cursor', 'broken')).toBe('after is not a cursor of this list')
    const { part } = await ask(place, 'first: 1')
    const { endCursor } = part.pageInfo
    const other = place === 'Query.apiKeys' ? 'Query.segments' : 'Query.apiKeys'
    const foreign = (await ask(other, 'first: 1')).part.pageInfo.endCursor
    expect(await refused('after: $cursor', foreign)).toBe('after is not a cursor of this list')
    const [up, down] = ordersOf(place)
    if (up && down) {
      const known = (await ask(place, `first: 1, ${up}`)).part.pageInfo.endCursor
      expect(await refused(`after: $cursor, ${down}`, known)).toMatch(/another order/)
    }
    const filter = filters[place]
    if (filter)
      expect(await refused(`after: $cursor, filter: { ${filter} }`, endCursor)).toMatch(
        /another (filter|order)/,
      )
  })
})

/** A filter of each list that has one. */
const filters: Record<string, string> = {
  'Platform.auditLog': 'isRefused: true',
  'Platform.lotteries': 'frequencies: [DAILY]',
  'Platform.members': 'roles: [OWNER]',
  'Platform.partners': 'isClosed: false',
  'ArenaGame.sessions': 'statuses: [WAITING]',
  'Lottery.draws': 'statuses: [SCHEDULED]',
  'Query.apiKeys': 'kinds: [SECRET]',
  'Query.applications': 'statuses: [ACTIVE]',
  'Query.auditLog': 'isRefused: true',
  'Platform.arenaAgents': 'providers: [BUILTIN]',
  'Platform.arenaGames': 'statuses: [APPROVED]',
  'Arena.agents': 'providers: [BUILTIN]',
  'Arena.matches': 'statuses: [COMPLETED]',
  'Arena.games': 'engines: [HTML5]',
  'Query.arenaAcceptances': 'isWithdrawn: false',
  'Query.arenaAgents': 'providers: [BUILTIN]',
  'Query.arenaGames': 'statuses: [APPROVED]',
  'Query.arenaMatches': 'statuses: [COMPLETED]',
  'Query.arenaSessions': 'statuses: [WAITING]',
  'Query.campaigns': 'phases: [ACTIVE]',
  'Campaign.participants': 'joinedAt: { from: "2020-01-01T00:00:00Z" }',
  'Campaign.referrals': 'createdAt: { from: "2020-01-01T00:00:00Z" }',
  'Campaign.instantWins': 'user: { externalId: "anna" }',
  'Campaign.codeBatches': 'isRevoked: false',
  'Query.codeBatches': 'isRevoked: false',
  'Query.events': 'names: ["points.*"]',
  'Query.invitations': 'isOpen: true',
  'Query.ledgerEntries': 'eventTypes: ["signup"]',
  'Query.lotteries': 'frequencies: [DAILY]',
  'Lottery.tickets': 'ticketRef: "LX"',
  'LotteryDraw.tickets': 'statuses: [WON]',
  'Query.members': 'roles: [OWNER]',
  'Campaign.events': 'user: { externalId: "anna" }',
  'CodeBatch.codes': 'isRedeemed: true',
  'CodeBatch.redemptions': 'redeemedAt: { from: "2020-01-01T00:00:00Z" }',
  'Query.offers': 'offerTypes: [DAILY_FREE_SPIN]',
  'Goal.completions': 'isRevoked: true',
  'Goal.streaks': 'lengthFrom: 1',
  'Query.goals': 'statuses: [ACTIVE]',
  'Query.grants': 'statuses: [ISSUED]',
  'Query.rewards': 'kinds: [POINTS]',
  'Query.segments': 'search: "a"',
  'User.goals': 'states: [COMPLETED]',
  'User.grants': 'statuses: [ISSUED]',
  'Query.plays': 'gameTypes: [ENIGMA_BOXES]',
  'Query.users': 'search: "c"',
  'Query.webhookDeliveries': 'statuses: [PENDING]',
  'Query.webhookEndpoints': 'statuses: [ACTIVE]',
  'User.ledgerEntries': 'eventTypes: ["signup"]',
  'User.offers': 'statuses: [CLAIMED]',
  'User.plays': 'gameTypes: [ENIGMA_BOXES]',
  'User.lotteryTickets': 'statuses: [LOST]',
  'User.activities': 'categories: [POINTS]',
  'WebhookEndpoint.deliveries': 'statuses: [PENDING]',
}

test('every filter of a list is tested', () => {
  const filtered = connectionFields.filter((place) =>
    fieldOf(place).args.some(({ name }) => name === 'filter'),
  )
  expect(Object.keys(filters).sort()).toEqual(filtered)
})
