import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { usd } from '../../src/kit/money.ts'
import { routes } from '../../src/rest/routes.ts'
import { operationsOf } from '../graphql/documents.ts'
import { type Answer, createWorld, type Keys, type TestPartner, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

/** Part of every text of partner B and of LIVE. The TEST keys of partner A must never see it. */
const mark = `mark${randomUUID().slice(0, 8)}`
const slug = `${mark}-lottery`
const nobody = '00000000-0000-7000-8000-000000000000'

let world: World
let other: TestPartner
let foreign: {
  keys: Keys
  partnerId: string
  environment: 'TEST' | 'LIVE'
  ids: Record<string, string>
  ref: string
}[]

const fill = async (keys: Keys, tenant: { partnerId: string; environment: 'TEST' | 'LIVE' }) => {
  const lottery = await makeLottery(
    world,
    {
      slug,
      name: `${mark} name`,
      description: `${mark} text`,
      rules: {
        mainRange: { count: 1, min: 1, max: 3 },
        tiers: [
          { name: `${mark} tier`, mainMatches: 1, bonusMatches: 0, prize: { amount: usd(5) } },
        ],
      },
    },
    tenant,
  )
  const { body } = await world.post('/v1/lotteries/entries', keys.secret, {
    email: `${mark}@example.com`,
    lotterySlug: slug,
    userId: `${mark}-user`,
  })
  const draw = await openDrawOf(world, lottery)
  return {
    keys,
    ...tenant,
    ids: { Lottery: lottery.id, LotteryDraw: draw.id, LotteryTicket: body.data.id },
    ref: body.data.ticketRef,
  }
}

beforeAll(async () => {
  world = await createWorld()
  other = await world.createPartner()
  foreign = [
    await fill(other.test, { partnerId: other.partnerId, environment: 'TEST' }),
    await fill(other.live, { partnerId: other.partnerId, environment: 'LIVE' }),
    await fill(world.partner.live, { partnerId: world.partner.partnerId, environment: 'LIVE' }),
  ]
  await makeLottery(world, { slug: 'own' })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url')
/** An answer without the sent values and the parts that differ between requests. */
const gist = ({ status, text }: Answer, ...sent: string[]) => [
  status,
  sent.reduce((rest, item) => rest.replaceAll(item, '…'), text.replace(/"requestId":"[^"]+"/, '')),
]

const gets = routes.filter(({ path, method }) => /^\/v1\/lotteries/.test(path) && method === 'GET')

describe("partner A's TEST keys", () => {
  it.each(gets)('see nothing of others with $method $path', async ({ path }) => {
    for (const { ids, keys, ref } of foreign) {
      const url = (s: string, d: string, r: string) =>
        `${path.replace('{slug}', s).replace('{drawId}', d)}?limit=100&ticketRef=${r}`
      const sent = [slug, ids.LotteryDraw ?? '', ref] as const
      const answer = await world.get(url(...sent), world.keys.secret)
      expect(answer.text).not.toContain(mark)
      const expected = await world.get(
        url('nothing', nobody, 'LX-2026-0101-AAAA'),
        world.keys.secret,
      )
      expect(gist(answer)).toEqual(gist(expected))
      // The owner sees it, so the test can fail.
      expect((await world.get(url(...sent), keys.secret)).text).toContain(mark)
    }
  })

  it('enter no lottery of others', async () => {
    const entry = { email: 'a@example.com', lotterySlug: slug, userId: 'a' }
    const { status, body } = await world.post('/v1/lotteries/entries', world.keys.secret, entry)
    expect([status, body.message]).toEqual([400, 'Lottery not found'])
  })

  it('read nothing of others with GraphQL or node ids', async () => {
    for (const { ids, keys, ref } of foreign) {
      const unknown = { id: nobody }
      for (const [name, found, none] of [
        ['lottery', { by: { slug } }, { by: { slug: 'nothing' } }],
        ['lottery', { by: { id: ids.Lottery } }, { by: unknown }],
        ['lotteries', {}, {}],
      ] as const) {
        const { document = '' } = operationsOf('query', 2).find((item) => item.name === name) ?? {}
        const answer = await world.graphql(document, found)
        expect(answer.text).not.toContain(mark)
        expect(gist(answer)).toEqual(gist(await world.graphql(document, none)))
        expect((await world.graphql(document, found, keys)).text).toContain(mark)
      }
      const drawOf = async (lottery: string, by: Keys) =>
        (
          await world.graphql(
            `query ($id: ID!, $ref: String) { lottery(by: { slug: "${lottery}" }) {
              draw(id: $id) { lottery { slug } proof(ticketRef: $ref) { draw { id } } } } }`,
            { id: ids.LotteryDraw, ref },
            by,
          )
        ).body.data.lottery.draw
      expect(await drawOf('own', world.keys)).toBeNull()
      expect(await drawOf(slug, keys)).toMatchObject({ lottery: { slug }, proof: { draw: {} } })
      for (const [type, id] of Object.entries(ids)) {
        const node = (by: Keys) =>
          world.graphql(
            'query ($id: ID!) { node(id: $id) { __typename id } }',
            { id: globalId(type, id) },
            by,
          )
        // Everyone sees the public part of a lottery that is no draft, and of its draws.
        const isPublic = ['Lottery', 'LotteryDraw'].includes(type)
        expect((await node(world.keys)).body.data.node).toEqual(
          isPublic ? { __typename: `${type}View`, id: globalId(type, id) } : null,
        )
        expect((await node(keys)).body.data.node).toEqual({
          __typename: type,
          id: globalId(type, id),
        })
      }
    }
  })

  it('change nothing of others', async () => {
    const { pool } = world.server.database
    const digest = async () =>
      (
        await pool.query({
          text: `SELECT (SELECT md5(string_agg(l::text, '' ORDER BY id)) FROM lottery l) || (SELECT md5(string_agg(d::text, '' ORDER BY id)) FROM lottery_draw d) || (SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM lottery_ticket t) AS all`,
        })
      ).rows[0].all
    const before = await digest()
    const closesAt = '2990-01-01T00:00:00Z'
    const none = { id: nobody }
    for (const { ids } of foreign) {
      const own = { id: ids.Lottery }
      for (const [name, input, harmless] of [
        ['updateLottery', { lottery: own, name: 'x' }, { lottery: none, name: 'x' }],
        ['startLottery', { lottery: own }, { lottery: none }],
        ['pauseLottery', { lottery: { slug } }, { lottery: { slug: 'nothing' } }],
        ['endLottery', { lottery: own }, { lottery: none }],
        ['deleteLottery', { lottery: own }, { lottery: none }],
        ['scheduleLotteryDraw', { lottery: own, closesAt }, { lottery: none, closesAt }],
        ['cancelLotteryDraw', { lotteryDrawId: ids.LotteryDraw }, { lotteryDrawId: nobody }],
        [
          'cancelLotteryTicket',
          { lotteryTicketId: ids.LotteryTicket },
          { lotteryTicketId: nobody },
        ],
      ] as const) {
        const { document = '' } =
          operationsOf('mutation', 1).find((item) => item.name === name) ?? {}
        const answer = await world.graphql(document, { input })
        expect(Object.values(answer.body.data)).toMatchObject([
          { __typename: expect.stringMatching(/NotFoundError$/) },
        ])
        expect(gist(answer)).toEqual(gist(await world.graphql(document, { input: harmless })))
      }
    }
    expect(await digest()).toBe(before)
  })
})

it('only administrators run a draw, in REST and GraphQL', async () => {
  const { LotteryDraw: drawId = '' } = foreign[0]?.ids ?? {}
  const document = `mutation ($input: ExecuteLotteryDrawInput!) {
    executeLotteryDraw(input: $input) { __typename }
  }`
  const run = (by: Parameters<typeof world.graphql>[2]) =>
    world.graphql(document, { input: { lotteryDrawId: drawId } }, by)
  const developer = await world.signInAs('OWNER')
  for (const [by, code] of [
    [world.keys, 'INVALID_BEARER_TOKEN'],
    [other.test, 'INVALID_BEARER_TOKEN'],
    [{ bearer: developer }, 'ADMIN_REQUIRED'],
  ] as const)
    expect((await run(by)).body.errors).toMatchObject([{ extensions: { code } }])
  const byRest = await world.post(`/admin/lotteries/any/draws/${drawId}/execute`, developer)
  expect(byRest.body.errorCode).toBe('ADMIN_REQUIRED')
})

describe('a lottery of every partner', () => {
  const create = `mutation ($input: CreateLotteryInput!) {
    createLottery(input: $input) { ... on CreateLotteryPayload { lottery { id isForEveryPartner } }
      ... on Error { code } } }`
  const rules = {
    mainRange: { count: 1, min: 1, max: 2 },
    tiers: [{ name: 'Win', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(100) } }],
  }
  const input = (s: string) => ({
    slug: s,
    name: 'Everybody',
    frequency: 'DAILY',
    isForEveryPartner: true,
    rules,
    drawDelaySeconds: 0,
  })

  it('is created only by administrators', async () => {
    for (const by of [world.keys, { bearer: await world.signInAs('OWNER') }])
      expect(
        (await world.graphql(create, { input: input('no') }, by)).body.data.createLottery,
      ).toEqual({ code: 'ADMIN_REQUIRED' })
  })

  it('has one draw for all, and each partner sees its own tickets', async () => {
    const admin = await world.signInAs('OPERATOR')
    const made = (await world.graphql(create, { input: input('everybody') }, { bearer: admin }))
      .body.data.createLottery
    expect(made.lottery.isForEveryPartner).toBe(true)
    const partners = [world.keys, other.test]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        world.post('/v1/lotteries/entries', partners[n % 2]?.secret, {
          email: `p${n % 2}@example.com`,
          lotterySlug: 'everybody',
          userId: `p${n % 2}`,
          lines: [{ main: [1], bonus: [] }, { main: [2] }],
        }),
      ),
    )
    for (const { status } of answers) expect(status).toBe(201)
    const item = await world.post('/v1/lotteries/entries', world.keys.secret, {
      email: 'p0@example.com',
      lotterySlug: 'everybody',
      userId: 'p0',
    })
    expect(item.body.message).toBe('Max tickets exceeded')
    const { drawId } = (answers[0] as Answer).body.data
    const { body } = await world.post(`/admin/lotteries/everybody/draws/${drawId}/execute`, admin)
    expect(body.data).toMatchObject({ status: 'COMPLETED', ticketCount: 20, payoutCents: 2_000 })
    for (const [n, keys] of partners.entries()) {
      const list = (await world.get('/v1/lotteries/everybody/entries', keys.secret)).body
      expect(list.total).toBe(10)
      expect(new Set(list.data.map((t: { email: string }) => t.email))).toEqual(
        new Set([`p${n}@example.com`]),
      )
      const events = await world.runtime.db.event.groupBy({
        by: ['type'],
        where: {
          partnerId: n === 0 ? world.partner.partnerId : other.partnerId,
          environment: 'TEST',
          data: { path: ['drawId'], equals: drawId },
        },
        _count: true,
        orderBy: { type: 'asc' },
      })
      expect(events.map(({ type, _count }) => [type, _count])).toEqual([
        ['lottery.draw_completed', 1],
        ['lottery.entry_created', 10],
        ['lottery.ticket_won', 10],
      ])
    }
    expect(
      (await world.get('/v1/lotteries/everybody/entries', world.partner.live.secret)).body.message,
    ).toBe('Lottery not found')
  })

  it('is changed only by administrators, and its slug is taken', async () => {
    const update = `mutation ($input: PauseLotteryInput!) { pauseLottery(input: $input) {
      ... on PauseLotteryPayload { lottery { status } } ... on Error { code } } }`
    const { id } = await world.runtime.db.lottery.findFirstOrThrow({ where: { slug: 'everybody' } })
    const set = async (by: Parameters<World['graphql']>[2], lottery: object = { id }) =>
      (await world.graphql(update, { input: { lottery } }, by)).body.data.pauseLottery
    expect(await set(world.keys)).toEqual({ code: 'LOTTERY_NOT_FOUND' })
    expect(await set(world.keys, { slug: 'everybody' })).toEqual({ code: 'LOTTERY_NOT_FOUND' })
    const bearer = await world.signInAs('OPERATOR')
    for (const by of [{ id }, { slug: 'everybody' }])
      expect(await set({ bearer }, by)).toEqual({ lottery: { status: 'PAUSED' } })
    const taken = { ...input('everybody'), isForEveryPartner: false }
    expect((await world.graphql(create, { input: taken })).body.data.createLottery).toEqual({
      code: 'LOTTERY_SLUG_TAKEN',
    })
    const parallel = await Promise.all(
      Array.from(
        { length: 8 },
        async () =>
          (await world.graphql(create, { input: { ...taken, slug: 'race' } })).body.data
            .createLottery,
      ),
    )
    expect(parallel.filter(({ code }) => code === 'LOTTERY_SLUG_TAKEN')).toHaveLength(7)
  })

  it.each([
    ['a slug with capitals', { slug: 'Big' }],
    ['a far date', { startsAt: '9999-01-01T00:00:00Z' }],
    ['an end before the first draw', { endsAt: '2020-01-01T00:00:00Z' }],
    ['a first closing in the past', { firstClosesAt: '2020-01-01T00:00:00Z' }],
    ['no numbers', { rules: { ...rules, mainRange: { count: 0, min: 1, max: 2 } } }],
    [
      'more numbers than there are',
      { rules: { ...rules, mainRange: { count: 3, min: 1, max: 2 } } },
    ],
    ['too many numbers', { rules: { ...rules, mainRange: { count: 1, min: 0, max: 900 } } }],
    ['no tiers', { rules: { ...rules, tiers: [] } }],
    [
      'a tier without a prize',
      {
        rules: {
          ...rules,
          tiers: [{ name: 'a', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(0) } }],
        },
      },
    ],
    [
      'a tier that asks for too much',
      {
        rules: {
          ...rules,
          tiers: [{ name: 'a', mainMatches: 2, bonusMatches: 1, prize: { amount: usd(1) } }],
        },
      },
    ],
    [
      'shares of more than the pot',
      {
        rules: {
          ...rules,
          tiers: [
            { name: 'a', mainMatches: 1, bonusMatches: 0, prize: { potShareBasisPoints: 9000 } },
            { name: 'b', mainMatches: 1, bonusMatches: 0, prize: { potShareBasisPoints: 2000 } },
          ],
        },
      },
    ],
    ['NUL', { name: 'a\0' }],
  ])('is refused with %s', async (_, change) => {
    const { body } = await world.graphql(create, {
      input: { ...input('bad'), isForEveryPartner: false, ...change },
    })
    expect(body.data.createLottery).toEqual({ code: 'VALIDATION_FAILED' })
  })
})
