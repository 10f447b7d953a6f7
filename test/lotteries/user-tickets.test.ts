import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { cancelTicket, enterLotteries } from '../../src/lotteries/ticket.ts'
import { createWorld, type Keys, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World
let lottery: Lottery
beforeAll(async () => {
  world = await createWorld()
  lottery = await makeLottery(world)
})
afterAll(() => world.end())

const enter = async (email: string, name?: string, into = lottery) => {
  const user = name === undefined ? world.tenant : world.userKey(name)
  const entry = { ...user, email, lotterySlug: into.slug, lotteryId: into.id }
  const [ticket] = await enterLotteries(world.runtime, [entry])
  if (!ticket || ticket instanceof Error) throw ticket
  return ticket.id
}

const track = async (externalId: string, email: string, by: Partial<Keys>) => {
  const document = 'mutation ($input: TrackUserInput!) { trackUser(input: $input) { __typename } }'
  const { body } = await world.graphql(document, { input: { user: { externalId }, email } }, by)
  expect(body.data.trackUser.__typename).toBe('TrackUserPayload')
}

const ticketsOf = async (
  externalId: string,
  args = 'first: 50',
  by: Partial<Keys> = { secret: world.keys.secret },
) => {
  const document = `query ($id: String!) { user(by: { externalId: $id }) { lotteryTickets(${args}) {
    totalCount { value } nodes { uuid } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
  const { body } = await world.graphql(document, { id: externalId }, by)
  return body
}

const idsOf = async (externalId: string, args?: string): Promise<string[]> => {
  const { data, errors } = await ticketsOf(externalId, args)
  expect(errors).toBeUndefined()
  return data.user.lotteryTickets.nodes.map(({ uuid }: { uuid: string }) => uuid)
}

test('a user has the tickets with their id, and those of an address that a secret key has set', async () => {
  const byId = await enter('someone@x.example', 'ann')
  const byAddress = await enter('Ann@x.example')
  // Somebody else, whose id is the address of Ann.
  await enter('other@x.example', 'ann@x.example')
  expect(await idsOf('ann')).toEqual([byId])
  await track('ann', 'ann@X.example', { secret: world.keys.secret })
  expect(await idsOf('ann')).toEqual([byAddress, byId])
  const { data } = await ticketsOf('ann')
  expect(data.user.lotteryTickets.totalCount.value).toBe(2)
})

test('an id that is an address holds the tickets of that address', async () => {
  const ids = [await enter('bo@x.example', 'bo@x.example'), await enter('bo@x.example')]
  expect(await idsOf('bo@x.example')).toEqual(ids.toReversed())
})

test('an id that is an address in capitals holds the tickets of that address, and is erased with them', async () => {
  const others = await enter('else@x.example', 'dee@x.example')
  const ids = [
    await enter('d@x.example', 'Dee@X.example'),
    await enter('DEE@x.example'),
    await enter('dee@home.example'),
  ]
  await track('Dee@X.example', 'dee@home.example', { secret: world.keys.secret })
  expect(await idsOf('Dee@X.example')).toEqual(ids.toReversed())
  const { body } = await world.graphql(`mutation {
    eraseUser(input: { user: { externalId: "Dee@X.example" } }) { ... on EraseUserPayload { user { externalId } } } }`)
  const { externalId } = body.data.eraseUser.user
  const tickets = await world.runtime.db.lotteryTicket.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'asc' },
  })
  const email = `${externalId}@erased.invalid`
  expect(tickets.map(({ email, externalUserId }) => [email, externalUserId])).toEqual([
    [email, externalId],
    [email, externalId],
    [email, null],
  ])
  expect(await idsOf('dee@x.example')).toEqual([others])
  expect(await audit(world.server.database.pool)).toBe(0)
})

test('an address that a public key has set opens nothing', async () => {
  await enter('victim@x.example')
  await track('mallory', 'victim@x.example', { public: world.keys.public })
  expect(await idsOf('mallory')).toEqual([])
})

test('pages go both ways through the tickets of both names', async () => {
  await track('cy', 'cy@x.example', { secret: world.keys.secret })
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.unshift(await enter('cy@x.example', n % 3 ? 'cy' : undefined))
  const walk = async (way: (cursor: string) => string, next: 'endCursor' | 'startCursor') => {
    const found: string[][] = []
    for (let cursor = 'null'; found.length < 10; ) {
      const { data } = await ticketsOf('cy', way(cursor))
      const { nodes, pageInfo } = data.user.lotteryTickets
      found.push(nodes.map(({ uuid }: { uuid: string }) => uuid))
      if (!(next === 'endCursor' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break
      cursor = `"${pageInfo[next]}"`
    }
    return found
  }
  const forward = await walk((cursor) => `first: 3, after: ${cursor}`, 'endCursor')
  expect(forward).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
  const backward = await walk((cursor) => `last: 3, before: ${cursor}`, 'startCursor')
  expect(backward).toEqual([ids.slice(4), ids.slice(1, 4), ids.slice(0, 1)])
  const upward = 'orderBy: { field: CREATED_AT, direction: ASC }'
  expect(await idsOf('cy', upward)).toEqual(ids.toReversed())
})

test('tickets of a user are found by status, in all lotteries and under both names', async () => {
  await track('eve', 'eve@x.example', { secret: world.keys.secret })
  const drawn = await makeLottery(world)
  const inDrawn = (name?: string) => enter('eve@x.example', name, drawn)
  const ended = [await inDrawn('eve'), await inDrawn(), await inDrawn('eve'), await inDrawn()]
  const cancelled = await inDrawn('eve')
  await cancelTicket(world.runtime, { ...world.tenant, ticketId: cancelled })
  await runDraw(world.runtime, (await openDrawOf(world, drawn)).id, { early: true })
  const open = [await enter('eve@x.example', 'eve'), await enter('eve@x.example')]
  const { body } = await world.graphql(
    `{ user(by: { externalId: "eve" }) { lotteryTickets(first: 50) { nodes { uuid status } } } }`,
  )
  const all = body.data.user.lotteryTickets.nodes as { uuid: string; status: string }[]
  expect(all).toHaveLength(7)
  for (const statuses of [
    ['ACTIVE'],
    ['CANCELLED'],
    ['WON'],
    ['LOST'],
    ['WON', 'LOST'],
    ['ACTIVE', 'CANCELLED', 'DRAWN'],
    [],
  ]) {
    const wanted = all.filter(({ status }) => statuses.includes(status)).map(({ uuid }) => uuid)
    const filter = `filter: { statuses: [${statuses.join(', ')}] }`
    expect([statuses, await idsOf('eve', `first: 50, ${filter}`)]).toEqual([statuses, wanted])
    const { data } = await ticketsOf('eve', `first: 1, ${filter}`)
    expect(data.user.lotteryTickets.totalCount.value).toBe(wanted.length)
  }
  const statusOf = (id: string) => all.find(({ uuid }) => uuid === id)?.status
  expect(open.map(statusOf)).toEqual(['ACTIVE', 'ACTIVE'])
  expect(ended.every((id) => ['WON', 'LOST'].includes(statusOf(id) ?? ''))).toBe(true)
  expect(statusOf(cancelled)).toBe('CANCELLED')
  // Two filters in one document are two lists.
  const both = await world.graphql(`{ user(by: { externalId: "eve" }) {
    open: lotteryTickets(filter: { statuses: [ACTIVE] }) { nodes { uuid } }
    none: lotteryTickets(filter: { statuses: [CANCELLED] }) { nodes { uuid } }
    all: lotteryTickets { nodes { uuid } } } }`)
  const { open: first, none: second, all: third } = both.body.data.user
  expect([first, second, third].map(({ nodes }) => nodes.length)).toEqual([2, 1, 7])
})

test('a public key sees no tickets', async () => {
  const { errors } = await ticketsOf('ann', 'first: 1', { public: world.keys.public })
  expect(errors[0].extensions.code).toBe('MISSING_API_SECRET')
})
