import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'

let world: World

const people = [
  ['alice', 'Alice Marie Smith', 'alice@x.example'],
  ['u-2', 'Bob Alister', 'BOB@x.example'],
  ['u-3', 'ALINA', null],
  ['u-4', 'Carl 50% _Off', 'carl@ali.example'],
  ['Ünal 5', 'Émile  Zola', null],
  ['u-6', null, null],
] as const

beforeAll(async () => {
  world = await createWorld()
  for (const [externalId, displayName, email] of people)
    await track({ externalId, displayName, email })
  const foreign = await world.createPartner()
  await world.givePoints('alice-foreign', 1, 'signup', foreign.test.secret)
  await world.givePoints('alice-live', 1, 'signup', world.partner.live.secret)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const track = async (body: object) => {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const answer = await world.post('/v1/user-journeys/users', world.keys.public, given)
  expect(answer.status, answer.text).toBe(200)
}

const search = async (text: string, more = '', others: object = {}) => {
  const { body } = await world.graphql(
    `query ($filter: UserFilter) { users(filter: $filter${more}) {
      totalCount { value precision } nodes { id externalId } } }`,
    { filter: { search: text, ...others } },
    { secret: world.keys.secret },
  )
  return body.errors?.[0].extensions.errors ?? body.data.users
}

const found = async (text: string) =>
  (await search(text)).nodes.map(({ externalId }: { externalId: string }) => externalId)

test('a user is found by the beginning of the id, the e-mail address, the name or a later word of the name', async () => {
  expect(await found('ali')).toEqual(['alice', 'u-3', 'u-2'])
  expect(await found('ALICE')).toEqual(['alice'])
  expect(await found('marie sm')).toEqual(['alice'])
  expect(await found(' smith ')).toEqual(['alice'])
  expect(await found('bob@X')).toEqual(['u-2'])
  expect(await found('lice')).toEqual([])
  expect(await found('u-')).toEqual(['u-2', 'u-3', 'u-4', 'u-6'])
})

test('wildcards of SQL are ordinary characters', async () => {
  expect(await found('50%')).toEqual(['u-4'])
  expect(await found('%')).toEqual([])
  expect(await found('_')).toEqual(['u-4'])
  for (const text of ["'", '\\', '"', '💥', 'x'.repeat(255)]) expect(await found(text)).toEqual([])
})

test('a user who is found by several words is listed and counted once', async () => {
  await track({ externalId: 'zed', displayName: 'Zed Zeder Zedest', email: 'zed@x.example' })
  const { nodes, totalCount } = await search('zed')
  expect(nodes).toHaveLength(1)
  expect(totalCount).toEqual({ value: 1, precision: 'EXACT' })
})

test('a user is found by current names only, and not at all after being deleted', async () => {
  await track({ externalId: 'renamed', displayName: 'Olga', email: 'old@x.example' })
  await track({ externalId: 'renamed', displayName: 'Nadja' })
  expect(await found('olga')).toEqual([])
  expect(await found('nadja')).toEqual(['renamed'])
  const erase = `mutation { eraseUser(input: { user: { externalId: "renamed" } }) { __typename } }`
  const { body } = await world.graphql(erase, {}, { secret: world.keys.secret })
  expect(body.data.eraseUser.__typename).not.toMatch(/Error$/)
  for (const text of ['nadja', 'old@', 'renamed']) expect(await found(text)).toEqual([])
})

test('an invalid search is refused', async () => {
  for (const text of ['', '   ', 'x'.repeat(256), 'nul \0'])
    expect((await search(text))[0].path).toEqual(['filter', 'search'])
})

test('a search keeps to other filters, and takes their order if it is asked for', async () => {
  const names = async (more: string, others: object) =>
    (await search('ali', more, others)).nodes.map(
      ({ externalId }: { externalId: string }) => externalId,
    )
  await world.givePoints('u-3', 70)
  await world.givePoints('alice', 30)
  expect(await names('', { balance: { min: 1 } })).toEqual(['alice', 'u-3'])
  expect(await names(', orderBy: { field: BALANCE, direction: DESC }', {})).toEqual([
    'u-3',
    'alice',
    'u-2',
  ])
  expect(await names(', orderBy: { field: EXTERNAL_ID, direction: DESC }', {})).toEqual([
    'u-3',
    'u-2',
    'alice',
  ])
  expect(await names('', { segment: { name: 'nothing' } })).toEqual([])
  const { totalCount } = await search('ali', '', { balance: { max: 0 } })
  expect(totalCount).toEqual({ value: 1, precision: 'EXACT' })
})

test('a public key cannot search', async () => {
  const document = '{ users { nodes { id } } }'
  const { body } = await world.graphql(document, {}, { public: world.keys.public })
  expect(body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
})
