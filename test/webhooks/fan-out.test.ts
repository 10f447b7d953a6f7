import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import {
  type Answer,
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../world.ts'
import { createReceiver, type Receiver } from './receiver.ts'
import { waitUntil } from './stored.ts'

const times = <T>(count: number, run: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => run(i))

describe('endpoints that come and go while points are awarded', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.end())

  test('cause no failed award and no delivery without an endpoint', async () => {
    const { secret } = world.keys
    const seen: Answer[] = []
    const keep = (answer: Answer) => {
      seen.push(answer)
      return answer
    }
    let awarding = true
    const award = async (worker: number) => {
      for (let i = 0; i < 40; i++)
        keep(
          await world.post('/v1/points/award', secret, {
            userId: `u${randomInt(20)}`,
            eventType: 'signup',
            reference: `${worker}-${i}`,
          }),
        )
    }
    const change = async () => {
      const body = { url: 'https://8.8.8.8/hook', events: ['points.*'] }
      while (awarding) {
        const { body: made } = keep(await world.post('/v1/webhooks', secret, body))
        const path = `/v1/webhooks/${made.data.id}`
        const patch = (status: string) =>
          world.call('PATCH', path, { key: secret, body: { status } })
        keep(await patch('DISABLED'))
        keep(await patch('ACTIVE'))
        keep(await world.post(`${path}/test`, secret))
        const again = { from: '2020-01-01T00:00:00Z' }
        keep(await world.post(`${path}/replay`, secret, again))
        keep(await world.call('DELETE', path, { key: secret }))
      }
    }
    const purge = async () => {
      while (awarding) {
        // To the purge, the endpoints were deleted long ago: before all open transactions, which may write to them.
        await world.runtime.db.$executeRaw`UPDATE webhook_endpoint
          SET deleted_at = deleted_at - interval '2 hours' WHERE deleted_at > now() - interval '1 hour'
            AND deleted_at < interval '-500 milliseconds' + coalesce((SELECT min(xact_start) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()), now())`
        for (const job of retentionJobs) await job.run(world.runtime)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    // Deliveries of deleted endpoints may all be gone at the end; those of this one stay.
    const kept = { url: 'https://8.8.8.8/stays', events: ['points.*'] }
    keep(await world.post('/v1/webhooks', secret, kept))
    const others = [...times(4, change), purge()]
    await Promise.all(times(16, award))
    awarding = false
    await Promise.all(others)

    const failed = seen.filter(({ status }) => status !== 200)
    expect(failed.map(({ text }) => text)).toEqual([])
    expect(await world.runtime.db.event.count({ where: { type: 'points.awarded' } })).toBe(640)
    const { pool } = world.server.database
    const { rows } = await pool.query({
      text: `SELECT count(*)::int AS deliveries,
          count(*) FILTER (WHERE w.id IS NULL OR e.id IS NULL)::int AS lost
        FROM webhook_delivery d LEFT JOIN webhook_endpoint w ON w.id = d.endpoint_id
        LEFT JOIN event e ON e.id = d.event_id`,
    })
    expect(rows[0].deliveries).toBeGreaterThan(0)
    expect(rows[0].lost).toBe(0)
    expect(await audit(pool)).toBe(0)
  })

  test('every award has a delivery for each endpoint that existed all the time', async () => {
    const { secret } = world.keys
    const body = { url: 'https://8.8.8.8/stays', events: ['points.awarded'] }
    const made = await Promise.all(times(3, () => world.post('/v1/webhooks', secret, body)))
    await Promise.all(
      times(8, async (worker) => {
        for (let i = 0; i < 10; i++) await world.givePoints(`w${worker}`, 1)
      }),
    )
    for (const { body } of made)
      expect(
        await world.runtime.db.webhookDelivery.count({ where: { endpointId: body.data.id } }),
      ).toBe(80)
  })
})

describe.runIf(onPostgres)('two senders on one database', () => {
  let database: TestDatabase
  let worlds: World[] = []
  let receivers: Receiver[] = []
  beforeAll(async () => {
    database = await createDatabase()
    const config = { jobs: true, webhookAllowPrivate: true }
    worlds = [await createWorld({ database, config }), await createWorld({ database, config })]
    // Slow enough for both servers to send at the same time.
    receivers = [
      await createReceiver(() => ({ status: 200, delayMs: 20 })),
      await createReceiver(() => ({ status: 204, delayMs: 1 })),
    ]
  })
  afterAll(async () => {
    for (const world of worlds) await world.end()
    for (const receiver of receivers) await receiver.end()
    await database.drop()
  })

  test('send 500 events once each to two receivers, and both take part', async () => {
    const [main] = worlds as [World, World]
    const { secret } = main.keys
    // Jobs may write other events meanwhile: users who have events become active.
    for (const { url } of receivers) {
      const body = { url, events: ['points.awarded'] }
      expect((await main.post('/v1/webhooks', secret, body)).status).toBe(200)
    }
    await Promise.all(
      times(10, async (worker) => {
        for (let i = 0; i < 50; i++) {
          const on = worlds[i % 2] as World
          const body = { userId: `u${worker}`, eventType: 'signup' }
          expect((await on.post('/v1/points/award', secret, body)).status).toBe(200)
        }
      }),
    )
    const { db } = main.runtime
    await waitUntil(
      'all were delivered',
      async () => (await db.webhookDelivery.count({ where: { status: 'DELIVERED' } })) === 1_000,
      30_000,
    )
    const events = await db.event.findMany({
      where: { type: 'points.awarded' },
      select: { id: true },
    })
    expect(events).toHaveLength(500)
    const ids = events.map(({ id }) => id).sort()
    for (const { received } of receivers)
      expect(received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual(ids)
    expect(await db.webhookAttempt.count()).toBe(1_000)
    expect(await audit(main.server.database.pool)).toBe(0)
    // Each server has recorded attempts, so both took part.
    for (const { metrics } of worlds.map(({ runtime }) => runtime)) {
      const { values } = await metrics.batchSize.get()
      expect(values.some(({ labels }) => JSON.stringify(labels).includes('record'))).toBe(true)
    }
  })
})
