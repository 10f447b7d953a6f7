import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matchStarted } from '../../src/arena/matches/match.events.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { deleteExpiredRows, type Kept } from '../../src/kit/jobs/expired-rows.ts'
import { retentionJobs, retentionRules } from '../../src/retention-rules.ts'
import { deleteExpiredEvents } from '../../src/webhooks/event-feed.sql.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

const dayMs = 24 * 3_600_000

let database: TestDatabase
let world: World
let other: World
beforeAll(async () => {
  database = await createDatabase()
  world = await createWorld({ database })
  // The embedded database has one server.
  other = onPostgres ? await createWorld({ database }) : world
})
afterAll(async () => {
  for (const each of new Set([world, other])) await each.end()
  await database.drop()
})

const events = () => world.runtime.db.event.count({ where: { type: 'match.started' } })

/** Events whose ids belong to no month. */
const plant = (count: number, daysAgo: number) =>
  world.server.database.pool.query({
    text: `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
      SELECT ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, $1::uuid, 'TEST', 'match.started', $2::json,
        now() - $3::int * interval '1 day' - n * interval '1 second'
      FROM generate_series(1, $4::int) n`,
    values: [world.partner.partnerId, JSON.stringify(matchStarted.example), daysAgo, count],
  })

/** Events of a day ago are old. Notes how many rows each statement deletes. */
const watched = (after: (deleted: number) => void = () => {}): { kept: Kept; steps: number[] } => {
  const steps: number[] = []
  const deleteOld: Kept['deleteOld'] = async (tx, before, most) => {
    const deleted = await deleteExpiredEvents(tx, before, most)
    steps.push(deleted)
    after(deleted)
    return deleted
  }
  return { kept: { what: 'events', keptMs: () => dayMs, deleteOld, most: 500 }, steps }
}

describe('old rows', () => {
  test('are deleted in steps, and young ones stay', async () => {
    await plant(1_200, 2)
    await plant(100, 0)
    const { kept, steps } = watched()
    await deleteExpiredRows(world.runtime, [kept], undefined)
    expect(steps).toEqual([500, 500, 200])
    expect(await events()).toBe(100)
    await deleteExpiredRows(world.runtime, [kept], undefined)
    expect(steps).toEqual([500, 500, 200, 0])
  })

  test('are left when the node stops, and deleted by the next run', async () => {
    await plant(1_200, 2)
    const stopping = new AbortController()
    const { kept, steps } = watched(() => stopping.abort())
    await deleteExpiredRows(world.runtime, [kept], stopping.signal)
    expect(steps).toEqual([500])
    expect(await events()).toBe(800)
    const next = watched()
    await deleteExpiredRows(world.runtime, [next.kept])
    expect(next.steps).toEqual([500, 200])
    expect(await events()).toBe(100)
  })

  test('are deleted once, whoever deletes them at the same time', async () => {
    await plant(3_100, 2)
    const each = [world, other, world, other].map(({ runtime }) => ({ runtime, ...watched() }))
    await Promise.all(each.map(({ runtime, kept }) => deleteExpiredRows(runtime, [kept])))
    await deleteExpiredRows(world.runtime, [watched().kept])
    expect(await events()).toBe(100)
    const deleted = each.flatMap(({ steps }) => steps)
    expect(Math.max(...deleted)).toBeLessThanOrEqual(500)
  })

  test.runIf(onPostgres)('that somebody holds are skipped, not waited for', async () => {
    await plant(10, 2)
    const client = new pg.Client({ connectionString: database.databaseUrl })
    await client.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM event ORDER BY occurred_at LIMIT 3 FOR UPDATE')
    const { kept, steps } = watched()
    await deleteExpiredRows(world.runtime, [kept])
    expect(steps).toEqual([7])
    await client.query('COMMIT')
    await client.end()
    await deleteExpiredRows(world.runtime, [kept])
    expect(steps).toEqual([7, 3])
  })

  test('of other tables are deleted although one table fails', async () => {
    await plant(10, 2)
    const { kept } = watched()
    const broken: Kept = { ...kept, deleteOld: () => Promise.reject(new Error('broken')) }
    await expect(deleteExpiredRows(world.runtime, [broken, kept])).rejects.toThrow(
      'not all old rows could be deleted',
    )
    expect(await events()).toBe(100)
  })

  test('are kept for ever without a time', async () => {
    await plant(10, 3_000)
    const { kept, steps } = watched()
    await deleteExpiredRows(world.runtime, [{ ...kept, keptMs: () => null }])
    expect(steps).toEqual([])
    await deleteExpiredRows(world.runtime, [kept])
  })
})

describe('the job', () => {
  const ago = (ms: number) => new Date(Date.now() - ms)
  const left = async () => {
    const { db } = world.runtime
    return {
      throttle: await db.throttle.findMany({ select: { key: true } }),
      mail: await db.mail.count(),
      audience: await db.arenaAudience.count(),
      revocations: await db.userTokenRevocation.count(),
      signIns: await db.signIn.count(),
      hours: await db.userHour.count(),
    }
  }

  test('deletes what is old of each table and keeps the rest', async () => {
    const { db } = world.runtime
    await db.throttle.deleteMany()
    await db.throttle.createMany({
      data: [
        { key: 'old', tries: 1, since: ago(dayMs + 1_000) },
        { key: 'young', tries: 1, since: ago(dayMs - 60_000) },
      ],
    })
    const mail = { kind: 'PASSWORD_RESET', recipient: 'a@example.com', dueAt: ago(0) } as const
    for (const expiresAt of [ago(1_000), ago(-60_000)])
      await db.mail.create({ data: { ...mail, id: randomUUID(), expiresAt } })
    for (const expiresAt of [ago(1_000), ago(-60_000)])
      await db.arenaAudience.create({
        data: { matchId: randomUUID(), nodeId: randomUUID(), watching: 1, expiresAt },
      })
    for (const revokedAt of [ago(25.1 * 3_600_000), ago(24 * 3_600_000)])
      await db.userTokenRevocation.create({
        data: { ...world.tenant, userDigest: Buffer.from(`${revokedAt}`), revokedAt },
      })
    await world.signInAs('OWNER')
    await world.signInAs('OWNER')
    const [first, second] = await db.signIn.findMany({ select: { id: true } })
    for (const [row, days] of [
      [first, 366],
      [second, 364],
    ] as const)
      await db.signIn.update({
        where: { id: row?.id as string },
        data: { expiresAt: ago(days * dayMs) },
      })
    await world.givePoints('hours', 1)
    const { userId } = await db.userHour.findFirstOrThrow()
    const hour = { ...world.tenant, userId, plays: 0, pointsEarned: 0 }
    await db.userHour.create({ data: { ...hour, hour: ago(32 * dayMs) } })
    for (const job of retentionJobs) await job.run(world.runtime)
    expect(await left()).toEqual({
      throttle: expect.arrayContaining([{ key: 'young' }]),
      mail: 1,
      audience: 1,
      revocations: 1,
      signIns: 1,
      hours: 1,
    })
    expect((await left()).throttle).not.toContainEqual({ key: 'old' })
    await db.mail.deleteMany()
    await db.arenaAudience.deleteMany()
    await db.event.deleteMany({ where: { type: 'match.started' } })
    expect(await audit(world.server.database.pool)).toBe(0)
  })

  test('takes a setting for what an operator decides', () => {
    const { config } = world.runtime
    const days = retentionRules.flatMap(({ what, keptMs }) => {
      const ms = keptMs({
        ...config,
        auditLogDays: 1,
        retention: { eventDays: 2, deliveryDays: 3, matchEventDays: 0, signInDays: 4 },
      })
      return ms === keptMs(config) && ms !== null ? [] : [[what, ms === null ? null : ms / dayMs]]
    })
    expect(Object.fromEntries(days)).toEqual({
      'deliveries and their attempts': 3,
      events: 2,
      'moves of matches': null,
      'audit log': 1,
      'sign-ins': 4,
    })
  })
})
