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

test.runIf(onPostgres)(
  'an award looks for measures once for each tenant, fact and type',
  async () => {
    const users = Array.from({ length: 8 }, () => randomUUID())
    await readsOf(users)
    const one = await readsOf(users.slice(0, 1))
    expect(Object.keys(one)).toEqual(['measure_key'])
    // It looks for the event type and for all types, which the index may count as two.
    expect(one.measure_key).toBeLessThanOrEqual(2)
    expect(await readsOf(users)).toEqual(one)
    // Goals of other facts, and of other event types, change nothing.
    await goalsOf(world).plant([{ facts: ['GAME_PLAYED'] }])
    await goalsOf(world).plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }])
    expect(await readsOf(users)).toEqual(one)
    await goalsOf(world).settle()
  },
)
