/** The activity of one user over time. */
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { awardPoints } from '../../src/points/points.ts'
import { findUserSeries } from '../../src/statistics/analytics.ts'
import { userMetrics } from '../../src/statistics/metric.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { seed } from '../rest/junk.ts'
import { createWorld, type World } from '../world.ts'

const start = new Date('2026-06-01T08:00:00Z')
const [hourMs, dayMs] = [3_600_000, 86_400_000]
let world: World
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const after = (days: number, hours = 0) => new Date(start.getTime() + days * dayMs + hours * hourMs)

const span = {
  from: '2026-06-01T00:00:00Z',
  to: '2026-06-20T00:00:00Z',
  interval: 'DAY',
  timeZone: 'Europe/Paris',
}
type Asked = typeof span & { metrics?: readonly string[]; groupBy?: string }

const shown = 'metric dimension group total buckets { startsAt endsAt value }'
const variables = `$metrics: [StatisticsMetric!], $from: DateTime!, $to: DateTime!, $interval: StatisticsInterval!, $timeZone: String,
  $groupBy: StatisticsDimension`
const args =
  'metrics: $metrics, from: $from, to: $to, interval: $interval, timeZone: $timeZone, groupBy: $groupBy'

const ask = async (user: string, requested: Asked, by = world.keys) => {
  const { body } = await world.graphql(
    `query ($user: String!, ${variables}) { user(by: { externalId: $user }) { statistics(${args}) { ${shown} } } }`,
    { user, ...requested },
    by,
  )
  return body
}

const statisticsOf = async (...requested: Parameters<typeof ask>) => {
  const { data, errors } = await ask(...requested)
  expect(errors).toBeUndefined()
  return data.user.statistics
}

const analytics = async (requested: Asked, by = world.keys) => {
  const { body } = await world.graphql(
    `query (${variables.replace('[StatisticsMetric!]', '[StatisticsMetric!]!')}) { analytics(${args}) { ${shown} } }`,
    requested,
    by,
  )
  expect(body.errors).toBeUndefined()
  return body.data.analytics
}

const errorOf = async (...requested: Parameters<typeof ask>) =>
  (await ask(...requested)).errors[0].extensions.errors[0].message

/** Metrics that partners have, too. */
const both = userMetrics.filter((metric) => metric !== 'ACTIVITIES')

describe('the statistics of a user', () => {
  beforeAll(async () => {
    const { post, keys } = world
    const play = (userId: string) =>
      post('/v1/games/play', keys.public, { userId, gameType: 'ENIGMA_BOXES' })
    await world.givePoints('ann', 500)
    await play('ann')
    now = after(2, 15) // 1:00 in Paris, a day later than in UTC
    await play('ann')
    const hand = pointsByHand(world)
    const { ledgerEntry } = await hand.adjust('ann', 70)
    await hand.adjust('ann', -20)
    now = after(3)
    await hand.reverse(ledgerEntry.uuid)
    const tracked = await post('/v1/user-journeys/track', keys.public, {
      events: [1, 30, 31].map((hours) => ({
        externalId: 'ann',
        category: 'PAGE_VIEW',
        eventType: 'visit',
        occurredAt: after(0, hours).toISOString(),
      })),
    })
    expect(tracked.status, tracked.text).toBe(200)
    now = after(10)
  })

  it('equal those of a partner who has no other user', async () => {
    for (const groupBy of [{}, { groupBy: 'EVENT_TYPE' }, { groupBy: 'GAME_TYPE' }])
      for (const metrics of [both.slice(0, 2), both.slice(2)]) {
        const isPlays = metrics.includes('PLAYS')
        if ('groupBy' in groupBy && isPlays !== (groupBy.groupBy === 'GAME_TYPE')) continue
        const requested = { ...span, metrics, ...groupBy }
        const found = await statisticsOf('ann', requested)
        expect(found).toEqual(await analytics(requested))
        // Plays that win nothing have no group of rewards.
        expect(found.length).toBeGreaterThanOrEqual(metrics.length - 1)
        if (!('groupBy' in groupBy))
          for (const { metric, total } of found)
            if (metric !== 'REWARD_VALUE') expect(total, metric).toBeGreaterThan(0)
      }
  })

  it('are all its metrics when none is named', async () => {
    const found: { metric: string }[] = await statisticsOf('ann', span)
    expect(found.map(({ metric }) => metric)).toEqual(userMetrics)
  })

  it('have the activities of the timeline, without corrections, by category', async () => {
    const found = await statisticsOf('ann', {
      ...span,
      metrics: ['ACTIVITIES'],
      groupBy: 'CATEGORY',
    })
    const { rows } = await world.server.database.pool.query({
      text: 'SELECT category::text AS group, count(*)::int AS total FROM user_activity WHERE NOT is_correction GROUP BY 1 ORDER BY 2 DESC, 1',
    })
    expect(found.map(({ group, total }: Record<string, unknown>) => ({ group, total }))).toEqual(
      rows,
    )
    const views = found.find(({ group }: { group: string }) => group === 'PAGE_VIEW')
    expect(views.buckets.slice(0, 3).map(({ value }: { value: number }) => value)).toEqual([
      1, 2, 0,
    ])
  })

  it('contain nothing of other users, and can be empty', async () => {
    const before = await statisticsOf('ann', span)
    await world.givePoints('bob', 100)
    expect(await statisticsOf('ann', span)).toEqual(before)
    await world.post('/v1/user-journeys/users', world.keys.public, { externalId: 'new' })
    for (const { total, buckets } of await statisticsOf('new', span)) {
      expect(total).toBe(0)
      expect(buckets).toHaveLength(20)
    }
  })

  it('are read for many users in one answer', async () => {
    const { body } = await world.graphql(
      `query (${variables}) { users(first: 10) { nodes { externalId statistics(${args}) { ${shown} } } } }`,
      { ...span, metrics: ['POINTS_ISSUED', 'ACTIVITIES'] },
    )
    expect(body.errors).toBeUndefined()
    for (const { externalId, statistics } of body.data.users.nodes)
      expect(statistics).toEqual(
        await statisticsOf(externalId, { ...span, metrics: ['POINTS_ISSUED', 'ACTIVITIES'] }),
      )
  })

  it('cost more with each metric, and the cost is known beforehand', async () => {
    const cost = async (metrics: string[]) => {
      const { body } = await world.graphql(
        `query (${variables}) { users(first: 50) { nodes { statistics(${args}) { total } } } }`,
        { ...span, metrics },
      )
      return body.extensions.cost.requested
    }
    const item = await cost(['PLAYS'])
    expect(await cost(['PLAYS', 'ACTIVITIES', 'POINTS_ISSUED'])).toBeGreaterThan(2 * item)
  })

  it('are refused for metrics that no user has, and to a public key', async () => {
    expect(await errorOf('ann', { ...span, metrics: ['NEW_USERS'] })).toBe(
      'metrics NEW_USERS is not counted for one user',
    )
    expect(await errorOf('ann', { ...span, metrics: ['PLAYS'], groupBy: 'CATEGORY' })).toContain(
      'not CATEGORY',
    )
    const { public: key } = world.keys
    const { errors } = await ask('ann', span, { public: key } as typeof world.keys)
    expect(errors[0].extensions.code).toBe('MISSING_API_SECRET')
  })

  it('are empty for a caller of another partner', async () => {
    const { partnerId } = await world.createPartner()
    const { id: userId } = await world.runtime.db.endUser.findFirstOrThrow({
      where: { externalId: 'ann' },
    })
    const requested = {
      ...world.tenant,
      ...span,
      from: start,
      to: now,
      interval: 'DAY',
      userId,
    } as const
    const totalOf = async (tenant: object) => {
      const [found] = await findUserSeries(world.runtime, [
        { ...requested, metric: 'POINTS_ISSUED', ...tenant },
      ])
      return (found as { total: bigint }[])[0]?.total
    }
    expect(await totalOf({})).toBeGreaterThan(0n)
    expect(await totalOf({ partnerId })).toBe(0n)
    expect(await totalOf({ environment: 'LIVE' })).toBe(0n)
  })
})

it(`only events in the period are counted, although clocks differ (seed ${seed})`, async () => {
  const hours = fc.integer({ min: 0, max: 24 * 60 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 30 }), fc.integer({ min: -11, max: 11 })), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.array(fc.tuple(hours, hours), { minLength: 3, maxLength: 8 }),
      async (steps, spans) => {
        const name = uuid()
        let hour = 0
        const awarded: Date[] = []
        for (const [step, skew] of steps) {
          hour += step
          const at = after(0, hour + skew)
          awarded.push(at)
          const award = { ...world.userKey(name), eventType: 'daily_login' }
          await awardPoints({ ...world.runtime, clock: () => at }, [award])
        }
        for (const [a, b] of spans) {
          const [from, to] = [after(0, Math.min(a, b)), after(0, Math.max(a, b) + 1)]
          const [found] = await statisticsOf(name, {
            from: from.toISOString(),
            to: to.toISOString(),
            interval: 'HOUR',
            timeZone: 'UTC',
            metrics: ['POINTS_ISSUED'],
          })
          const count = awarded.filter((at) => at >= from && at < to).length
          expect(found.total).toBe(10 * count)
        }
      },
    ),
    { seed, numRuns: 15, endOnFailure: true },
  )
})

it('a metric with too many facts is refused, and answered for a shorter period', async () => {
  const { partnerId, test: keys } = await world.createPartner()
  const { pool } = world.server.database
  const count = 50_100
  await world.post('/v1/user-journeys/users', keys.public, { externalId: 'many' })
  const { rows } = await pool.query({
    text: `UPDATE end_user SET balance = $2::int, lifetime_points = $2::int, entries = $2::int
      WHERE partner_id = $1 RETURNING id`,
    values: [partnerId, count],
  })
  await pool.query({
    text: `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, created_at)
      SELECT gen_random_uuid(), $2, 'TEST', $1, n, 'planted', 1, n, 'planted', $4::timestamptz + n * interval '10 s'
      FROM generate_series(1, $3::int) n`,
    values: [rows[0].id, partnerId, count, start],
  })
  const requested = { ...span, metrics: ['POINTS_ISSUED'] }
  expect(await errorOf('many', requested, keys)).toBe(
    'from is followed by more than 50000 facts of POINTS_ISSUED; ask for less time',
  )
  const [less] = await statisticsOf('many', { ...requested, to: '2026-06-05T00:00:00Z' }, keys)
  expect(less).toEqual((await analytics({ ...requested, to: '2026-06-05T00:00:00Z' }, keys))[0])
})
