import { afterAll, beforeAll, expect, it } from 'vitest'
import { verify } from '../../packages/verifier/verify-draw.ts'
import type { LotteryDraw } from '../../src/generated/prisma/client.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { cancelTicket, enterLotteries } from '../../src/lotteries/ticket.ts'
import type { TicketView } from '../../src/lotteries/ticket-view.ts'
import { findGrownDraws, leavesOfNode, makeNodes } from '../../src/lotteries/tree.ts'
import { createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World
let slug: string
let draw: LotteryDraw

const work = () => ({ ...world.runtime, tx: world.runtime.db })
const enter = async (count: number) => {
  const entries = Array.from({ length: count }, (_, n) => ({
    ...world.tenant,
    email: `${n}@example.com`,
    lotterySlug: slug,
  }))
  return (await enterLotteries(work(), entries)) as TicketView[]
}
const readDraw = () => world.runtime.db.lotteryDraw.findUniqueOrThrow({ where: { id: draw.id } })
const countNodes = () => world.runtime.db.lotteryNode.count({ where: { drawId: draw.id } })
const isGrown = async () => (await findGrownDraws(work())).some(({ id }) => id === draw.id)
const expectHonest = async () => {
  const path = `/v1/lotteries/${slug}/draws/${draw.id}/proof`
  const { body } = await world.get(path, world.keys.secret)
  expect((await verify(body.data)).filter(({ ok }) => !ok)).toEqual([])
}

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

it('nodes are stored while the draw is open, and again when a ticket under them is cancelled', async () => {
  const lottery = await makeLottery(world)
  slug = lottery.slug
  draw = await openDrawOf(world, lottery)
  const tickets = await enter(leavesOfNode - 2)
  expect(await isGrown()).toBe(false)
  await makeNodes(work(), await readDraw())
  expect(await countNodes()).toBe(0)

  // The line of the draw is the first leaf.
  await enter(1)
  expect(await isGrown()).toBe(true)
  await enter(leavesOfNode + 10)
  await makeNodes(work(), await readDraw())
  expect(await countNodes()).toBe(2)
  expect(await isGrown()).toBe(false)

  const { id: ticketId } = tickets[700] as TicketView
  await cancelTicket(work(), { ...world.tenant, ticketId })
  expect(await countNodes()).toBe(1)
  expect(await isGrown()).toBe(true)
  await makeNodes(work(), await readDraw())
  expect(await countNodes()).toBe(2)

  await runDraw(work(), draw.id, { early: true })
  expect(await countNodes()).toBe(3)
  await expectHonest()
})

it('the list is right when tickets are cancelled and entered while several callers store nodes', async () => {
  const lottery = await makeLottery(world)
  slug = lottery.slug
  draw = await openDrawOf(world, lottery)
  const tickets = await enter(3 * leavesOfNode)
  let busy = true
  const make = async () => {
    while (busy) await makeNodes(work(), await readDraw(), 1)
  }
  const makers = [make(), make()]
  for (let n = 0; n < 120; n += 4) {
    const cancelled = [n, n + 1, leavesOfNode + n, 2 * leavesOfNode + n]
    await Promise.all([
      ...cancelled.map((i) =>
        cancelTicket(work(), { ...world.tenant, ticketId: (tickets[i] as TicketView).id }),
      ),
      enter(20),
    ])
  }
  busy = false
  await Promise.all(makers)
  const { cancelled } = await runDraw(work(), draw.id, { early: true })
  expect(cancelled).toBe(120)
  await expectHonest()
})
