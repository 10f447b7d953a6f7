import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { usd } from '../../src/kit/money.ts'
import { createWorld, type World } from '../world.ts'
import { demoLotteries, makeLottery, openDrawOf } from './lottery.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await demoLotteries(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const enter = (body: unknown, key = world.keys.secret) =>
  world.post('/v1/lotteries/entries', key, body)
const list = (slug: string, query = '', key = world.keys.secret) =>
  world.get(`/v1/lotteries/${slug}/entries${query}`, key)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const inRange = (numbers: number[], count: number, max: number) => {
  expect(new Set(numbers).size).toBe(count)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  for (const number of numbers) expect(number >= 1 && number <= max).toBe(true)
}

describe('an entry', () => {
  it('is 201 with the documented ticket, and creates the user', async () => {
    const main = [9, 3, 41, 12, 49, 1]
    const { status, body } = await enter({
      email: 'anna@example.com',
      lotterySlug: 'weekly-draw',
      userId: 'anna',
      lines: [
        { main, bonus: [10] },
        { main: [1, 2, 3, 4, 5, 6], bonus: [1] },
      ],
    })
    const date = body.data.createdAt.slice(0, 10).split('-')
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        status: 'success',
        data: {
          id: expect.stringMatching(uuid),
          ticketRef: expect.stringMatching(
            new RegExp(`^LX-${date[0]}-${date[1]}${date[2]}-[A-Z0-9]{4}$`),
          ),
          drawId: expect.stringMatching(uuid),
          lotteryId: expect.stringMatching(uuid),
          email: 'anna@example.com',
          externalUserId: 'anna',
          status: 'ACTIVE',
          entryMethod: 'PARTNER_API',
          lines: [
            { main: [1, 3, 9, 12, 41, 49], bonus: [10] },
            { main: [1, 2, 3, 4, 5, 6], bonus: [1] },
          ],
          createdAt: expect.stringMatching(moment),
        },
      },
    })
    expect((await world.get('/v1/users/anna/balance', world.keys.secret)).status).toBe(200)
    const { body: listed } = await list('weekly-draw')
    const { createdAt, ...ticket } = body.data
    expect(listed).toEqual({
      status: 'success',
      data: [{ ...ticket, winTier: null, winAmountCents: 0, createdAt }],
      total: 1,
      page: 1,
      limit: 20,
    })
    const event = await world.runtime.db.event.findUniqueOrThrow({ where: { id: ticket.id } })
    expect(event).toMatchObject({
      type: 'lottery.entry_created',
      environment: 'TEST',
      data: { ...ticket, lotterySlug: 'weekly-draw', createdAt },
    })
  })

  it('without lines is a quick pick that fits the rules; without a userId it has no user', async () => {
    const weekly = (await enter({ email: 'b@example.com', lotterySlug: 'weekly-draw' })).body.data
    expect(weekly.lines).toHaveLength(1)
    inRange(weekly.lines[0].main, 6, 49)
    inRange(weekly.lines[0].bonus, 1, 10)
    expect('externalUserId' in weekly).toBe(false)
    const daily = (
      await enter({ email: 'b@example.com', lotterySlug: 'daily-pick', lines: null, userId: null })
    ).body.data
    inRange(daily.lines[0].main, 5, 35)
    expect(daily.lines[0].bonus).toEqual([])
  })

  it('goes to the open draw that closes next', async () => {
    const lottery = await makeLottery(world, { frequency: 'CUSTOM' })
    const now = Date.now()
    const schedule = `mutation ($input: ScheduleLotteryDrawInput!) {
      scheduleLotteryDraw(input: $input) { ... on ScheduleLotteryDrawPayload { lotteryDraw { uuid status number } } ... on Error { code } } }`
    const ids = []
    for (const hours of [5, 2, 9]) {
      const closesAt = new Date(now + hours * 3_600_000)
      const { body } = await world.graphql(schedule, {
        input: { lottery: { id: lottery.id }, closesAt },
      })
      expect(body.data.scheduleLotteryDraw.lotteryDraw.status).toBe('OPEN')
      ids.push(body.data.scheduleLotteryDraw.lotteryDraw.uuid)
    }
    const { data } = (await enter({ email: 'c@example.com', lotterySlug: lottery.slug })).body
    expect(data.drawId).toBe(ids[1])
  })
})

describe('a refused entry', () => {
  const refused = async (body: unknown, message: string) => {
    const before = await world.runtime.db.lotteryTicket.count()
    const answer = await enter(body)
    expect(answer.body).toMatchObject({ message, code: 400, status: 'error' })
    expect(answer.status).toBe(400)
    expect(await world.runtime.db.lotteryTicket.count()).toBe(before)
    return answer.body
  }
  const email = 'ref@example.com'

  it('names an unknown lottery', async () => {
    for (const lotterySlug of ['nothing', 'WEEKLY-DRAW', '../x', 'x'.repeat(255), '%00'])
      await refused({ email, lotterySlug, userId: 'ghost' }, 'Lottery not found')
    expect((await list('nothing')).body).toMatchObject({ message: 'Lottery not found', code: 400 })
    expect((await world.get('/v1/users/ghost/balance', world.keys.secret)).status).toBe(404)
  })

  it('is for a lottery that is not active: paused, completed, expired', async () => {
    await refused({ email, lotterySlug: 'paused-draw' }, 'Lottery is not active')
    for (const status of ['COMPLETED', 'EXPIRED'] as const) {
      const { id, slug } = await makeLottery(world)
      await world.runtime.db.lottery.update({ where: { id }, data: { status } })
      await refused({ email, lotterySlug: slug }, 'Lottery is not active')
    }
    const { id, slug } = await makeLottery(world)
    await world.runtime.db.lottery.update({ where: { id }, data: { endsAt: new Date() } })
    await refused({ email, lotterySlug: slug }, 'Lottery is not active')
  })

  it('is for a draft, which counts as unknown', async () => {
    const { slug } = await makeLottery(world, { isDraft: true })
    await refused({ email, lotterySlug: slug }, 'Lottery not found')
    expect((await list(slug)).status).toBe(400)
  })

  it('finds no open draw', async () => {
    await refused({ email, lotterySlug: 'coming-soon' }, 'No open draw available')
    const lottery = await makeLottery(world)
    const draw = await openDrawOf(world, lottery)
    await world.runtime.db.lotteryDraw.update({
      where: { id: draw.id },
      data: { status: 'CLOSED' },
    })
    await refused({ email, lotterySlug: lottery.slug }, 'No open draw available')
  })

  it('exceeds the maximum of tickets', async () => {
    const entry = { email: ' Max@Example.com', lotterySlug: 'daily-pick' }
    for (let i = 0; i < 3; i++) expect((await enter(entry)).status).toBe(201)
    await refused({ ...entry, email: 'max@example.COM ' }, 'Max tickets exceeded')
    expect((await enter({ ...entry, userId: 'max' })).status).toBe(201)
  })

  const line = { main: [1, 2, 3, 4, 5, 6], bonus: [1] }
  it.each([
    ['too few', [{ ...line, main: [1, 2, 3] }], ['lines.0.main']],
    ['too many', [line, { ...line, main: [1, 2, 3, 4, 5, 6, 7] }], ['lines.1.main']],
    [
      'out of range',
      [{ main: [0, 2, 3, 4, 5, 50], bonus: [11] }],
      ['lines.0.main.0', 'lines.0.main.5', 'lines.0.bonus.0'],
    ],
    ['repeated', [line, { ...line, main: [1, 2, 3, 4, 5, 5] }], ['lines.1.main.5']],
    ['without a bonus', [{ main: line.main }], ['lines.0.bonus']],
    ['no lines', [], ['lines']],
    ['eleven lines', Array.from({ length: 11 }, () => line), ['lines']],
    ['a thousand lines', Array.from({ length: 1_000 }, () => ({ main: [1] })), ['lines']],
    [
      'extreme',
      [{ main: [-2147483648, 2147483647, 1, 2, 3, 4], bonus: [1] }],
      ['lines.0.main.0', 'lines.0.main.1'],
    ],
    [
      'numbers that no line can have',
      [{ main: [1, 2, 3.5, 1e12, -1e300, 6], bonus: [0.1] }],
      ['lines.0.main.2', 'lines.0.main.3', 'lines.0.main.4', 'lines.0.bonus.0'],
    ],
  ])('has lines that are wrong: %s', async (_, lines, fields) => {
    const entry = { email, lotterySlug: 'weekly-draw', lines }
    const { errors } = await refused(entry, 'Invalid number lines')
    expect(errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    for (const { field, message } of errors) expect(message.startsWith(`${field} `)).toBe(true)
  })

  it('has more lines than any list may have', async () => {
    const lines = Array.from({ length: 10_000 }, () => ({ main: [1] }))
    const { errors } = await refused(
      { email, lotterySlug: 'weekly-draw', lines },
      'Invalid request body',
    )
    expect(errors).toEqual([
      { field: 'lines', code: 'too_big', message: 'lines must have at most 1000 items' },
    ])
  })

  it('has a bonus where the lottery has none', async () => {
    const lines = [{ main: [1, 2, 3, 4, 5], bonus: [1] }]
    const { errors } = await refused(
      { email, lotterySlug: 'daily-pick', lines },
      'Invalid number lines',
    )
    expect(errors).toEqual([
      { field: 'lines.0.bonus', code: 'wrong_count', message: 'lines.0.bonus must be empty' },
    ])
  })

  it.each([
    ['no email', { lotterySlug: 'daily-pick' }, ['email']],
    ['no slug and a bad email', { email: 'no' }, ['email', 'lotterySlug']],
    [
      'NUL',
      { email: 'a\0@example.com', lotterySlug: 'daily-pick\0', userId: '\0' },
      ['email', 'lotterySlug', 'userId'],
    ],
    ['a surrogate', { email, lotterySlug: 'daily-pick', userId: '\ud800' }, ['userId']],
    [
      'an email that is too long',
      { email: `${'a'.repeat(250)}@example.com`, lotterySlug: 'daily-pick' },
      ['email'],
    ],
    ['lines that are text', { email, lotterySlug: 'daily-pick', lines: 'lucky' }, ['lines']],
    ['a line that is text', { email, lotterySlug: 'daily-pick', lines: ['1,2,3'] }, ['lines.0']],
    [
      'numbers that are text',
      { email, lotterySlug: 'daily-pick', lines: [{ main: ['1'], bonus: [] }] },
      ['lines.0.main.0'],
    ],
    [
      'broken numbers',
      { email, lotterySlug: 'daily-pick', lines: [{ main: [1.5, 1e300, null], bonus: 7 }] },
      ['lines.0.main.2', 'lines.0.bonus'],
    ],
  ])('has a body that is wrong: %s', async (_, body, fields) => {
    const { errors } = await refused(body, 'Invalid request body')
    const named = errors.map(({ field }: { field: string }) => field)
    for (const field of fields) expect(named).toContain(field)
  })
})

it.each([
  [[{}], 'lines.0.main is required'],
  [[{ main: null }], 'lines.0.main is required'],
  [[{ main: 'lucky' }], 'lines.0.main must be a list of numbers'],
  [[{ main: ['6'] }], 'lines.0.main.0 must be a number'],
  [[{ main: [1, null] }], 'lines.0.main.1 is required'],
  [[{ main: [1], bonus: [true] }], 'lines.0.bonus.0 must be a number'],
  [[null], 'lines.0 must be an object'],
  [[[1, 2]], 'lines.0 must be an object'],
  [[7], 'lines.0 must be an object'],
  ['lucky', 'lines must be a list of lines'],
])('lines that are none, %j, are answered in words: %s', async (lines, message) => {
  const entry = { email: 'words@example.com', lotterySlug: 'daily-pick', lines }
  const { body } = await enter(entry)
  expect(body.message).toBe('Invalid request body')
  expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message])
})

describe('entries of many at once', () => {
  it('60 of one user on daily-pick are exactly 3 tickets', async () => {
    const entry = { email: 'sixty@example.com', lotterySlug: 'daily-pick', userId: 'sixty' }
    const answers = await Promise.all(Array.from({ length: 60 }, () => enter(entry)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    for (const { status, body } of answers)
      if (status !== 201) expect(body.message).toBe('Max tickets exceeded')
    const { body } = await list('daily-pick', '?limit=100')
    const own = body.data.filter((t: { externalUserId: string }) => t.externalUserId === 'sixty')
    expect(own).toHaveLength(3)
  })

  it('each have a unique reference, and are listed newest first, page by page', async () => {
    const lottery = await makeLottery(world)
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        enter({ email: `u${i}@example.com`, lotterySlug: lottery.slug, userId: `u${i % 50}` }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.data.ticketRef)).size).toBe(120)
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => (await list(lottery.slug, `?page=${page}&limit=50`)).body),
    )
    expect(pages.map(({ data, total, page, limit }) => [data.length, total, page, limit])).toEqual([
      [50, 120, 1, 50],
      [50, 120, 2, 50],
      [20, 120, 3, 50],
      [0, 120, 4, 50],
    ])
    const ids = pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))
    expect(new Set(ids)).toEqual(new Set(answers.map(({ body }) => body.data.id)))
    const cut = (await list(lottery.slug, '?limit=1000')).body
    expect([cut.limit, cut.data.length]).toEqual([100, 100])
    for (const query of ['?page=0', '?limit=0', '?page=x', '?limit=-1', '?page=1e9'])
      expect((await list(lottery.slug, query)).status).toBe(400)
  })
})

describe('a cancelled ticket', () => {
  const cancel = async (ticketId: string, by = world.keys) => {
    const { body } = await world.graphql(
      `mutation ($input: CancelLotteryTicketInput!) {
        cancelLotteryTicket(input: $input) { ... on CancelLotteryTicketPayload { lotteryTicket { status } } ... on Error { code } } }`,
      { input: { lotteryTicketId: ticketId } },
      by,
    )
    return body.data.cancelLotteryTicket
  }

  it('allows another one, once, while the draw is open', async () => {
    const lottery = await makeLottery(world, {
      rules: {
        mainRange: { count: 2, min: 1, max: 5 },
        maxTicketsPerUser: 1,
        tiers: [{ name: 'A', mainMatches: 2, bonusMatches: 0, prize: { amount: usd(5) } }],
      },
    })
    const entry = { email: 'can@example.com', lotterySlug: lottery.slug }
    const { id } = (await enter(entry)).body.data
    expect((await enter(entry)).body.message).toBe('Max tickets exceeded')
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(id)))
    expect(
      answers.filter(({ lotteryTicket }) => lotteryTicket?.status === 'CANCELLED'),
    ).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'TICKET_NOT_ACTIVE')).toHaveLength(19)
    const second = (await enter(entry)).body.data.id
    expect((await enter(entry)).body.message).toBe('Max tickets exceeded')
    const { data } = (await list(lottery.slug)).body
    expect(data.map((t: { status: string }) => t.status)).toEqual(['ACTIVE', 'CANCELLED'])
    const draw = await openDrawOf(world, lottery)
    await world.runtime.db.lotteryDraw.update({
      where: { id: draw.id },
      data: { status: 'CLOSED' },
    })
    expect(await cancel(second)).toEqual({ code: 'TICKET_NOT_ACTIVE' })
  })

  it('of another partner or environment counts as unknown', async () => {
    const lottery = await makeLottery(world)
    const { id } = (await enter({ email: 'x@example.com', lotterySlug: lottery.slug })).body.data
    const other = await world.createPartner()
    for (const by of [other.test, other.live, world.partner.live])
      expect(await cancel(id, by)).toEqual({ code: 'TICKET_NOT_FOUND' })
    expect(await cancel('00000000-0000-7000-8000-000000000000')).toEqual({
      code: 'TICKET_NOT_FOUND',
    })
    expect(await cancel('nonsense')).toEqual({ code: 'VALIDATION_FAILED' })
  })
})
