/** Streaks are restored after an outage of their partner, by nodes that stop in between. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { restoreBrokenStreaks } from '../../src/programme/streak-restoration.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { makeUsers } from '../../src/users/end-user.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { countAll } from './goals.ts'

/** A multiple of 30. On the embedded database, so many are slow. */
const users = onPostgres ? 5_010 : 1_500
/** Days of March 2026. The outage was on the 10th; it is the 12th. */
const outage = '2026-03-10'
const present = new Date('2026-03-12T09:00:00Z')

let world: World
let now = new Date('2026-03-01T09:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now, isAlone: true })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.database.pool.query({ text, values })).rows

const run = async (text: string, variables: Record<string, unknown> = {}) => {
  const { body } = await world.graphql(text, variables)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

/** What a user met: three days before the outage; a third came back on the 11th, a tenth did not miss the 10th. */
const kindOf = `CASE WHEN n % 10 = 0 THEN 'met' WHEN n % 3 = 0 THEN 'back' ELSE 'away' END`

/** Users with completions, as if facts had made them, and with streaks as they were on the 9th. */
const plant = async (goalId: string) => {
  const tenant = [world.tenant.partnerId, world.tenant.environment]
  const keys = Array.from({ length: users }, (_, n) => world.userKey(`user-${n + 1}`))
  now = new Date('2026-03-01T09:00:00Z')
  await makeUsers(world.runtime, keys)
  now = present
  await query(
    `INSERT INTO user_profile (user_id, partner_id, environment, user_created_at)
    SELECT id, partner_id, environment, created_at FROM end_user
    WHERE (partner_id, environment) = ($1::uuid, $2::"Environment") ON CONFLICT DO NOTHING`,
    tenant,
  )
  const each = `FROM (SELECT id, split_part(external_id, '-', 2)::int AS n FROM end_user
    WHERE (partner_id, environment) = ($1::uuid, $2::"Environment") AND external_id LIKE 'user-%') u`
  await query(
    `INSERT INTO goal_completion (id, partner_id, environment, goal_id, user_id, window_start, k, round, reward_ids,
      completed_at, announced_at)
    SELECT gen_random_uuid(), $1::uuid, $2::"Environment", $3::uuid, u.id, d, 1, 1, '{}', d, ARRAY[d]
    ${each} CROSS JOIN generate_series('2026-03-07'::timestamptz, '2026-03-11'::timestamptz, '1 day') d
    WHERE d < '2026-03-10' OR (d = '2026-03-10' AND ${kindOf} = 'met') OR (d = '2026-03-11' AND ${kindOf} <> 'away')`,
    [...tenant, goalId],
  )
  await query(
    `INSERT INTO streak (goal_id, user_id, partner_id, environment, length, longest, freezes, run_from, announced_at, due_at,
      updated_at)
    SELECT $3::uuid, u.id, $1::uuid, $2::"Environment", 3, 3, 0, '2026-03-07', '{}', '2026-03-11', '2026-03-09' ${each}`,
    [...tenant, goalId],
  )
}

const startGoal = async (): Promise<string> => {
  const data = await run(`mutation {
    createGoal(input: { slug: "daily", name: "Daily", window: DAY, repeat: EACH_WINDOW, streak: { restoreDays: 0 },
      tasks: [{ target: 1, measure: { facts: [ACTIVITY] } }] }) { ... on CreateGoalPayload { goal { uuid } } }
    startGoal(input: { goal: { slug: "daily" } }) { ... on Error { message } }
  }`)
  await countAll(world.runtime)
  return data.createGoal.goal.uuid
}

const fields = 'id brokenOn status streakCount checkedCount restoredCount createdAt completedAt'
const restore = async (brokenOn = outage) =>
  (
    await run(
      `mutation ($on: String!) { restoreStreaks(input: { goal: { slug: "daily" }, brokenOn: $on }) {
        ... on RestoreStreaksPayload { restoration { ${fields} } } ... on ValidationError { errors { path message } } ... on Error { code message } } }`,
      { on: brokenOn },
    )
  ).restoreStreaks

const restorations = async () =>
  (await run(`{ goal(by: { slug: "daily" }) { streakRestorations { nodes { ${fields} } } } }`)).goal
    .streakRestorations.nodes

/** A node that stops in the middle of a transaction: after so many looks at its clock, each fails. */
const stoppingNode = (looks: number): World['runtime'] => {
  let left = looks
  const clock = () => {
    if (left-- <= 0) throw new Error('stopped')
    return now
  }
  const log = Object.assign(Object.create(world.runtime.log), { error: () => undefined })
  return { ...world.runtime, clock, log }
}

test('refuses what is no outage', async () => {
  await startGoal()
  now = present
  for (const [on, message] of [
    ['2026-03-14', 'must not be in the future'],
    ['2026-02-08', 'must have ended at most 30 days ago'],
    ['10th of March', 'must be a date such as 2026-01-31'],
    ['2026-02-30', 'must be a date such as 2026-01-31'],
  ] as const)
    expect(JSON.stringify(await restore(on))).toContain(message)
  expect(await restorations()).toEqual([])
})

test('restores each streak once, whatever stops in between', async () => {
  const [goal] = await query(`SELECT id FROM goal WHERE slug = 'daily' AND partner_id = $1`, [
    world.tenant.partnerId,
  ])
  await plant(goal.id)
  await settleDueStreaks(world.runtime)
  const counted = await query(
    `SELECT type, count(*)::int FROM event WHERE type LIKE 'streak.%' GROUP BY 1`,
  )
  const broken = users - users / 10
  expect(counted).toEqual([{ type: 'streak.broken', count: broken }])

  const { restoration } = await restore()
  expect(restoration).toMatchObject({ status: 'QUEUED', streakCount: null, restoredCount: 0 })
  // The same again, while it is under way.
  expect((await restore()).restoration.id).toBe(restoration.id)

  // One node stops after some transactions, another in the middle of one.
  const ending = new AbortController()
  await restoreBrokenStreaks(
    {
      ...world.runtime,
      clock: () => {
        if (--left === 0) ending.abort()
        return now
      },
    },
    ending.signal,
  )
  const [half] = await restorations()
  expect(half).toMatchObject({ status: 'RUNNING', streakCount: broken, completedAt: null })
  expect(half.checkedCount).toBeGreaterThan(0)
  expect(half.checkedCount).toBeLessThan(broken)
  await expect(restoreBrokenStreaks(stoppingNode(5))).rejects.toThrow('stopped')
  const [later] = await restorations()
  expect(later.checkedCount).toBeGreaterThanOrEqual(half.checkedCount)
  expect(later).toMatchObject({ status: 'RUNNING', restoredCount: later.checkedCount })
  expect((await restore()).restoration.id).toBe(restoration.id)

  // Two nodes do the rest.
  await Promise.all([restoreBrokenStreaks(world.runtime), restoreBrokenStreaks(world.runtime)])
  await restoreBrokenStreaks(world.runtime)
  const done = {
    status: 'COMPLETED',
    streakCount: broken,
    checkedCount: broken,
    restoredCount: broken,
  }
  expect(await restorations()).toMatchObject([done])
  await checkAll()

  // The same again, when it is done, finds nothing.
  now = new Date(present.getTime() + 1_000)
  const again = (await restore()).restoration
  expect(again.id).not.toBe(restoration.id)
  await restoreBrokenStreaks(world.runtime)
  expect(await restorations()).toMatchObject([{ status: 'COMPLETED', restoredCount: 0 }, done])
  await checkAll()
}, 300_000)

/** About two looks at the clock are in a transaction. */
let left = 5

/** What became of each kind of users: their lengths, restores and announcements. */
const checkAll = async () => {
  const found = await query(
    `SELECT kind, length, longest, changes, restored, reasons, count(*)::int AS users FROM (
      SELECT ${kindOf} AS kind, s.length, s.longest,
        (SELECT count(*)::int FROM streak_change c WHERE (c.goal_id, c.user_id) = (s.goal_id, s.user_id)) AS changes,
        e.restored, e.reasons
      FROM streak s JOIN (SELECT id, external_id, split_part(external_id, '-', 2)::int AS n FROM end_user) u ON u.id = s.user_id
      LEFT JOIN (SELECT data ->> 'userId' AS external_id, count(*)::int AS restored, string_agg(DISTINCT data ->> 'reason', ',') AS reasons
        FROM event WHERE type = 'streak.restored' GROUP BY 1) e USING (external_id)) x
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY kind`,
  )
  const restored = { changes: 1, restored: 1, reasons: 'RESTORED' }
  expect(found).toEqual([
    { kind: 'away', length: 3, longest: 3, ...restored, users: (users * 6) / 10 },
    { kind: 'back', length: 4, longest: 4, ...restored, users: (users * 3) / 10 },
    {
      kind: 'met',
      length: 5,
      longest: 5,
      changes: 0,
      restored: null,
      reasons: null,
      users: users / 10,
    },
  ])
}
