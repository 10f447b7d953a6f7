import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Demo } from '../../src/demo/demo.ts'
import { seedDemo } from '../../src/demo/demo.ts'
import { seedPast } from '../../src/demo/past.ts'
import { decideGoals, startDecider } from '../../src/programme/decider.ts'
import { settleDueGrants, startPayer } from '../../src/programme/payer.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import { createFolder } from '../folder.ts'
import { startServer } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type World } from '../world.ts'

let world: World
let demo: Demo
const unending = new AbortController().signal
beforeAll(async () => {
  world = await createWorld()
  const { db } = world.runtime
  // A demo is only made in a database without partners.
  await db.$executeRaw`TRUNCATE partner CASCADE`
  demo = (await seedDemo(world.runtime)) as Demo
})
afterAll(() => world.end())

const countEntries = () =>
  world.runtime.db.ledgerEntry.count({ where: { partnerId: demo.partnerId, environment: 'LIVE' } })

it('repeats nothing of a day that was interrupted before its awards', async () => {
  const { runtime } = world
  let left = 60
  const random = Object.assign(Object.create(runtime.random), {
    int: (below: number) => {
      if (left-- === 0) throw new Error('interrupted')
      return runtime.random.int(below)
    },
  })
  const visits = () =>
    runtime.db.userActivity.groupBy({
      by: ['userId'],
      where: { partnerId: demo.partnerId, environment: 'LIVE', eventType: 'app_opened' },
      _count: true,
    })
  await expect(seedPast({ ...runtime, random }, unending)).rejects.toThrow('interrupted')
  const before = await visits()
  expect(before.length).toBeGreaterThan(0)
  expect(await countEntries()).toBe(5) // of the demo user
  const aborting = new AbortController()
  const days = { ...runtime, random: Object.create(runtime.random) }
  days.random.int = (below: number) => {
    aborting.abort() // after this day
    return runtime.random.int(below)
  }
  await seedPast(days, aborting.signal)
  for (const { _count } of await visits()) expect(_count).toBe(1)
})

it('fills ninety days of the LIVE environment, also when it is interrupted', async () => {
  const aborting = new AbortController()
  aborting.abort()
  const before = await countEntries()
  await seedPast(world.runtime, aborting.signal)
  expect(await countEntries()).toBe(before)
  const { runtime } = world
  const random = Object.create(runtime.random)
  const stops = [startDecider(runtime), startPayer(runtime)]
  for (const calls of [300, 2_000, 5_000]) {
    let left = calls
    random.int = (below: number) => {
      if (left-- === 0) throw new Error('interrupted')
      return runtime.random.int(below)
    }
    await expect(seedPast({ ...runtime, random }, unending)).rejects.toThrow('interrupted')
    await decideGoals(runtime)
    await settleDueGrants(runtime)
  }
  await seedPast(runtime, unending)
  for (const stop of stops) await stop()
  const to = new Date()
  const from = new Date(to.getTime() - 91 * 86_400_000)
  const { body } = await world.graphql(
    `query ($from: DateTime!, $to: DateTime!) {
      analytics(metrics: [ACTIVE_USERS, PLAYS], from: $from, to: $to, interval: WEEK) {
        buckets { value } } }`,
    { from, to },
    { secret: demo.keys.secretLive },
  )
  for (const { buckets } of body.data.analytics)
    for (const { value } of buckets.slice(1, -1)) expect(value).toBeGreaterThan(0)
}, 300_000)

const tenantOfPast = () => ({ partnerId: demo.partnerId, environment: 'LIVE' }) as const

/** Rows of users of the past. Those of the demo user are of today. */
const ofPast = () => ({ ...tenantOfPast(), user: { externalId: { not: 'demo-user' } } })

it('completes goals on the days of the past, beside a decider and a payer of today', async () => {
  const { db } = world.runtime
  const { createdAt } = await db.partner.findUniqueOrThrow({ where: { id: demo.partnerId } })
  const today = new Date(createdAt.toISOString().slice(0, 10))
  const completions = await db.goalCompletion.findMany({
    where: ofPast(),
    include: { goal: true },
  })
  expect(completions.filter(({ completedAt }) => completedAt >= today)).toEqual([])
  const days = new Set(completions.map(({ completedAt }) => completedAt.toISOString().slice(0, 10)))
  expect(days.size).toBeGreaterThanOrEqual(60)
  const goals = await db.goal.findMany({ where: tenantOfPast() })
  const completed = new Set(completions.map(({ goalId }) => goalId))
  expect(goals.filter(({ id }) => !completed.has(id)).map(({ slug }) => slug)).toEqual([])
  const ids = await db.endUser.findMany({ where: { ...ofPast().user, ...tenantOfPast() } })
  const where = { userId: { in: ids.map(({ id }) => id) }, isBlocked: false }
  expect(await db.goalMark.count({ where })).toBe(0)
})

it('has customers claim some rewards and miss others, and hold badges', async () => {
  const { db } = world.runtime
  const { createdAt } = await db.partner.findUniqueOrThrow({ where: { id: demo.partnerId } })
  const today = new Date(createdAt.toISOString().slice(0, 10))
  const grants = await db.rewardGrant.findMany({ where: ofPast(), include: { reward: true } })
  for (const grant of grants) {
    for (const at of [grant.createdAt, grant.readyAt, grant.claimedAt, grant.issuedAt])
      expect(at === null || at < today).toBe(true)
    expect(grant.expiredAt).toEqual(grant.status === 'EXPIRED' ? grant.claimExpiresAt : null)
  }
  const counts = Object.groupBy(grants, ({ status, needsClaim }) => `${status} ${needsClaim}`)
  expect(Object.keys(counts).sort()).toEqual([
    'EXPIRED true',
    'ISSUED false',
    'ISSUED true',
    'READY true',
  ])
  // Those of the shop are for users to buy.
  const badges = await db.reward.findMany({
    where: { ...tenantOfPast(), kind: 'BADGE', price: null },
  })
  const held = new Set(grants.map(({ rewardId }) => rewardId))
  expect(badges.filter(({ id }) => !held.has(id)).map(({ name }) => name)).toEqual([])
})

it('does nothing at the next start', async () => {
  const before = await countEntries()
  await seedPast(world.runtime, unending)
  expect(await countEntries()).toBe(before)
})

it('is in order after events older than thirty days are deleted', async () => {
  const { db } = world.runtime
  for (const { run } of retentionJobs) await run(world.runtime)
  // Their ids are of today, so their month is not over.
  const { count } = await db.event.deleteMany({
    where: { occurredAt: { lt: new Date(Date.now() - 30 * 86_400_000) } },
  })
  expect(count).toBeGreaterThan(0)
  expect(await audit(world.server.database.pool)).toBe(0)
})

it('is made in the background of a first start, which can be stopped meanwhile', async () => {
  const other = await createWorld({ config: { production: false, jobs: true } })
  const { partnerId } = other.server.demo as Demo
  const where = { partnerId, environment: 'LIVE', reference: { startsWith: 'past-' } } as const
  await vi.waitFor(
    async () => expect(await other.runtime.db.ledgerEntry.count({ where })).toBeGreaterThan(0),
    { timeout: 30_000, interval: 100 },
  )
  await other.end()
})

it.runIf(onPostgres)(
  'is made once by two nodes that start on an empty database, and continued when one ends',
  async () => {
    const database = await createDatabase(true, false)
    const env = { DEMO_PAST: 'on', LOG_LEVEL: 'info' }
    // Each has a folder of its own, as on two machines.
    const folders = [database.dataDir, createFolder('second-node')]
    const nodes = await Promise.all(
      folders.map((dataDir) => startServer({ ...database, dataDir }, env)),
    )
    const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 })
    /** Every customer comes once a day at most, and opens the app once. */
    const readDays = async () => {
      const text = `SELECT count(DISTINCT day)::int AS days, count(*) FILTER (WHERE n > 1)::int AS twice
        FROM (SELECT user_id, occurred_at::date AS day, count(*) AS n FROM user_activity
          WHERE event_type = 'app_opened' GROUP BY 1, 2) visits`
      return (await pool.query<{ days: number; twice: number }>({ text })).rows[0]
    }
    const until = (days: number) =>
      expect
        .poll(async () => (await readDays())?.days, { timeout: 120_000 })
        .toBeGreaterThanOrEqual(days)
    try {
      await until(8)
      expect((await readDays())?.twice).toBe(0)
      await nodes[0]?.kill('SIGKILL')
      // Whichever node made it until now: the other one makes the rest.
      const { days = 0 } = (await readDays()) ?? {}
      await until(days + 4)
      expect((await readDays())?.twice).toBe(0)
    } finally {
      for (const node of nodes) if (node.isAlive()) await node.kill('SIGKILL')
      await pool.end()
      await database.drop()
    }
  },
  300_000,
)
