/**
 * The erasure of a user with a long timeline: in steps, each short, that a job finishes when the node has died.
 * Neighbours that were looked for: a node that dies, repeated and simultaneous erasures, entries that are kept,
 * entries that are added, and the wallet in each step.
 */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { eraseActivities } from '../../src/journeys/erasure.sql.ts'
import { eraseUser, finishErasure } from '../../src/journeys/erasure.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { awardPoints } from '../../src/points/points.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { traces } from './traces.ts'

const entries = 2_300
/** Two awards and a play. */
const kept = 3

let world: World
let now = new Date('2026-05-01T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

let name = ''
let userId: UserId
let users = 0
beforeEach(async () => {
  name = `Person-${++users}`
  await world.givePoints(name, 2)
  const play = { userId: name, gameType: 'NEON_WHEEL' }
  expect((await world.post('/v1/games/play', world.keys.public, play)).status).toBe(200)
  const user = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: name } })
  userId = user.id as UserId
  await world.server.database.pool.query({
    text: `INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type,
        points, metadata, occurred_at)
      SELECT gen_random_uuid(), partner_id, environment, id, 'CUSTOM', 'visit', n % 3,
        json_build_object('name', external_id), timestamptz '2026-04-01' + n * interval '7 minutes'
      FROM end_user, generate_series(1, ${entries}) n WHERE id = $1`,
    values: [userId],
  })
})

const erase = async (externalId: string) => {
  const { body } = await world.graphql(
    `mutation ($id: String!) { eraseUser(input: { user: { externalId: $id } }) { __typename
      ... on EraseUserPayload { user { externalId } erasedCount } } }`,
    { id: externalId },
    world.keys,
  )
  return body.data.eraseUser
}

const runJob = () => journeyJobs.find(({ name }) => name === 'finish-erasures')?.run(world.runtime)

const left = () => world.runtime.db.userActivity.count({ where: { userId } })

/** What an erasure that is stopped after its first steps leaves. */
const eraseAndDie = async () => {
  await eraseUser(world.runtime, world.userKey(name))
  const dying = new AbortController()
  const { signal } = dying
  // The first steps find nothing, and the one after the first of the timeline is not begun.
  const watched = expect.poll(left, { interval: 1 }).toBeLessThan(entries)
  const erasing = finishErasure(world.runtime, userId, signal)
  await watched
  dying.abort()
  await erasing
}

it('answers with what was erased, and nothing of the user can be read any more', async () => {
  const { user, erasedCount } = await erase(name)
  expect([user.externalId, erasedCount]).toEqual([expect.stringMatching(/^erased-/), entries])
  expect(await traces(world, [name])).toEqual([])
  expect(await left()).toBe(kept)
})

it('is finished by the job when its node has died, a minute later, and counts each entry once', async () => {
  await eraseAndDie()
  const open = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
  expect(open.finishedAt).toBeNull()
  expect(await left()).toBeGreaterThan(kept)
  // The id is free, and the wallet is usable.
  expect((await world.get(`/v1/user-journeys/users/${name}`, world.keys.public)).status).toBe(404)
  const again = { userId: open.pseudonym, eventType: 'signup' }
  expect((await world.post('/v1/points/award', world.keys.secret, again)).status).toBe(200)
  await runJob()
  expect(await left()).toBeGreaterThan(kept)
  now = new Date(now.getTime() + 61_000)
  await runJob()
  const done = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
  expect(done).toMatchObject({ finishedAt: now, erasedCount: entries, holders: [] })
  expect(await traces(world, [name])).toEqual([])
})

it.runIf(onPostgres)('holds no wallet while a step is under way', async () => {
  const user = await eraseUser(world.runtime, world.userKey(name))
  await inTransaction(world.runtime, async ({ tx }) => {
    await eraseActivities(tx, userId, { reachedAt: null, reachedId: null }, 10)
    const { rows } = await world.server.database.pool.query({
      text: 'SELECT id FROM end_user WHERE external_id = $1 FOR UPDATE SKIP LOCKED',
      values: [user.externalId],
    })
    expect(rows).toEqual([{ id: userId }])
    throw new Error('undone')
  }).catch((error: Error) => expect(error.message).toBe('undone'))
  await finishErasure(world.runtime, userId)
})

it('a user who was erased keeps the pseudonym, and a timeline without news is not read again', async () => {
  const first = await erase(name)
  const reads: string[] = []
  const { pool } = world.server.database as unknown as { pool: { onStatement(text: string): void } }
  const before = pool.onStatement
  pool.onStatement = (text) => void reads.push(text)
  const again = await erase(first.user.externalId)
  pool.onStatement = before
  expect(again).toEqual({ ...first, erasedCount: 0 })
  expect(reads.filter((text) => text.includes('erase_activities'))).toEqual([])
  reads.length = 0
  pool.onStatement = (text) => void reads.push(text)
  expect(await finishErasure(world.runtime, userId)).toBe(0)
  pool.onStatement = before
  expect(reads.filter((text) => text.includes('roll_up_profile'))).toEqual([])
  const event = { externalId: first.user.externalId, category: 'CUSTOM', eventType: 'late' }
  await world.post('/v1/user-journeys/events', world.keys.public, event)
  expect(await erase(first.user.externalId)).toEqual({ ...first, erasedCount: 1 })
  expect(await left()).toBe(kept)
})

it('two calls for a user erase once', async () => {
  const answers = await Promise.all([erase(name), erase(name)])
  expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
    'EraseUserPayload',
    'NotFoundError',
  ])
  expect(await traces(world, [name])).toEqual([])
})

it('sums up under a lock when the totals never match what is read without one', async () => {
  await world.server.database.pool.query({
    text: 'UPDATE user_profile SET events = events + 1 WHERE user_id = $1',
    values: [userId],
  })
  expect((await erase(name)).erasedCount).toBe(entries)
  const { events } = await world.runtime.db.userProfile.findUniqueOrThrow({ where: { userId } })
  expect(events).toBe(kept)
})

it('goes on behind the entries that it keeps', async () => {
  const award = { ...world.userKey(name), eventType: 'signup' }
  const awards = Array.from({ length: 600 }, () => award)
  expect(await awardPoints(world.runtime, awards)).toHaveLength(600)
  await eraseUser(world.runtime, world.userKey(name))
  expect(await finishErasure(world.runtime, userId, AbortSignal.timeout(40_000))).toBe(entries)
  const { finishedAt } = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
  expect(finishedAt).not.toBeNull()
  expect(await left()).toBe(kept + 600)
})

it('stays open when the user is erased again before it is closed', async () => {
  const { pool } = world.server.database
  const run = (text: string) => pool.query({ text })
  // The other erasure has begun after the timeline was read: it resets what was reached.
  await run(`CREATE FUNCTION erase_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE user_erasure SET is_walked = false WHERE user_id = NEW.user_id; RETURN NEW; END $$`)
  await eraseUser(world.runtime, world.userKey(name))
  await run(`CREATE TRIGGER erase_again BEFORE UPDATE OF first_event_at ON user_profile
    FOR EACH ROW EXECUTE FUNCTION erase_again()`)
  await finishErasure(world.runtime, userId)
  await run('DROP FUNCTION erase_again CASCADE')
  const open = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
  expect(open).toMatchObject({ finishedAt: null, holders: [{ externalId: name }] })
  await finishErasure(world.runtime, userId)
  const done = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
  expect(done).toMatchObject({ finishedAt: now, holders: [] })
})

describe.runIf(onPostgres)('beside others', () => {
  let client: pg.Client
  const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows
  beforeEach(async () => {
    client = new pg.Client(world.server.database.pool.options.connectionString)
    await client.connect()
    await client.query('BEGIN')
  })
  afterEach(() => client.end())

  it('no step waits for the wallet', async () => {
    await eraseUser(world.runtime, world.userKey(name))
    await query('SELECT FROM end_user WHERE id = $1 FOR NO KEY UPDATE', [userId])
    expect(await finishErasure(world.runtime, userId)).toBe(entries)
  })

  it('two nodes that finish it count each entry once', async () => {
    await eraseUser(world.runtime, world.userKey(name))
    await Promise.all([0, 1, 2].map(() => finishErasure(world.runtime, userId)))
    const done = await world.runtime.db.userErasure.findUniqueOrThrow({ where: { userId } })
    expect(done).toMatchObject({ finishedAt: now, erasedCount: entries })
  })

  it('what is added while it sums up under a lock is counted', async () => {
    const { user } = await erase(name)
    await eraseUser(world.runtime, world.userKey(user.externalId))
    const { pool } = world.server.database
    await pool.query({
      text: 'UPDATE user_profile SET events = events + 1 WHERE user_id = $1',
      values: [userId],
    })
    await query(
      `INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, occurred_at)
        SELECT gen_random_uuid(), partner_id, environment, id, 'CUSTOM', 'late', now()
        FROM end_user WHERE id = $1`,
      [userId],
    )
    const finished = finishErasure(world.runtime, userId)
    const [own] = await query('SELECT pg_backend_pid() AS pid', [])
    const waiting = 'SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))'
    await expect
      .poll(async () => (await pool.query({ text: waiting, values: [own.pid] })).rowCount)
      .toBe(1)
    await client.query('COMMIT')
    await finished
    const { events } = await world.runtime.db.userProfile.findUniqueOrThrow({ where: { userId } })
    expect(events).toBe(kept + 1)
  })
})
