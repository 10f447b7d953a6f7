import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
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
})
