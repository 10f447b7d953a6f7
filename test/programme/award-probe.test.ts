/** What an award costs where no goal counts it: one look into the index of measures, and nothing of goals. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import { awardPoints } from '../../src/points/points.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { goalsOf } from './goals.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
})
afterAll(() => world.end())

/** How often each table of goals was read by a batch of awards, in one transaction. */
const readsOf = (users: string[], eventType = 'signup') =>
  inTransaction(world.runtime, async (work) => {
    await awardPoints(
      work,
      users.map((id) => ({ ...world.userKey(id), eventType })),
    )
    const rows = await work.tx.$queryRaw<{ name: string; reads: bigint }[]>(Prisma.sql`
      SELECT relname AS name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS reads FROM pg_stat_xact_user_tables
      WHERE relname IN ('measure_key', 'goal', 'goal_task', 'goal_join', 'fact_counter', 'fact_day', 'goal_mark')
        AND coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0`)
    return Object.fromEntries(rows.map(({ name, reads }) => [name, Number(reads)]))
  })

test.runIf(onPostgres)('an award looks for measures once for each tenant and fact', async () => {
  const users = Array.from({ length: 8 }, () => randomUUID())
  await readsOf(users)
  expect(await readsOf(users.slice(0, 1))).toEqual({ measure_key: 1 })
  expect(await readsOf(users)).toEqual({ measure_key: 1 })
  // A goal of other facts changes nothing.
  await goalsOf(world).plant([{ facts: ['GAME_PLAYED'] }])
  expect(await readsOf(users)).toEqual({ measure_key: 1 })
  // One of another event type costs the looks for the type of each entry, but reads no goal.
  await goalsOf(world).plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }])
  const reads = await readsOf(users)
  expect(Object.keys(reads)).toEqual(['measure_key'])
  await goalsOf(world).settle()
})
