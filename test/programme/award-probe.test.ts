/** What an award costs where no goal counts it: one look into the index of measures, and nothing of goals. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { Transaction } from '../../src/kit/runtime.ts'
import { awardPoints } from '../../src/points/points.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { goalsOf } from './goals.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
})
afterAll(() => world.end())

const tables = [
  'measure_key',
  'goal',
  'goal_task',
  'goal_join',
  'fact_counter',
  'fact_day',
  'goal_mark',
]

/** Scans of the tables of goals by this connection that are not in the statistics of the server yet. */
const scansOf = async (work: Transaction) => {
  const rows = await work.tx.$queryRaw<{ name: string; scans: number }[]>(Prisma.sql`
    SELECT relname AS name, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans
    FROM pg_stat_xact_user_tables WHERE relname = ANY (${tables})`)
  return new Map(rows.map(({ name, scans }) => [name, scans]))
}

/** How often each table of goals was read by a batch of awards. */
const readOnce = (users: string[]) =>
  inTransaction(world.runtime, async (work) => {
    const before = await scansOf(work)
    await awardPoints(
      work,
      users.map((id) => ({ ...world.userKey(id), eventType: 'signup' })),
    )
    const scans = [...(await scansOf(work))].map(([name, all]) => [
      name,
      all - (before.get(name) ?? 0),
    ])
    return Object.fromEntries(scans.filter(([, count]) => count !== 0)) as Record<string, number>
  })

/** The same, without what the planner looks at while it plans a statement. */
const readsOf = async (users: string[]) => {
  const total = (of: Record<string, number>) => Object.values(of).reduce((a, b) => a + b, 0)
  let fewest = await readOnce(users)
  for (let i = 0; i < 4; i++) {
    const reads = await readOnce(users)
    if (total(reads) < total(fewest)) fewest = reads
  }
  return fewest
}

test.runIf(onPostgres)(
  'an award looks for measures once for each tenant, fact and type',
  async () => {
    const users = Array.from({ length: 8 }, () => randomUUID())
    await readsOf(users)
    const item = await readsOf(users.slice(0, 1))
    expect(Object.keys(item)).toEqual(['measure_key'])
    // It looks for the event type and for all types, which the index may count as two.
    expect(item.measure_key).toBeLessThanOrEqual(2)
    expect(await readsOf(users)).toEqual(item)
    // Goals of other facts, and of other event types, change nothing.
    await goalsOf(world).plant([{ facts: ['GAME_PLAYED'] }])
    await goalsOf(world).plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }])
    expect(await readsOf(users)).toEqual(item)
    await goalsOf(world).settle()
  },
)
