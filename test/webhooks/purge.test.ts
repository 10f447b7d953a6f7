import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchStarted } from '../../src/arena/matches/match.events.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import { createWorld, type World } from '../world.ts'
import { storeEndpoint } from './stored.ts'

const days30 = 30 * 24 * 3600 * 1000
let now = new Date('2026-03-01T12:00:00.000Z')
let world: World
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const forget = async () => {
  for (const job of retentionJobs) await job.run(world.runtime)
}

const rows = async () => {
  const { db } = world.runtime
  return {
    endpoints: await db.webhookEndpoint.count(),
    deliveries: await db.webhookDelivery.count(),
    attempts: await db.webhookAttempt.count(),
    events: await db.event.count(),
  }
}

/** Each delivery has been tried once. */
const tryAll = () =>
  world.server.database.pool.query({
    text: `WITH d AS (UPDATE webhook_delivery SET attempts = 1 WHERE attempts = 0 RETURNING id)
      INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms)
      SELECT id, 1, now(), 5 FROM d`,
  })

test('deliveries are deleted after exactly 30 days, and events stay', async () => {
  await storeEndpoint(world, { ...world.tenant, url: 'https://8.8.8.8/' })
  await world.givePoints('ann', 2)
  later(2_000)
  await world.givePoints('ann', 1)
  await tryAll()
  const all = { endpoints: 1, deliveries: 3, attempts: 3, events: 3 }
  later(days30 - 3_000)
  await forget()
  expect(await rows()).toEqual(all)
  later(2_000)
  await forget()
  expect(await rows()).toEqual({ endpoints: 1, deliveries: 1, attempts: 1, events: 3 })
  await forget()
  expect(await rows()).toEqual({ endpoints: 1, deliveries: 1, attempts: 1, events: 3 })
  later(2_000)
  await forget()
  expect(await rows()).toEqual({ endpoints: 1, deliveries: 0, attempts: 0, events: 3 })
})

test('old events are listed until their month is dropped', async () => {
  expect((await world.get('/v1/events', world.keys.secret)).body.data).toHaveLength(3)
})

test('a deleted endpoint is removed with all its deliveries; its events stay', async () => {
  const id = await storeEndpoint(world, { ...world.tenant, url: 'https://1.1.1.1/' })
  await world.givePoints('cid', 2)
  await tryAll()
  await world.call('DELETE', `/v1/webhooks/${id}`, { key: world.keys.secret })
  expect(await rows()).toEqual({ endpoints: 2, deliveries: 4, attempts: 4, events: 5 })
  later(1_000)
  await forget()
  expect(await rows()).toEqual({ endpoints: 2, deliveries: 2, attempts: 2, events: 5 })
  later(3600_000)
  await forget()
  expect(await rows()).toEqual({ endpoints: 1, deliveries: 2, attempts: 2, events: 5 })
})

test('one run deletes more than one chunk', async () => {
  const { pool } = world.server.database
  const { partnerId } = world.tenant
  later(60_000)
  // Their ids are of no month, so old ones are deleted one by one.
  for (const at of [new Date(now.getTime() - days30 - 1), now])
    await pool.query({
      text: `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        SELECT ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, $1::uuid, 'TEST', 'match.started', $3::json, $2::timestamptz
        FROM generate_series(1, 6000)`,
      values: [partnerId, at, JSON.stringify(matchStarted.example)],
    })
  await forget()
  const { events, deliveries } = await rows()
  expect([events, deliveries]).toEqual([6005, 6002])
})
