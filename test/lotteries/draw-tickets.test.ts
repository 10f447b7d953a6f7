import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { cancelTicket, enterLotteries } from '../../src/lotteries/ticket.ts'
import { createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const document = `query ($id: ID!) {
  node(id: $id) { ... on LotteryDraw {
    status
    payout { amountCents }
    tickets(first: 60) { totalCount { value } nodes { ticketRef status winAmount { amountCents } draw { uuid } } }
    winners(first: 60) {
      totalCount { value }
      nodes { ticket { ticketRef } line { main } tier amount { amountCents } }
    }
  } }
}`

test('a draw shows the tickets of the partner, and the winning lines once it is complete', async () => {
  const lottery = await makeLottery(world)
  const { id } = await openDrawOf(world, lottery)
  const entries = Array.from({ length: 60 }, (_, n) => ({
    ...world.tenant,
    email: `holder${n}@example.com`,
    lotterySlug: lottery.slug,
  }))
  await enterLotteries(world.runtime, entries)
  const ask = async () => {
    const nodeId = encodeNodeId('LotteryDraw', id)
    const { body } = await world.graphql(document, { id: nodeId }, { secret: world.keys.secret })
    expect(body.errors).toBeUndefined()
    return body.data.node
  }

  const open = await ask()
  expect(open).toMatchObject({ status: 'OPEN', winners: { totalCount: { value: 0 }, nodes: [] } })
  expect(open.tickets.totalCount.value).toBe(60)

  await runDraw(world.runtime, id, { early: true })
  const { status, payout, tickets, winners } = await ask()
  expect(status).toBe('COMPLETED')
  const centsOf = (list: { amountCents: number }[]) =>
    list.reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(centsOf(winners.nodes.map(({ amount }: never) => amount))).toBe(payout.amountCents)
  const won = tickets.nodes.filter((ticket: { status: string }) => ticket.status === 'WON')
  expect(won.length).toBeGreaterThan(0)
  expect(centsOf(won.map(({ winAmount }: never) => winAmount))).toBe(payout.amountCents)
  const refOf = ({ ticket }: { ticket: { ticketRef: string } }) => ticket.ticketRef
  expect(new Set(winners.nodes.map(refOf))).toEqual(
    new Set(won.map(({ ticketRef }: { ticketRef: string }) => ticketRef)),
  )
  expect(tickets.nodes[0].draw.uuid).toBe(id)

  // The page of a draw is public, its tickets are not: not even to the same partner in another environment.
  const publicly = document.replace(
    'node(id: $id) { ... on LotteryDraw {',
    'node: publicLotteryDraw(id: $id) { ... on LotteryDraw {',
  )
  const shown = async (secret: string) =>
    (await world.graphql(publicly, { id }, { secret })).body.data.node
  expect((await shown(world.keys.secret)).tickets.nodes).toHaveLength(60)
  expect(await shown(world.partner.live.secret)).toEqual({})
})

test('tickets of a draw are found by status, page by page, and those of a lottery by reference', async () => {
  const lottery = await makeLottery(world)
  const { id } = await openDrawOf(world, lottery)
  const entries = Array.from({ length: 60 }, (_, n) => ({
    ...world.tenant,
    email: `holder${n}@example.com`,
    lotterySlug: lottery.slug,
  }))
  const entered = (await enterLotteries(world.runtime, entries)) as { id: string }[]
  for (const { id: ticketId } of entered.filter((_, n) => n % 9 === 0))
    await cancelTicket(world.runtime, { ...world.tenant, ticketId })

  type Found = { nodes: { ticketRef: string; status: string }[]; totalCount: { value: number } }
  const page = async (args: string) => {
    const { body, text } = await world.graphql(
      `{ node(id: "${encodeNodeId('LotteryDraw', id)}") { ... on LotteryDraw { tickets(${args}) {
        totalCount { value precision } nodes { ticketRef status } pageInfo { endCursor startCursor } } } } }`,
    )
    if (body.errors) throw new Error(text)
    return body.data.node.tickets as Found & {
      pageInfo: { endCursor: string; startCursor: string }
    }
  }
  const refsOf = ({ nodes }: Found) => nodes.map(({ ticketRef }) => ticketRef)
  const check = async (statuses: string[]) => {
    const all = (await page('first: 100')).nodes
    const wanted = all
      .filter(({ status }) => statuses.includes(status))
      .map(({ ticketRef }) => ticketRef)
    const filter = `filter: { statuses: [${statuses.join(', ')}] }`
    const found = await page(`first: 100, ${filter}`)
    expect([statuses, refsOf(found)]).toEqual([statuses, wanted])
    expect(found.totalCount).toEqual({ value: wanted.length, precision: 'EXACT' })
    const order = 'orderBy: { field: NUMBER, direction: DESC }'
    expect(refsOf(await page(`first: 100, ${filter}, ${order}`))).toEqual(wanted.toReversed())
    if (wanted.length < 4) return wanted.length
    const first = await page(`first: 2, ${filter}`)
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}", ${filter}`)
    expect([...refsOf(first), ...refsOf(second)]).toEqual(wanted.slice(0, 4))
    const before = await page(`last: 2, before: "${second.pageInfo.startCursor}", ${filter}`)
    expect(refsOf(before)).toEqual(refsOf(first))
    return wanted.length
  }
  const sets = [
    ['ACTIVE'],
    ['CANCELLED'],
    ['WON'],
    ['LOST'],
    ['WON', 'LOST'],
    ['WON', 'CANCELLED'],
    ['LOST', 'CANCELLED'],
    ['WON', 'LOST', 'CANCELLED'],
    ['ACTIVE', 'CANCELLED', 'DRAWN'],
    [],
  ]
  const open = []
  for (const statuses of sets) open.push(await check(statuses))
  expect(open).toEqual([53, 7, 0, 0, 0, 7, 7, 7, 60, 0])

  await runDraw(world.runtime, id, { early: true })
  const drawn = []
  for (const statuses of sets) drawn.push(await check(statuses))
  const [active, cancelled, won = 0, lost = 0] = drawn
  expect([active, cancelled]).toEqual([0, 7])
  expect(won).toBeGreaterThan(0)
  expect(lost).toBeGreaterThan(0)
  expect(won + lost).toBe(53)

  const { ticketRef } = (await page('first: 1')).nodes[0] ?? {}
  const byRef = async (reference: string | undefined, key = world.keys.secret) => {
    const { body } = await world.graphql(
      `query ($id: ID!, $filter: LotteryTicketFilter) { lottery(by: { id: $id }) {
        tickets(filter: $filter) { totalCount { value } nodes { ticketRef draw { uuid } lottery { slug } } } } }`,
      { id: lottery.id, filter: { ticketRef: reference } },
      { secret: key },
    )
    return body.data.lottery?.tickets
  }
  expect(await byRef(ticketRef)).toEqual({
    totalCount: { value: 1 },
    nodes: [{ ticketRef, draw: { uuid: id }, lottery: { slug: lottery.slug } }],
  })
  expect((await byRef('LX-2026-0101-XXXX')).nodes).toEqual([])
  const draws = await world.graphql(
    `query ($id: ID!) { lottery(by: { id: $id }) {
      first: draws(filter: { number: 1 }) { nodes { uuid } totalCount { value } }
      none: draws(filter: { number: 1, statuses: [OPEN] }) { nodes { uuid } } } }`,
    { id: lottery.id },
  )
  expect(draws.body.data.lottery).toEqual({
    first: { nodes: [{ uuid: id }], totalCount: { value: 1 } },
    none: { nodes: [] },
  })
})
