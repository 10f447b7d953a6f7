/** Goals while many callers award, reverse, start, decide and erase at once. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { eraseUser, finishErasure } from '../../src/journeys/erasure.ts'
import { retrying } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { reverseEntries } from '../../src/points/correction.ts'
import { awardPoints } from '../../src/points/points.ts'
import { countGoals } from '../../src/programme/counting.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { createGoal, startGoal } from '../../src/programme/goal.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { countAll, goalsOf } from './goals.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
  goals = goalsOf(world)
})
const deadlocks = async () => {
  const [row] = await goals.query(
    'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
  )
  return row?.n ?? 0
}
/** Decides and pays until nothing is due. */
const settle = async () => {
  await goals.settle()
  await settleDueGrants(world.runtime)
}
afterEach(async () => {
  await settle()
  expect(await goals.query('SELECT FROM goal WHERE is_counting')).toEqual([])
  expect(await goals.query('SELECT FROM goal_mark')).toEqual([])
  expect(await audit(world.server.database.pool)).toBe(0)
})
afterAll(async () => {
  expect(await deadlocks()).toBe(0)
  await world.end()
})

const times = <T>(count: number, run: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => run(n))
const rounds = onPostgres ? 8 : 2
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, randomInt(ms)))

/** Awards without group commit, as another node does. Returns the ids of the entries. */
const award = async (users: string[]): Promise<string[]> => {
  const awards = users.map((id) => ({ ...world.userKey(id), eventType: 'signup' }))
  const results = await retrying(() => awardPoints(world.runtime, awards))
  return results.map((result) => {
    if (result instanceof Error) throw result
    return result.ledgerEntry.id
  })
}

const reverse = (ids: string[]) =>
  retrying(() =>
    reverseEntries(
      world.runtime,
      ids.map((ledgerEntryId) => ({
        ...world.tenant,
        memberId: null,
        apiKeyId: randomUUID(),
        ledgerEntryId,
        reason: 'test',
      })),
    ),
  )

const draft = async (more: object) => {
  const goal = await createGoal(world.runtime, {
    ...world.tenant,
    slug: randomUUID(),
    name: 'A goal',
    window: 'EVER',
    repeat: 'UNLIMITED',
    tasks: [{ target: 2, measure: { facts: ['POINTS_AWARDED'] } }],
    ...more,
  })
  return goal.id
}
const start = (id: string) => startGoal(world.runtime, { ...world.tenant, goal: { id } })

/** Compares the counters of a goal with the timelines of users. What was before the start of a goal that counts from now does not count. */
const expectCounters = async (goalId: string, prefix: string, isFromNow: boolean) => {
  const [goal] = await goals.query('SELECT started_at AS at FROM goal WHERE id = $1', [goalId])
  const facts = await goals.query(
    `SELECT u.external_id AS id, a.occurred_at AS at FROM user_activity a JOIN end_user u ON u.id = a.user_id
     WHERE starts_with(u.external_id, $1)`,
    [prefix],
  )
  const counts = new Map<string, number>()
  for (const { id, at } of facts)
    if (!isFromNow || at >= goal.at) counts.set(id, (counts.get(id) ?? 0) + 1)
  const counters = await goals.counters(goalId)
  const own = counters.filter(({ userId }) => userId.startsWith(prefix))
  expect(new Map(own.map(({ userId, value }) => [userId, value]))).toEqual(counts)
}

/** Ends goals, so that later awards count for others alone. */
const close = async (ids: string[]) => {
  await goals.query(
    `UPDATE measure_key SET is_open = false
     WHERE task_id IN (SELECT id FROM goal_task WHERE goal_id = ANY ($1))`,
    [ids],
  )
  const [ended] = await goals.query(
    `UPDATE goal SET status = 'ENDED', ends_at = now() + interval '1 s' WHERE id = ANY ($1)
     RETURNING ends_at AS at`,
    [ids],
  )
  // A timer may be a millisecond early, and what happens before the end would count.
  while (Date.now() <= ended?.at) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('awards are counted once while their goal starts, whatever it counts from', async () => {
  for (let round = 0; round < rounds; round++) {
    const users = times(6, (n) => `start-${round}-${n}`)
    await award(users)
    const ids = await Promise.all(
      (['NOW', 'EVER', 'START_OF_WINDOW'] as const).map((countFrom) => draft({ countFrom })),
    )
    await Promise.all([
      ...times(12, async () => {
        await soon(40)
        await award(users.filter(() => randomInt(2) === 0).concat(users[0] as string))
      }),
      ...ids.map(async (id) => {
        await soon(40)
        await start(id)
        await countGoals(world.runtime)
      }),
      ...times(3, async () => {
        await soon(60)
        await decideGoals(world.runtime)
      }),
    ])
    await settle()
    for (const [n, id] of ids.entries()) await expectCounters(id, `start-${round}-`, n === 0)
    expect(await audit(world.server.database.pool)).toBe(0)
    await close(ids)
  }
}, 120_000)

/** 200 awards a second for two seconds, if the machine keeps up. What it cannot send in time, it sends late. */
test.runIf(onPostgres)(
  'goals start while 200 awards a second are posted',
  async () => {
    const users = times(60, (n) => `load-${n}`)
    // What a goal of EVER finds when it starts.
    await award(users)
    const starts = (['NOW', 'EVER'] as const).map(async (countFrom, n) => {
      const id = await draft({ countFrom })
      await new Promise((resolve) => setTimeout(resolve, 500 + 500 * n))
      await start(id)
      await countGoals(world.runtime)
      return id
    })
    const atOnce = 10
    const posts = times(40, async (n) => {
      await new Promise((resolve) => setTimeout(resolve, 50 * n))
      await award(times(atOnce, (i) => users[(atOnce * n + i) % users.length] as string))
      if (n % 4 === 0) await decideGoals(world.runtime)
    })
    const [ids] = await Promise.all([Promise.all(starts), Promise.all(posts)])
    await settle()
    for (const [n, id] of ids.entries()) await expectCounters(id, 'load-', n === 0)
    const counted = (await goals.counters(ids[1] as string)).filter(({ userId }) =>
      userId.startsWith('load-'),
    )
    const sum = counted.reduce((total, { value }) => total + value, 0)
    expect(sum).toBe(users.length + atOnce * posts.length)
    await close(ids)
  },
  120_000,
)

test('two deciders complete each multiple once', async () => {
  const reward = await goals.reward(1)
  const id = await draft({})
  await goals.query('UPDATE goal SET reward_ids = ARRAY[$2::uuid] WHERE id = $1', [id, reward])
  await start(id)
  await countAll(world.runtime)
  const users = times(5, (n) => `two-${n}`)
  await Promise.all([
    ...times(20, async () => {
      await soon(200)
      await award(users)
    }),
    ...times(12, async () => {
      await soon(250)
      await decideGoals(world.runtime)
    }),
  ])
  await settle()
  const completions = await goals.completions(id)
  for (const user of users)
    expect(completions.filter(({ userId }) => userId === user).map(({ k }) => k)).toEqual(
      times(10, (n) => n + 1),
    )
  expect(await goals.grants(id)).toHaveLength(50)
}, 120_000)

test('a storm of reversals leaves completions and grants that fit the counters', async () => {
  const reward = await goals.reward(1)
  const id = await draft({})
  await goals.query('UPDATE goal SET reward_ids = ARRAY[$2::uuid] WHERE id = $1', [id, reward])
  await start(id)
  await countAll(world.runtime)
  const users = times(4, (n) => `storm-${n}`)
  const entries: string[] = []
  await Promise.all([
    ...times(12, async () => {
      await soon(150)
      entries.push(...(await award(users)))
    }),
    ...times(24, async () => {
      await soon(300)
      const chosen = entries.filter(() => randomInt(8) === 0)
      if (chosen.length > 0) await reverse(chosen)
    }),
    ...times(10, async () => {
      await soon(350)
      await decideGoals(world.runtime)
      await settleDueGrants(world.runtime)
    }),
  ])
  await settle()
  for (const { userId, value } of await goals.counters(id)) {
    const live = (await goals.completions(id)).filter(
      (item) => item.userId === userId && item.isLive,
    )
    expect(live).toHaveLength(Math.max(0, Math.floor(value / 2)))
  }
}, 120_000)

test('users who are erased meanwhile keep no counters, and hold nobody up', async () => {
  const id = await draft({})
  await start(id)
  await countAll(world.runtime)
  const users = times(5, (n) => `erased-${n}`)
  const entries = await award(users)
  await Promise.all([
    ...times(10, async () => {
      await soon(120)
      await award(users)
    }),
    ...times(5, async () => {
      await soon(200)
      await decideGoals(world.runtime)
    }),
    (async () => {
      await soon(120)
      await reverse(entries)
    })(),
    ...users.slice(0, 3).map(async (user) => {
      await soon(150)
      const { id: erased } = await eraseUser(world.runtime, world.userKey(user))
      await finishErasure(world.runtime, erased as UserId)
    }),
  ])
  await settle()
  expect(
    await goals.query('SELECT FROM fact_counter c JOIN user_erasure e ON e.user_id = c.user_id'),
  ).toEqual([])
}, 120_000)
