/** What operators see of all partners is the sum of what each partner sees. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { createWorld, type TestPartner, type World } from '../world.ts'

const start = Date.parse('2026-03-20T00:00:00Z')
const environments = ['TEST', 'LIVE'] as const
const names = ['POINTS_ISSUED', 'WEBHOOK_ATTEMPTS', 'NEW_USERS'] as const
/** From a Thursday to a Tuesday, over the end of a month. */
const span = { from: '2026-03-26T00:00:00Z', to: '2026-04-14T00:00:00Z' }

let world: World
let partners: TestPartner[]
let operator: string
let now = new Date(start)

/** Facts of a metric with two keys, as triggers write them. */
const write = (partnerId: string, environment: string, metric: string, seed: number) =>
  world.server.database.pool.query({
    text: `SELECT add_to_statistics(array_agg(($1::uuid, $2::"Environment", $3::text, ARRAY['key-' || n % 2],
        $4::timestamptz + n * $5 * interval '17 minutes', n % 7 - 1)::statistic_fact))
      FROM generate_series(1, 120) n`,
    values: [partnerId, environment, metric, new Date(start), seed],
  })

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  partners = [world.partner, await world.createPartner(), await world.createPartner()]
  for (const [i, { partnerId }] of partners.entries())
    for (const [j, environment] of environments.entries())
      for (const [k, metric] of names.entries())
        await write(partnerId, environment, metric, 11 + 5 * i + 3 * j + k)
  // Some days are packed, some hours are not, and some late facts are in packed days.
  now = new Date('2026-04-05T09:30:00Z')
  await packStatistics(world.runtime)
  operator = await world.signInAs('OPERATOR')
  await write(partners[0]?.partnerId ?? '', 'TEST', 'POINTS_ISSUED', 13)
})
afterAll(() => world.end())

type Bucket = { startsAt: string; endsAt: string; value: number }
type Series = {
  metric: string
  partner: { uuid: string; name: string } | null
  environment: string | null
  total: number
  buckets: Bucket[]
}

const ask = async (args: string, by: Parameters<World['graphql']>[2] = { bearer: operator }) => {
  const { body } = await world.graphql(
    `{ platform { statistics(${args}) { metric partner { id name } environment total
      buckets { startsAt endsAt value } } } }`,
    {},
    by,
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.platform.statistics as (Series & { partner: { id: string } | null })[]
}

const requested = (interval: string, more = '') =>
  `metrics: [${names}], from: "${span.from}", to: "${span.to}", interval: ${interval} ${more}`

/** What a partner sees in an environment. */
const seenBy = async (
  partner: TestPartner,
  environment: (typeof environments)[number],
  interval: string,
) => {
  const { body } = await world.graphql(
    `{ analytics(${requested(interval)}) { metric total buckets { startsAt endsAt value } } }`,
    {},
    environment === 'TEST' ? partner.test : partner.live,
  )
  return body.data.analytics as Series[]
}

/** The sums of series that have the same buckets, by metric. */
const sum = (all: Series[][]) =>
  names.map((metric) => {
    const parts = all.flat().filter((item) => item.metric === metric)
    const [first] = parts
    const buckets = first?.buckets.map((bucket, i) => ({
      ...bucket,
      value: parts.reduce((value, { buckets }) => value + (buckets[i]?.value ?? 0), 0),
    }))
    return { metric, total: parts.reduce((total, item) => total + item.total, 0), buckets }
  })

test.each(['DAY', 'WEEK', 'MONTH'])(
  'all partners in both environments, by %s',
  async (interval) => {
    const parts = await Promise.all(
      partners.flatMap((partner) =>
        environments.map((environment) => seenBy(partner, environment, interval)),
      ),
    )
    const expected = sum(parts)
    expect(expected.every(({ total }) => total > 0)).toBe(true)
    expect(await ask(requested(interval))).toEqual(
      expected.map((item) => ({ ...item, partner: null, environment: null })),
    )
  },
)

test('one environment, and one partner', async () => {
  const live = await Promise.all(partners.map((partner) => seenBy(partner, 'LIVE', 'WEEK')))
  expect(await ask(requested('WEEK', 'environment: LIVE'))).toMatchObject(sum(live))
  const [, second] = partners as [TestPartner, TestPartner]
  const both = await Promise.all(
    environments.map((environment) => seenBy(second, environment, 'WEEK')),
  )
  const id = encodeNodeId('Partner', second.partnerId)
  const { slug } = await world.runtime.db.partner.findUniqueOrThrow({
    where: { id: second.partnerId },
  })
  for (const by of [`id: "${id}"`, `id: "${second.partnerId}"`, `slug: "${slug}"`])
    expect(await ask(requested('WEEK', `partner: { ${by} }`))).toMatchObject(sum(both))
  for (const by of [`id: "${crypto.randomUUID()}"`, 'slug: "nobody-at-all"']) {
    const nobody = await ask(requested('WEEK', `partner: { ${by} }`))
    expect(nobody.map(({ total }) => total)).toEqual([0, 0, 0])
  }
})

test('by partner and by environment, the highest total first', async () => {
  const issued = `metrics: [POINTS_ISSUED], from: "${span.from}", to: "${span.to}", interval: DAY`
  const expected = await Promise.all(
    partners.map(async (partner) => {
      const [{ total, buckets } = { total: 0, buckets: [] }] = sum(
        await Promise.all(environments.map((environment) => seenBy(partner, environment, 'DAY'))),
      )
      return { partner: { id: encodeNodeId('Partner', partner.partnerId) }, total, buckets }
    }),
  )
  const byPartner = await ask(`${issued}, groupBy: PARTNER`)
  expect(byPartner).toMatchObject(expected.toSorted((a, b) => b.total - a.total))
  expect(byPartner.every(({ partner, environment }) => partner?.name && !environment)).toBe(true)
  const byEnvironment = await ask(`${issued}, groupBy: ENVIRONMENT`)
  expect(byEnvironment.map(({ environment }) => environment).toSorted()).toEqual(['LIVE', 'TEST'])
  const whole = byPartner.reduce((total, item) => total + item.total, 0)
  expect(byEnvironment.reduce((total, item) => total + item.total, 0)).toBe(whole)
})

test('all metrics of analytics can be asked, active users of each partner added up', async () => {
  const at = new Date('2026-04-04T10:00:00Z')
  for (const { test: keys } of partners.slice(0, 2))
    for (const userId of ['ann', 'ben'])
      await world.post('/v1/user-journeys/track', keys.public, {
        events: [{ externalId: userId, category: 'CUSTOM', eventType: 'visit', occurredAt: at }],
      })
  for (const interval of ['DAY', 'WEEK', 'MONTH']) {
    const [active] = await ask(
      `metrics: [ACTIVE_USERS], from: "2026-04-04T00:00:00Z", to: "2026-04-05T00:00:00Z", interval: ${interval}`,
    )
    expect(active?.total).toBe(4)
  }
})

test.each([
  ['by hours', 'interval: HOUR', /interval must be DAY, WEEK or MONTH/],
  [
    'two years',
    'interval: MONTH, to: "2028-03-26T00:00:00Z"',
    /to must be at most 366 days after from/,
  ],
  [
    'a metric of one user',
    'interval: DAY, metrics: [ACTIVITIES]',
    /ACTIVITIES is counted for one user only/,
  ],
  ['backwards', 'interval: DAY, to: "2026-01-01T00:00:00Z"', /to must not be before from/],
  [
    'a year of three metrics by partner',
    'interval: DAY, to: "2027-03-26T00:00:00Z", metrics: [PLAYS, REFERRALS, ARENA_SESSIONS], groupBy: PARTNER',
    /at most 1000 are answered/,
  ],
  [
    'the id of another thing',
    `interval: DAY, partner: { id: "${encodeNodeId('Member', crypto.randomUUID())}" }`,
    /not of a Partner/,
  ],
])('is refused: %s', async (_, args, message) => {
  const given = ['metrics: [PLAYS]', `from: "${span.from}"`, `to: "${span.to}"`]
  const all = [
    args,
    ...given.filter((item) => !args.includes(item.slice(0, item.indexOf(':') + 1))),
  ]
  await expect(ask(all.join(', '))).rejects.toThrow(message)
})

test('nobody but an operator reads it', async () => {
  const owner = { bearer: await world.signInAs('OWNER') }
  await expect(ask(requested('DAY'), owner)).rejects.toThrow(/ADMIN_REQUIRED/)
  await expect(ask(requested('DAY'), world.keys)).rejects.toThrow(/"code":"\w+"/)
})

test('several questions of several metrics are one statement, and their partners another', async () => {
  // The sign-in is looked up now, and not again while it is counted.
  world.runtime.singletons.delete('sign-ins')
  await ask(requested('DAY'))
  const { pool } = world.server.database
  const sent: string[] = []
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((...args: [string | { text: string }]) => {
    const [text] = args.map((arg) => (typeof arg === 'string' ? arg : arg.text))
    sent.push(text ?? '')
    return query(...args)
  }) as never
  const { body } = await world.graphql(
    `{ platform { now: statistics(${requested('DAY')}) { total }
      earlier: statistics(${requested('WEEK')}, environment: LIVE) { total }
      best: statistics(${requested('WEEK')}, groupBy: PARTNER) { partner { name } } } }`,
    {},
    { bearer: operator },
  )
  pool.query = query as never
  expect(body.data.platform.best).toHaveLength(names.length * partners.length)
  expect(sent.filter((text) => text.includes('find_platform_series'))).toHaveLength(1)
  expect(sent.filter((text) => /FROM "?(public"\.")?partner"/.test(text))).toHaveLength(1)
})
