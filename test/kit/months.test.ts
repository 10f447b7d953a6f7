/** Partitions of months: when they are created, which rows they take, and when they are dropped. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { matchStarted } from '../../src/arena/matches/match.events.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import {
  dropMonths,
  endOf,
  idsOf,
  makeMonths,
  missingMonths,
  monthsAhead,
  readMonthlyTables,
} from '../../src/kit/database/months.ts'
import { eventsToKeep } from '../../src/webhooks/event-feed.sql.ts'
import { storeEndpoint } from '../webhooks/stored.ts'
import { createWorld, onPostgres, type World } from '../world.ts'

let now: Date
const dayMs = 86_400_000
/** The month `by` months after the current one. */
const month = (by: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + by)).toISOString().slice(0, 7)
const partition = (by: number) => `event_${month(by).replace('-', '_')}`
let ids = 0
/** An id of that month. */
const idOf = (by: number) =>
  idsOf(month(by)).from.replace(/.{12}$/, String(++ids).padStart(12, '0'))

let world: World
beforeEach(async () => {
  now = new Date()
  world = await createWorld({ isAlone: true })
})
afterEach(() => world.end())

const pool = () => world.server.database.direct
const query = async (text: string, values: unknown[] = []) =>
  (await pool().query({ text, values })).rows

const write = (id: string, at = now) =>
  query(
    `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
     VALUES ($1::uuid, $2::uuid, 'TEST', 'match.started', $3::json, $4::timestamptz)`,
    [id, world.partner.partnerId, JSON.stringify(matchStarted.example), at],
  )
const placeOf = async (id: string) =>
  (
    await query('SELECT tableoid::regclass::text AS place FROM event WHERE id = $1::uuid', [id])
  ).map(({ place }) => place)[0]
const partitions = async () =>
  (await readMonthlyTables(pool()))
    .find(({ table }) => table === 'event')
    ?.months.map(({ name }) => name)

const proofs = () => query(`SELECT conname FROM pg_constraint WHERE conname LIKE 'event_rest_not%'`)

const listed = async () => (await world.get('/v1/events', world.keys.secret)).body.data.length

const drop = (before: Date) => dropMonths(pool(), 'event', { before, stillKept: eventsToKeep })

describe('months', () => {
  test('are made ahead by a start, and by the job as time goes on', async () => {
    const ahead = [partition(0), partition(1), partition(2)]
    expect(await partitions()).toEqual(ahead)
    expect(await makeMonths(pool(), now)).not.toContain(partition(0))
    const tables = await readMonthlyTables(pool())
    expect(
      [0, 1, 2].map((by) => monthsAhead(tables, new Date(endOf(month(by)).getTime() - 1))),
    ).toEqual([2, 1, 0])
    expect((await world.get('/metrics')).text).toContain('\ntessera_months_ahead 2\n')
    expect(await makeMonths(pool(), endOf(month(0)))).toContain(partition(3))
    expect(await partitions()).toEqual([...ahead, partition(3)])
    for (const table of await readMonthlyTables(pool()))
      expect(missingMonths(table, endOf(month(0)))).toEqual([])
  })

  test('take ids of their time; an id of the far past or future is kept without a month', async () => {
    for (const [by, place] of [
      ...[0, 1, 2].map((by) => [by, partition(by)] as const),
      ...[-600, -1, 3, 5_000].map((by) => [by, 'event_rest'] as const),
    ]) {
      const id = idOf(by)
      await write(id)
      expect([by, await placeOf(id)]).toEqual([by, place])
    }
    await world.givePoints('ann', 1)
    expect(await query('SELECT count(*)::int AS n FROM event')).toEqual([{ n: 8 }])
    expect(await listed()).toBe(8)
  })

  test('get what the rest has of them when they are made late', async () => {
    const id = idOf(3)
    await write(id)
    await makeMonths(pool(), endOf(month(0)))
    expect(await placeOf(id)).toBe(partition(3))
    await write(idOf(4))
    // A large rest is proven to have no rows of the month before others have to wait.
    const options = { largeBytes: -1 }
    expect(await makeMonths(pool(), endOf(month(1)), options)).not.toContain(partition(4))
    expect(await makeMonths(pool(), endOf(month(2)), options)).toContain(partition(5))
    expect(await proofs()).toEqual([])
  })

  test('with a large rest, the current month is not made late, and can be written', async () => {
    const proof = `event_rest_not_${month(6).replace('-', '_')}`
    // Left behind by a run that was killed before the month began.
    await query(`ALTER TABLE event_rest ADD CONSTRAINT ${proof}
      CHECK (id < '${idsOf(month(6)).from}' OR id >= '${idsOf(month(6)).to}') NOT VALID`)
    await expect(write(idOf(6))).rejects.toThrow(proof)
    const made = await makeMonths(pool(), endOf(month(5)), { largeBytes: -1 })
    expect(made.filter((name) => /^event_\d/.test(name))).toEqual([7, 8].map(partition))
    expect(await proofs()).toEqual([])
    const id = idOf(6)
    await write(id)
    expect(await placeOf(id)).toBe('event_rest')
  })

  test('of which the rest has many rows are left out', async () => {
    await query(
      `INSERT INTO event_rest (id, partner_id, environment, type, data, occurred_at)
       SELECT (left($1, 24) || lpad(n::text, 12, '0'))::uuid, $2::uuid, 'TEST', 'match.started', $3::json, now()
       FROM generate_series(1, 10001) n`,
      [idOf(3), world.partner.partnerId, JSON.stringify(matchStarted.example)],
    )
    await makeMonths(pool(), endOf(month(1)))
    expect(await partitions()).toEqual([0, 1, 2, 4].map(partition))
  })

  test('are dropped once all is old, without what is still kept', async () => {
    const before = endOf(month(0))
    const old = idOf(0)
    await write(old)
    const late = idOf(0)
    await write(late, new Date(before.getTime() + dayMs))
    const endpointId = await storeEndpoint(world, { ...world.tenant, url: 'https://8.8.8.8/' })
    const waiting = idOf(0)
    await write(waiting)
    await world.runtime.db.webhookDelivery.updateMany({
      where: { endpointId, eventId: waiting },
      data: { nextAttemptAt: new Date(before.getTime() + 1) },
    })
    expect(await drop(new Date(before.getTime() - 1))).toEqual([])
    expect(await listed()).toBe(3)
    expect(await drop(before)).toEqual([partition(0)])
    expect(await Promise.all([old, late, waiting].map(placeOf))).toEqual([
      undefined,
      'event_rest',
      'event_rest',
    ])
    expect(await listed()).toBe(2)
    expect(await drop(before)).toEqual([])
    // Later writes of the month are kept.
    await world.givePoints('ann', 1)
    expect(await query('SELECT count(*)::int AS n FROM event_rest')).toEqual([{ n: 3 }])
  })

  test('are not deleted from by ctid, which is only unique within a partition', async () => {
    await write(idOf(0))
    await expect(
      query('DELETE FROM event WHERE ctid = ANY (ARRAY(SELECT ctid FROM event))'),
    ).rejects.toThrow('rows of event are not deleted by ctid')
    expect(await query('SELECT count(*)::int AS n FROM event')).toEqual([{ n: 1 }])
    await query('DELETE FROM event')
  })
})

describe.runIf(onPostgres)('under load', () => {
  let reader: pg.Client
  beforeEach(async () => {
    reader = new pg.Client({ connectionString: world.database.databaseUrl })
    await reader.connect()
  })
  afterEach(() => reader.end())

  test('a month is dropped while others write and read, and nothing young is lost', async () => {
    const before = endOf(month(-1))
    const past = new Date(before.getTime() - dayMs)
    // The month before, as if it had been made in its time.
    await makeMonths(pool(), past)
    for (let n = 0; n < 500; n++) await write(idOf(-1), past)
    let isWriting = true
    let written = 0
    let longestMs = 0
    const writing = Array.from({ length: 4 }, async (_, user) => {
      while (isWriting) {
        const start = performance.now()
        await world.givePoints(`user-${user}`, 1)
        longestMs = Math.max(longestMs, performance.now() - start)
        written++
      }
    })
    const analyst = 'BEGIN; SELECT count(*) FROM event'
    await reader.query(analyst)
    expect(await drop(before)).toEqual([])
    await reader.query('COMMIT')
    // A reader that holds the table makes writers wait only until the lock times out.
    expect(longestMs).toBeLessThan(5_000)
    const dropping = Date.now() + 20_000
    let dropped: string[] = []
    while (dropped.length === 0 && Date.now() < dropping) dropped = await drop(before)
    expect(dropped).toEqual([partition(-1)])
    await sleep(100)
    isWriting = false
    await Promise.all(writing)
    expect(await query('SELECT count(*)::int AS n FROM event')).toEqual([{ n: written }])
    expect(await audit(world.server.database.pool)).toBe(0)
  })

  test('several nodes make and drop the same months once', async () => {
    const before = endOf(month(0))
    const all = (run: () => Promise<string[]>) => Promise.all([1, 2, 3, 4].map(run))
    await all(() => makeMonths(pool(), before))
    expect(await makeMonths(pool(), before)).toEqual([])
    expect((await all(() => drop(before))).flat().length).toBeLessThanOrEqual(1)
    await drop(before)
    expect(await partitions()).toEqual([1, 2, 3].map(partition))
  })

  test('a month that another node drops meanwhile is left alone', async () => {
    const part = partition(0)
    await reader.query(`BEGIN; ALTER TABLE event DETACH PARTITION ${part}; DROP TABLE ${part}`)
    const dropping = drop(endOf(month(0)))
    await sleep(100)
    await reader.query('COMMIT')
    expect(await dropping).toEqual([])
    expect(await partitions()).not.toContain(part)
  })
})
