/** The list of users: each filter in each order has the right users, once each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListPage, pageFields, walkPages } from '../list-pages.ts'
import { createWorld, type World } from '../world.ts'
import {
  lastSeenAt,
  orderNames,
  type PlantedUser,
  plantUsers,
  readPlanted,
  sortedBy,
} from './planted-users.ts'

let world: World
let users: PlantedUser[]

const createSegment = async (input: object) => {
  const { body } = await world.graphql(
    `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { __typename } }`,
    { input },
  )
  expect(body.data.createSegment.__typename).toBe('CreateSegmentPayload')
}

beforeAll(async () => {
  world = await createWorld()
  await plantUsers(world, world.tenant, 90)
  await plantUsers(world, { ...world.tenant, environment: 'LIVE' }, 20)
  users = await readPlanted(world, world.tenant)
  await createSegment({ name: 'Germans', country: 'DE' })
  await createSegment({ name: 'New on the phone', stage: 'NEW', device: 'MOBILE' })
})
afterAll(() => world.end())

type Page = ListPage<{ externalId: string }>

const document = (window: string, order: string) => `
  query ($filter: UserFilter${window.includes('$at') ? ', $at: String' : ''}) { users(filter: $filter, ${window}, ${order}) {
    nodes { externalId } ${pageFields} } }`

type By = Parameters<World['graphql']>[2]

const ask = async (window: string, order: string, variables: object, by?: By): Promise<Page> => {
  const { body } = await world.graphql(
    document(window, order),
    variables as Record<string, unknown>,
    by,
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.users
}

const orderOf = (name: string, direction: string) =>
  `orderBy: { field: ${name}, direction: ${direction} }`

const walk = async (filter: object, order: string, count: number) => {
  const walked = await walkPages({
    readPage: (window, at) => ask(window, order, { filter, at }),
    pageSize: 40,
    count,
  })
  return walked.map(({ externalId }) => externalId)
}

type Case = [name: string, filter: object, isIn: (user: PlantedUser) => boolean]

const noon = new Date('2026-01-02T12:00:00Z')
const later = new Date('2026-01-31T05:00:30Z')
const planOf = ({ profile }: PlantedUser) => (profile?.tags as { plan?: string } | null)?.plan
const isNewOnPhone = ({ profile }: PlantedUser) =>
  profile?.stage === 'new' && profile.device === 'mobile'

const cases: Case[] = [
  ['nothing', {}, () => true],
  ['nothing that is given', { stages: null, createdAt: {}, balance: {} }, () => true],
  ['a stage', { stages: ['AT_RISK'] }, ({ profile }) => profile?.stage === 'at_risk'],
  [
    'stages, one of them twice',
    { stages: ['NEW', 'CHURNED', 'NEW'] },
    ({ profile }) => ['new', 'churned'].includes(String(profile?.stage)),
  ],
  ['no stage', { stages: [] }, () => false],
  [
    'tiers',
    { engagementTiers: ['CASUAL', 'WHALE'] },
    ({ profile }) => profile?.tier === 'casual' || profile?.tier === 'whale',
  ],
  ['a country', { countries: ['fr'] }, ({ profile }) => profile?.country === 'FR'],
  ['a device', { devices: ['MOBILE'] }, ({ profile }) => profile?.device === 'mobile'],
  ['a source', { sources: ['ad'] }, ({ profile }) => profile?.source === 'ad'],
  ['a tag', { tag: 'plan' }, (user) => planOf(user) !== undefined],
  ['the value of a tag', { tag: 'plan', tagValue: 'p1' }, (user) => planOf(user) === 'p1'],
  ['a segment', { segment: { name: 'Germans' } }, ({ profile }) => profile?.country === 'DE'],
  [
    'a segment with a stage, and stages',
    { segment: { name: 'New on the phone' }, stages: ['NEW', 'ACTIVE'] },
    isNewOnPhone,
  ],
  [
    'a segment and another stage',
    { segment: { name: 'New on the phone' }, stages: ['ACTIVE'] },
    () => false,
  ],
  ['no known segment', { segment: { name: 'Nobody' } }, () => false],
  ['a time of creation', { createdAt: { from: noon } }, ({ createdAt }) => createdAt >= noon],
  ['a time last seen', { lastSeenAt: { to: later } }, (user) => lastSeenAt(user) < later],
  [
    'a period last seen and a stage',
    { lastSeenAt: { from: noon, to: later }, stages: ['ACTIVE', 'AT_RISK'] },
    (user) =>
      ['active', 'at_risk'].includes(String(user.profile?.stage)) &&
      lastSeenAt(user) >= noon &&
      lastSeenAt(user) < later,
  ],
  [
    'a range of the balance',
    { balance: { min: 3, max: 7 } },
    ({ balance }) => balance >= 3 && balance <= 7,
  ],
  ['a search', { search: 'U0001' }, ({ externalId }) => externalId.startsWith('u0001')],
  [
    'a search, a stage and a wallet',
    { search: 'u000', stages: ['NEW', 'ACTIVE', 'ENGAGED'], balance: { min: 3 } },
    ({ externalId, balance, profile }) =>
      externalId.startsWith('u000') &&
      balance >= 3 &&
      ['new', 'active', 'engaged'].includes(String(profile?.stage)),
  ],
  ['a balance beyond all', { balance: { min: Number.MAX_SAFE_INTEGER } }, () => false],
  [
    'what they ever earned, a country and a tier',
    { lifetimePoints: { min: 500 }, countries: ['DE'], engagementTiers: ['REGULAR'] },
    ({ lifetimePoints, profile }) =>
      lifetimePoints >= 500 && profile?.country === 'DE' && profile.tier === 'regular',
  ],
]

describe.each(cases)('filtered by %s', (_, filter, isIn) => {
  test.each(orderNames)('in the order %s, both ways, from both ends', async (name) => {
    const wanted = sortedBy(name, users.filter(isIn))
    const [up, down] = [orderOf(name, 'ASC'), orderOf(name, 'DESC')]
    expect(await walk(filter, up, wanted.length)).toEqual(wanted)
    expect(await walk(filter, down, wanted.length)).toEqual(wanted.toReversed())
  })
})

test('the value of a tag needs the tag', async () => {
  const answer = ask('first: 1', orderOf('BALANCE', 'ASC'), { filter: { tagValue: 'p1' } })
  await expect(answer).rejects.toThrow('filter.tagValue needs filter.tag')
})

test('the default order is by external id', async () => {
  const { body } = await world.graphql('{ users(first: 100) { nodes { externalId } } }')
  const ids = body.data.users.nodes.map(({ externalId }: { externalId: string }) => externalId)
  expect(ids).toEqual(sortedBy('EXTERNAL_ID', users))
})

test('each segment of a list has its own users, in any order', async () => {
  const order = orderOf('LAST_SEEN_AT', 'DESC')
  const { body } = await world.graphql(
    `{ segments { nodes { name users(first: 100, ${order}) { nodes { externalId } } } } }`,
  )
  const wanted = (isIn: Case[2]) =>
    sortedBy('LAST_SEEN_AT', users.filter(isIn))
      .toReversed()
      .map((externalId) => ({ externalId }))
  expect(body.data.segments.nodes).toEqual([
    { name: 'Germans', users: { nodes: wanted(({ profile }) => profile?.country === 'DE') } },
    { name: 'New on the phone', users: { nodes: wanted(isNewOnPhone) } },
  ])
})

test('without an order, a search with a filter is sorted by what matched', async () => {
  const wanted = sortedBy(
    'EXTERNAL_ID',
    users.filter(({ profile }) => profile?.country === 'DE'),
  )
  const filter = { search: 'u0', countries: ['DE'] }
  const walked = await walkPages({
    readPage: async (window, at) => {
      const { body } = await world.graphql(document(window, '').replace(', )', ')'), { filter, at })
      if (body.errors) throw new Error(JSON.stringify(body.errors))
      return body.data.users as Page
    },
    pageSize: 40,
    count: wanted.length,
  })
  expect(walked.map(({ externalId }) => externalId)).toEqual(wanted)
})

describe('a filter that more users match than are sorted', () => {
  let many: PlantedUser[]
  let by: By
  beforeAll(async () => {
    const partner = await world.createPartner()
    by = partner.test
    const tenant = { partnerId: partner.partnerId, environment: 'TEST' } as const
    await plantUsers(world, tenant, 14_500)
    many = await readPlanted(world, tenant)
  }, 120_000)

  const filters: Case[] = [
    ['a country', { countries: ['DE'] }, ({ profile }) => profile?.country === 'DE'],
    [
      'a country and a wallet',
      { countries: ['DE'], balance: { max: 9 }, createdAt: { from: new Date(0) } },
      ({ profile, balance }) => profile?.country === 'DE' && balance <= 9,
    ],
  ]

  // Of the 14,500 users, more than 10,000 have the term, so that the filter must find them, or nothing can.
  const searches: Case[] = [
    ['a search', { search: 'u' }, () => true],
    [
      'a search and a rare filter',
      { search: 'u', tag: 'plan', tagValue: 'p1', countries: ['FR'] },
      (user) => planOf(user) === 'p1' && user.profile?.country === 'FR',
    ],
    [
      'a search and a frequent filter',
      { search: 'u', countries: ['DE'] },
      ({ profile }) => profile?.country === 'DE',
    ],
  ]

  test.each(searches)('by %s: the first and the last of each order', async (_, filter, isIn) => {
    const matching = many.filter(isIn)
    for (const name of [...orderNames, null]) {
      const wanted = sortedBy(name ?? 'EXTERNAL_ID', matching)
      const order = name ? orderOf(name, 'ASC') : ''
      const read = async (window: string, more: object = {}) => {
        const text = document(window, order).replace(', )', ')')
        const { body } = await world.graphql(text, { filter, ...more }, by)
        if (body.errors) throw new Error(JSON.stringify(body.errors))
        return body.data.users as Page
      }
      const start = await read('first: 50')
      const at = start.pageInfo['endCursor']
      const next = await read('first: 50, after: $at', { at })
      const end = await read('last: 50')
      const found = [start, next, end].map(({ nodes }) => nodes.map((node) => node.externalId))
      expect(found, String(name)).toEqual([
        wanted.slice(0, 50),
        wanted.slice(50, 100),
        wanted.slice(-50),
      ])
      const { value, precision } = start.totalCount as { value: number; precision: string }
      if (matching.length <= 10_000)
        expect({ value, precision }).toEqual({ value: matching.length, precision: 'EXACT' })
      else expect(precision).toBe('AT_LEAST')
    }
  })

  test.each(filters)('by %s: the first and the last of each order', async (_, filter, isIn) => {
    const matching = many.filter(isIn)
    // Otherwise this tests nothing.
    if (matching.length <= 10_000) throw new Error(`only ${matching.length} users match`)
    for (const name of orderNames) {
      const wanted = sortedBy(name, matching)
      const order = orderOf(name, 'ASC')
      const start = await ask('first: 100', order, { filter }, by)
      expect(start.totalCount).toEqual({ value: 10_000, precision: 'AT_LEAST' })
      const at = start.pageInfo['endCursor']
      const next = await ask('first: 100, after: $at', order, { filter, at }, by)
      const end = await ask('last: 100', order, { filter }, by)
      const found = [start, next, end].map(({ nodes }) => nodes.map((node) => node.externalId))
      const last = wanted.length
      const parts = [wanted.slice(0, 100), wanted.slice(100, 200), wanted.slice(last - 100)]
      expect(found, name).toEqual(parts)
    }
  })
})
