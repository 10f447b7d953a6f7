import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { isCounted, type Metric, metrics } from '../../src/statistics/metric.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-03-28T22:50:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

type Asked = {
  metrics: string[]
  from: string
  to: string
  interval: string
  timeZone?: string
  groupBy?: string
  filter?: { dimension: string; values: string[] }
}

const document = `query ($metrics: [StatisticsMetric!]!, $from: DateTime!, $to: DateTime!, $interval: StatisticsInterval!,
  $timeZone: String, $groupBy: StatisticsDimension, $filter: StatisticsFilter) {
  analytics(metrics: $metrics, from: $from, to: $to, interval: $interval, timeZone: $timeZone,
    groupBy: $groupBy, filter: $filter) {
    metric dimension group total buckets { startsAt endsAt value }
  } }`

const ask = async (requested: Asked, by = world.keys) => {
  const { body } = await world.graphql(document, requested, by)
  return body
}

const seriesOf = async (requested: Asked, by = world.keys) => {
  const { data, errors } = await ask(requested, by)
  expect(errors).toBeUndefined()
  return data.analytics
}

const play = (userId: string) =>
  world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' })

describe('series', () => {
  const partnerKeys = { public: '', secret: '' }

  beforeAll(async () => {
    Object.assign(partnerKeys, world.keys)
    // Around the night in which Europe has no hour from 2 to 3.
    for (const [at, user] of [
      ['2026-03-28T22:50:00Z', 'ann'], // 23:50 in Paris
      ['2026-03-28T23:10:00Z', 'ann'], // 00:10 of the 29th
      ['2026-03-29T21:59:00Z', 'bob'], // 23:59 of the 29th
      ['2026-03-29T22:00:00Z', 'bob'], // 00:00 of the 30th
    ] as const) {
      now = new Date(at)
      await world.givePoints(user, 1)
    }
    await play('ann')
    now = new Date('2026-03-30T12:00:00Z')
  })

  it('sums facts in days of a time zone, even in a day of 23 hours', async () => {
    const [issued] = await seriesOf({
      metrics: ['POINTS_ISSUED'],
      from: '2026-03-28T12:00:00Z',
      to: '2026-03-30T12:00:00Z',
      interval: 'DAY',
      timeZone: 'Europe/Paris',
      filter: { dimension: 'EVENT_TYPE', values: ['signup'] },
    })
    expect(issued.buckets.map(({ startsAt }: { startsAt: string }) => startsAt)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    const each = issued.total / 4
    expect(issued.buckets.map(({ value }: { value: number }) => value)).toEqual([
      each,
      2 * each,
      each,
    ])
  })

  it('sums facts in hours that begin between two hours of UTC', async () => {
    const [issued] = await seriesOf({
      metrics: ['NEW_USERS'],
      from: '2026-03-28T22:45:00Z',
      to: '2026-03-28T23:15:00Z',
      interval: 'HOUR',
      timeZone: 'Asia/Kathmandu',
    })
    expect(issued.buckets).toEqual([
      { startsAt: '2026-03-28T22:15:00.000Z', endsAt: '2026-03-28T23:15:00.000Z', value: 1 },
    ])
  })

  it('gives the points that users can still spend, at present and at the end of each day', async () => {
    const { body } = await world.graphql(
      `{ outstandingPoints(from: "2026-03-28T12:00:00Z", interval: DAY, timeZone: "Europe/Paris") {
        points buckets { startsAt value } } }`,
      {},
      world.keys,
    )
    const { points, buckets } = body.data.outstandingPoints
    const { _sum } = await world.runtime.db.endUser.aggregate({
      where: world.tenant,
      _sum: { balance: true },
    })
    expect(points).toBe(Number(_sum.balance))
    const [first, second, third] = buckets.map(({ value }: { value: number }) => value)
    expect([second, third]).toEqual([3 * first, points])
  })

  it.each([
    // 18:30 UTC of the day before.
    ['Asia/Kolkata', ['2026-03-28T18:30:00.000Z', '2026-03-29T18:30:00.000Z']],
    ['America/New_York', ['2026-03-29T04:00:00.000Z', '2026-03-30T04:00:00.000Z']],
    ['Pacific/Kiritimati', ['2026-03-28T10:00:00.000Z', '2026-03-29T10:00:00.000Z']],
  ])(
    'names the days of %s by their dates, and active users by the same dates of UTC',
    async (timeZone, [from, to]) => {
      const { body } = await world.graphql(
        `query ($from: DateTime!, $to: DateTime!, $timeZone: String) {
        analytics(metrics: [POINTS_ISSUED, ACTIVE_USERS], from: $from, to: $to, interval: DAY, timeZone: $timeZone) {
          buckets { date startsAt } } }`,
        { from, to, timeZone },
      )
      const [issued, active] = body.data.analytics
      expect(issued.buckets).toEqual([{ date: '2026-03-29', startsAt: from }])
      expect(active.buckets).toEqual([{ date: '2026-03-29', startsAt: '2026-03-29T00:00:00.000Z' }])
    },
  )

  it('tells since when a metric is counted', async () => {
    const read = async () => {
      const { body } = await world.graphql(
        `{ analytics(metrics: [POINTS_ISSUED, PLAYS, REFERRALS], from: "2026-03-30T00:00:00Z",
          to: "2026-03-31T00:00:00Z", interval: DAY) { countedSince }
        user(by: { externalId: "ann" }) { createdAt statistics(metrics: [ACTIVITIES], from: "2026-03-30T00:00:00Z",
          to: "2026-03-31T00:00:00Z", interval: DAY) { countedSince } } }`,
      )
      const { analytics, user } = body.data
      expect(user.statistics).toEqual([{ countedSince: user.createdAt }])
      return analytics.map(({ countedSince }: { countedSince: string | null }) => countedSince)
    }
    expect(await read()).toEqual(['2026-03-28T22:00:00.000Z', '2026-03-29T22:00:00.000Z', null])
  })

  it('groups by a dimension, the highest total first', async () => {
    const requested = {
      from: '2026-03-01T00:00:00Z',
      to: '2026-04-01T00:00:00Z',
      interval: 'MONTH',
    }
    const [series] = await seriesOf({
      ...requested,
      metrics: ['POINTS_ISSUED'],
      groupBy: 'EVENT_TYPE',
    })
    expect(series).toMatchObject({ dimension: 'EVENT_TYPE', group: 'signup' })
    const [plays] = await seriesOf({ ...requested, metrics: ['PLAYS'], groupBy: 'GAME_TYPE' })
    expect(plays).toMatchObject({ group: 'NEON_WHEEL', total: 1 })
  })

  it('shows nothing of another environment or partner', async () => {
    const other = await world.createPartner()
    for (const keys of [other.test, world.partner.live])
      expect(
        (
          await seriesOf(
            {
              metrics: ['POINTS_ISSUED', 'NEW_USERS'],
              from: '2026-03-01T00:00:00Z',
              to: '2026-04-01T00:00:00Z',
              interval: 'MONTH',
            },
            keys,
          )
        ).map(({ total }: { total: number }) => total),
      ).toEqual([0, 0])
  })

  it('are the same after hours are packed into days, and after late corrections', async () => {
    const requested = {
      // The requests of this test are counted from time to time.
      metrics: Object.keys(metrics).filter(
        (metric) => isCounted(metric as Metric, false) && !metric.startsWith('API_'),
      ),
      from: '2026-03-01T00:00:00Z',
      to: '2026-04-01T00:00:00Z',
      interval: 'DAY',
    }
    const halves = [
      requested.metrics.slice(0, 10),
      requested.metrics.slice(10, 20),
      requested.metrics.slice(20),
    ]
    const read = () => Promise.all(halves.map((metrics) => seriesOf({ ...requested, metrics })))
    const { pool } = world.server.database
    const pack = async () => {
      await packStatistics(world.runtime)
      const text = `SELECT FROM statistic WHERE metric NOT IN ('API_REQUESTS', 'API_ERRORS')`
      expect((await pool.query({ text })).rowCount).toBe(0)
    }
    const first = await read()
    const { rows } = await pool.query({
      text: `INSERT INTO statistic SELECT partner_id, environment, metric, hour, key, 7, 1, 1, 1, 1
        FROM statistic WHERE shard = 0 RETURNING *`,
    })
    const before = await read()
    expect(before).not.toEqual(first)
    now = new Date(now.getTime() + 86_400_000)
    await pack()
    expect(await read()).toEqual(before)
    const { body } = await world.graphql(
      `{ analytics(metrics: [POINTS_ISSUED], from: "2026-03-30T00:00:00Z", to: "2026-03-31T00:00:00Z",
        interval: DAY) { countedSince } }`,
    )
    // Packed facts are known by their day.
    expect(body.data.analytics).toEqual([{ countedSince: '2026-03-28T00:00:00.000Z' }])
    await pool.query({
      text: `INSERT INTO statistic SELECT partner_id, environment, metric, hour, key, 3, -1, -1, -1, -1
        FROM json_populate_recordset(NULL::statistic, $1)`,
      values: [JSON.stringify(rows)],
    })
    expect(await read()).toEqual(first)
    await pack()
    expect(await read()).toEqual(first)
  })
})

describe('a query that cannot be answered', () => {
  const good = {
    metrics: ['PLAYS'],
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-02T00:00:00Z',
    interval: 'DAY',
  }
  const bad: [what: string, asked: Asked, message: string][] = [
    ['from after to', { ...good, to: '2026-02-01T00:00:00Z' }, 'to must not be before from'],
    [
      'ten years by hour',
      { ...good, from: '2016-03-01T00:00:00Z', interval: 'HOUR' },
      'interval gives 87673 values; at most 5000 are answered at once',
    ],
    [
      'an unknown time zone',
      { ...good, timeZone: 'Europe/Atlantis' },
      'timeZone must be a time zone such as Europe/Paris',
    ],
    [
      'an offset as a time zone',
      { ...good, timeZone: '+02:00' },
      'timeZone must be a time zone such as Europe/Paris',
    ],
    [
      'a group that the metric does not have',
      { ...good, groupBy: 'CAMPAIGN' },
      'groupBy PLAYS has GAME_TYPE, REWARD_TIER, REWARD_TYPE, not CAMPAIGN',
    ],
    [
      'a metric of one user',
      { ...good, metrics: ['PLAYS', 'ACTIVITIES'] },
      'metrics ACTIVITIES is counted for one user only',
    ],
    ['no metric', { ...good, metrics: [] }, 'metrics must not be empty'],
  ]

  it.each(bad)('is refused: %s', async (_, requested, message) => {
    const { errors } = await ask(requested)
    expect(errors).toHaveLength(1)
    expect(errors[0].extensions).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [{ message }],
    })
  })

  it('is refused to a public key', async () => {
    const { errors } = await ask(good, { public: world.keys.public } as typeof world.keys)
    expect(errors[0].extensions.code).toBe('MISSING_API_SECRET')
  })

  it('finds nothing for the id of a campaign of another partner', async () => {
    const [series] = await seriesOf({
      ...good,
      metrics: ['CAMPAIGN_EVENTS'],
      filter: { dimension: 'CAMPAIGN', values: [encodeNodeId('Campaign', uuid())] },
    })
    expect(series.total).toBe(0)
  })
})

describe('the audit finds', () => {
  const userDays = `statistic_day WHERE metric = 'NEW_USERS'`
  it.each([
    [
      'an hour that is not the sum of its facts',
      `INSERT INTO statistic SELECT partner_id, environment, metric, day, key, 0, 0, 1, 0, 0 FROM ${userDays}`,
    ],
    ['a day that is not the sum of its facts', `UPDATE statistic_day SET sums[1] = sums[1] + 1`],
    [
      'facts in another quarter of the day',
      `UPDATE statistic_day SET quarters[1] = quarters[1] - 1`,
    ],
    ['a day that is missing', `DELETE FROM ${userDays}`],
    [
      'a day that has a fact twice',
      `INSERT INTO statistic_day SELECT partner_id, environment, metric, day, 'twice', quarters, sums FROM ${userDays}`,
    ],
  ])('%s', async (_, sql) => {
    const { pool } = world.server.database
    const client = await pool.connect()
    const broken: string[] = []
    try {
      await client.query('BEGIN')
      expect((await client.query(sql)).rowCount).toBeGreaterThan(0)
      await audit(client, (name, count) => count > 0 && broken.push(name))
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    expect(broken).toEqual(['statistics equal the facts'])
  })
})
