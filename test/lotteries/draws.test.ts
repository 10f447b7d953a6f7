import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { usd } from '../../src/kit/money.ts'
import { lotteryJobs } from '../../src/lotteries/lottery.jobs.ts'
import { LotteryRules, prizeOf } from '../../src/lotteries/lottery.rules.ts'
import { createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf, smallRules } from './lottery.ts'

let world: World
let now = Date.now()
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const dayMs = 24 * 3600 * 1000
const enter = (lottery: Lottery, n: number, more: object = {}, key = world.keys.secret) =>
  world.post('/v1/lotteries/entries', key, {
    email: `u${n}@example.com`,
    lotterySlug: lottery.slug,
    userId: `u${n}`,
    ...more,
  })
const enterMany = async (lottery: Lottery, count: number) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => enter(lottery, n)))
  for (const { status, text } of answers) expect(status, text).toBe(201)
}
const get = (path: string, key = world.keys.secret) => world.get(`/v1/lotteries/${path}`, key)
const execute = async (slug: string, drawId: string, token?: string) =>
  world.post(
    `/admin/lotteries/${slug}/draws/${drawId}/execute`,
    token ?? (await world.signInAs('OPERATOR')), // the clock moves by days, and tokens expire
  )
const runJobs = async () => {
  for (const job of lotteryJobs) await job.run(world.runtime)
}
const eventsOf = (type: string, drawId: string) =>
  world.runtime.db.event.findMany({
    where: { type, data: { path: ['drawId'], equals: drawId } },
  })

describe('a draw that an administrator executes', () => {
  it('closes, draws, pays and opens the next one', async () => {
    const lottery = await makeLottery(world)
    const { id: drawId } = await openDrawOf(world, lottery)
    await enterMany(lottery, 150)
    const before = (await get(`${lottery.slug}/draws/${drawId}`)).body.data
    expect(before).toMatchObject({ status: 'OPEN', root: null, seed: null, main: [], progress: 0 })
    expect(before.commitment).toMatch(/^[\da-f]{64}$/)

    const { status, body } = await execute(lottery.slug, drawId)
    expect([status, body.message, body.code]).toEqual([200, 'Draw executed successfully', 200])
    const draw = body.data
    expect(draw).toMatchObject({
      id: drawId,
      status: 'COMPLETED',
      ticketCount: 150,
      progress: 1,
      commitment: before.commitment,
      potCents: 10_000 + 7 * 150,
    })
    expect(draw.main).toHaveLength(3)
    expect(draw.bonus).toHaveLength(1)

    const { data } = (await get(`${lottery.slug}/entries?limit=100`)).body
    const second = (await get(`${lottery.slug}/entries?limit=100&page=2`)).body.data
    const tickets = [...data, ...second]
    expect(new Set(tickets.map((t) => t.status))).toEqual(new Set(['WON', 'LOST']))
    // The expected prize of each ticket, from its numbers.
    const count = (numbers: number[], drawn: number[]) =>
      numbers.filter((n) => drawn.includes(n)).length
    const tierOf = (line: { main: number[]; bonus: number[] }) => {
      const [m, b] = [count(line.main, draw.main), count(line.bonus, draw.bonus)]
      return m === 3 && b === 1
        ? 'Jackpot'
        : m === 3
          ? 'Three'
          : m === 2
            ? 'Two'
            : b
              ? 'Bonus'
              : null
    }
    for (const ticket of tickets) {
      expect(ticket.winTier).toBe(tierOf(ticket.lines[0]))
      expect(ticket.status).toBe(ticket.winTier ? 'WON' : 'LOST')
      expect(ticket.winAmountCents > 0).toBe(ticket.status === 'WON')
    }
    const total = tickets.reduce((sum, { winAmountCents }) => sum + winAmountCents, 0)
    expect(total).toBe(draw.payoutCents)
    for (const [i, tier] of LotteryRules.parse(smallRules).tiers.entries()) {
      const won = tickets.filter(({ winTier }) => winTier === tier.name)
      const { each, remainder } = prizeOf(tier, draw.potCents, won.length)
      const paid = won.reduce((sum, { winAmountCents }) => sum + winAmountCents, 0)
      expect(draw.tiers[i]).toEqual({
        name: tier.name,
        winners: won.length,
        payoutCents: won.length * each + remainder,
      })
      expect(paid).toBe(draw.tiers[i].payoutCents)
    }
    const won = await eventsOf('lottery.ticket_won', drawId)
    expect(won).toHaveLength(tickets.filter((t) => t.status === 'WON').length)
    const [first] = won
    const announced = (first as NonNullable<typeof first>).data
    const { ticketRef, winTier, winAmountCents } = announced as Record<string, unknown>
    expect(tickets.find((t) => t.ticketRef === ticketRef)).toMatchObject({
      winTier,
      winAmountCents,
    })
    const completed = await eventsOf('lottery.draw_completed', drawId)
    expect(completed).toHaveLength(1)
    expect(completed[0]?.data).toMatchObject({
      lotterySlug: lottery.slug,
      main: draw.main,
      payoutCents: draw.payoutCents,
    })

    const list = (await get(`${lottery.slug}/draws`)).body
    expect([list.total, list.page, list.limit]).toEqual([2, 1, 20])
    expect(list.data.map((d: { status: string }) => d.status)).toEqual(['OPEN', 'COMPLETED'])
    expect((await enter(lottery, 1)).body.data.drawId).toBe(list.data[0].id)
  })

  it('is executed once, for any number of simultaneous calls', async () => {
    const lottery = await makeLottery(world)
    const { id } = await openDrawOf(world, lottery)
    await enterMany(lottery, 40)
    const token = await world.signInAs('OPERATOR')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => execute(lottery.slug, id, token)),
    )
    for (const { status, body } of answers)
      expect(status === 200 ? body.data.status : body.message).toMatch(
        /^COMPLETED$|^The draw has already been executed$/,
      )
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await execute(lottery.slug, id)).body).toMatchObject({
      code: 409,
      errorCode: 'DRAW_ALREADY_EXECUTED',
    })
    expect(await eventsOf('lottery.draw_completed', id)).toHaveLength(1)
  })

  it('without tickets pays nothing', async () => {
    const lottery = await makeLottery(world)
    const { id } = await openDrawOf(world, lottery)
    const { body } = await execute(lottery.slug, id)
    expect(body.data).toMatchObject({
      status: 'COMPLETED',
      ticketCount: 0,
      payoutCents: 0,
      progress: 1,
    })
  })

  it('is refused for other callers and for unknown draws', async () => {
    const lottery = await makeLottery(world)
    const { id } = await openDrawOf(world, lottery)
    const developer = await world.signInAs('OWNER')
    expect((await execute(lottery.slug, id, developer)).status).toBe(403)
    expect((await execute(lottery.slug, id, '')).status).toBe(401)
    for (const wrong of ['x', '%00', '00000000-0000-7000-8000-000000000000', 'x'.repeat(300)])
      expect([400, 404]).toContain((await execute(lottery.slug, wrong)).status)
    expect((await execute(lottery.slug, '00000000-0000-7000-8000-000000000000')).body.message).toBe(
      'Draw not found',
    )
    expect((await execute('nothing', id)).body.message).toBe('Lottery not found')
    const other = await makeLottery(world)
    expect((await execute(other.slug, id)).body.message).toBe('Draw not found')
    const cancel = `mutation ($input: CancelLotteryDrawInput!) { cancelLotteryDraw(input: $input) { ... on CancelLotteryDrawPayload { lotteryDraw { status } } ... on Error { code } } }`
    const { body } = await world.graphql(cancel, { input: { lotteryDrawId: id } })
    expect(body.data.cancelLotteryDraw).toEqual({ lotteryDraw: { status: 'CANCELLED' } })
    expect((await execute(lottery.slug, id)).body.errorCode).toBe('DRAW_NOT_OPEN')
  })
})

describe('a ticket', () => {
  it('with several lines wins its best tier and the amounts of all lines', async () => {
    const rules = {
      mainRange: { count: 1, min: 1, max: 3 },
      tiers: [{ name: 'One', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(100) } }],
    }
    const lottery = await makeLottery(world, { rules })
    const { id } = await openDrawOf(world, lottery)
    const lines = [[1], [2], [3], [1], [2], [3]].map((main) => ({ main, bonus: [] }))
    const { data } = (await enter(lottery, 1, { lines })).body
    await execute(lottery.slug, id)
    const [ticket] = (await get(`${lottery.slug}/entries`)).body.data
    expect(ticket).toMatchObject({
      id: data.id,
      status: 'WON',
      winTier: 'One',
      winAmountCents: 200,
    })
    expect(await eventsOf('lottery.ticket_won', id)).toHaveLength(1)
  })

  it('that was cancelled wins nothing', async () => {
    const rules = {
      mainRange: { count: 1, min: 1, max: 2 },
      potPerTicket: usd(3),
      tiers: [
        { name: 'One', mainMatches: 1, bonusMatches: 0, prize: { potShareBasisPoints: 10_000 } },
      ],
    }
    const lottery = await makeLottery(world, { rules })
    const { id } = await openDrawOf(world, lottery)
    const lines = [{ main: [1] }, { main: [2] }]
    const ids = []
    for (let n = 0; n < 3; n++) ids.push((await enter(lottery, n, { lines })).body.data.id)
    const cancel = `mutation ($input: CancelLotteryTicketInput!) { cancelLotteryTicket(input: $input) { __typename } }`
    await world.graphql(cancel, { input: { lotteryTicketId: ids[0] } })
    expect((await execute(lottery.slug, id)).body.data).toMatchObject({
      ticketCount: 2,
      potCents: 6,
      payoutCents: 6,
    })
    const { data } = (await get(`${lottery.slug}/entries`)).body
    expect(
      data.map((t: { status: string; winAmountCents: number }) => [t.status, t.winAmountCents]),
    ).toEqual([
      ['WON', 3],
      ['WON', 3],
      ['CANCELLED', 0],
    ])
  })
})

describe('jobs', () => {
  it('open a draw, close it, publish the root, draw the numbers, and open the next draw', async () => {
    const startsAt = new Date(now + dayMs)
    const lottery = await makeLottery(world, { startsAt, drawDelaySeconds: 600 })
    expect((await enter(lottery, 1)).body.message).toBe('No open draw available')
    now += dayMs
    await runJobs()
    const { id } = await openDrawOf(world, lottery)
    await enterMany(lottery, 5)
    const statusOf = async () => (await get(`${lottery.slug}/draws/${id}`)).body.data
    now += dayMs - 1
    expect((await enter(lottery, 9)).body.data.drawId).toBe(id)
    now += 1
    expect((await enter(lottery, 9)).body.message).toBe('No open draw available')
    await runJobs()
    const closed = await statusOf()
    expect(closed).toMatchObject({ status: 'CLOSED', seed: null, main: [] })
    expect(closed.root).toMatch(/^[\da-f]{64}$/)
    expect((await enter(lottery, 9)).body.data.drawId).not.toBe(id)
    now += 600_000
    await runJobs()
    expect(await statusOf()).toMatchObject({
      status: 'COMPLETED',
      root: closed.root,
      ticketCount: 6,
    })
  })

  it('open the next draw before the last one closes, so that users can always enter one', async () => {
    const lottery = await makeLottery(world)
    const first = await openDrawOf(world, lottery)
    now = first.closesAt.getTime() - 30_000
    await runJobs()
    expect((await enter(lottery, 1)).body.data.drawId).toBe(first.id)
    now = first.closesAt.getTime()
    expect((await enter(lottery, 1)).body.data.drawId).not.toBe(first.id)
  })

  it('catch up after days without a server, and skip draws that nobody could enter', async () => {
    const lottery = await makeLottery(world)
    const first = await openDrawOf(world, lottery)
    await enterMany(lottery, 3)
    now += 5.5 * dayMs
    await Promise.all([runJobs(), runJobs(), runJobs()])
    const { data } = (await get(`${lottery.slug}/draws`)).body
    expect(data.map((d: { status: string }) => d.status)).toEqual(['OPEN', 'COMPLETED'])
    expect(Date.parse(data[0].closesAt)).toBe(first.closesAt.getTime() + 5 * dayMs)
  })

  it('end a lottery at its end, not before', async () => {
    const firstClosesAt = new Date(now + dayMs)
    const lottery = await makeLottery(world, { firstClosesAt, endsAt: new Date(now + 1.5 * dayMs) })
    now += dayMs
    await runJobs()
    const status = async () =>
      (await world.runtime.db.lottery.findUniqueOrThrow({ where: { id: lottery.id } })).status
    expect(await status()).toBe('ACTIVE')
    expect((await enter(lottery, 1)).body.message).toBe('No open draw available')
    now += dayMs
    await runJobs()
    expect(await status()).toBe('EXPIRED')
    expect((await enter(lottery, 1)).body.message).toBe('Lottery is not active')
  })

  it('complete the open draw of a paused lottery, and open no new one', async () => {
    const lottery = await makeLottery(world)
    const { id } = await openDrawOf(world, lottery)
    await enterMany(lottery, 3)
    const call = async (verb: 'start' | 'pause' | 'end') => {
      const { body } = await world.graphql(
        `mutation { result: ${verb}Lottery(input: { lottery: { slug: "${lottery.slug}" } }) {
          __typename ... on Error { code } } }`,
      )
      return body.data.result
    }
    expect(await call('pause')).toEqual({ __typename: 'PauseLotteryPayload' })
    now += 2 * dayMs
    await runJobs()
    expect((await get(`${lottery.slug}/draws`)).body.data).toMatchObject([
      { id, status: 'COMPLETED' },
    ])
    await call('start')
    expect((await enter(lottery, 1)).status).toBe(201)
    await call('end')
    expect(await call('start')).toMatchObject({ code: 'LOTTERY_OVER' })
  })
})

describe('a draw that closes while many enter', () => {
  it('has every acknowledged ticket, and no later one', async () => {
    for (let round = 0; round < 4; round++) {
      const lottery = await makeLottery(world, { frequency: 'CUSTOM' })
      const schedule = `mutation ($input: ScheduleLotteryDrawInput!) { scheduleLotteryDraw(input: $input) { ... on ScheduleLotteryDrawPayload { lotteryDraw { uuid } } } }`
      const ids: string[] = []
      for (const hours of [1, 2]) {
        const closesAt = new Date(now + hours * 3_600_000)
        const { body } = await world.graphql(schedule, {
          input: { lottery: { id: lottery.id }, closesAt },
        })
        ids.push(body.data.scheduleLotteryDraw.lotteryDraw.uuid)
      }
      const [first, second] = ids as [string, string]
      const accepted: string[] = []
      let isClosed = false
      let late = 0
      const worker = async (w: number) => {
        for (let i = 0; i < 12; i++) {
          const sentAfter = isClosed
          const { status, body } = await enter(lottery, w * 100 + i)
          expect(status, JSON.stringify(body)).toBe(201)
          if (sentAfter && body.data.drawId === first) late++
          accepted.push(body.data.drawId)
        }
      }
      const token = await world.signInAs('OPERATOR')
      const executed = new Promise<void>((resolve) =>
        setTimeout(async () => {
          expect((await execute(lottery.slug, first, token)).body.data.status).toBe('COMPLETED')
          isClosed = true
          resolve()
        }, 60),
      )
      await Promise.all([executed, ...Array.from({ length: 16 }, (_, w) => worker(w))])
      expect(late).toBe(0)
      const count = (id: string) => accepted.filter((drawId) => drawId === id).length
      const shown = (await get(`${lottery.slug}/draws`)).body.data
      expect(shown.map((d: { id: string; ticketCount: number }) => [d.id, d.ticketCount])).toEqual([
        [second, count(second)],
        [first, count(first)],
      ])
      expect(count(first) + count(second)).toBe(16 * 12)
    }
  })
})
