import { afterAll, beforeAll, expect, test } from 'vitest'
import { backfillJobs } from '../../src/kit/jobs/backfill.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('existing rows are updated in batches, and dependent migrations wait for the end', async () => {
  const { db } = world.runtime
  await db.$executeRaw`CREATE TABLE old_thing AS SELECT n, NULL::int AS twice FROM generate_series(1, 250) n`
  const statement = `UPDATE old_thing SET twice = 2 * n WHERE n IN (
    SELECT n FROM old_thing WHERE twice IS NULL ORDER BY n LIMIT 100)`
  await db.backfill.create({ data: { name: 'twice', statement, expected: 250 } })
  const contract = () => db.$executeRaw`SELECT require_backfill('twice')::text`
  await expect(contract()).rejects.toThrow('the backfill twice has not finished')

  // A node that was killed after a batch has left this.
  await db.$executeRawUnsafe(statement)
  await db.backfill.update({ where: { name: 'twice' }, data: { done: 100 } })
  for (const { run } of backfillJobs) await run(world.runtime)
  expect(await db.$queryRaw`SELECT FROM old_thing WHERE twice IS DISTINCT FROM 2 * n`).toEqual([])
  const [backfill] = await db.backfill.findMany({ where: { name: 'twice' } })
  expect(backfill).toMatchObject({ done: 250n, finishedAt: expect.any(Date) })
  await contract()
  for (const { run } of backfillJobs) await run(world.runtime)
})
