/**
 * Everything that moves points, at once, on seven wallets and two nodes. `MONEY_SECONDS` says for how long, `MONEY_SEED`
 * what happens in which order.
 */
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { countDeadlocks } from '../postgres.ts'
import { createWorld, type World } from '../world.ts'
import { startCluster } from './cluster.ts'
import { prepareOperations } from './money-operations.ts'
import { sequence } from './sequence.ts'

const seconds = Number(process.env.MONEY_SECONDS ?? 60)
const seed = Number(process.env.MONEY_SEED ?? Math.floor(Math.random() * 1e9))
const callers = 24

/** What the log says about deadlocks. */
const deadlocksIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => /deadlock|Process \d|while (inserting|updating|locking)/.test(line))
    .join('\n')

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.end())

test('everything that moves points runs without a deadlock', {
  timeout: (seconds + 240) * 1000,
}, async () => {
  onTestFailed(() => console.log(`seed ${seed}\n${deadlocksIn(cluster.log())}`))
  const database = await cluster.createDatabase('money')
  const main = await createWorld({ database })
  const worlds: [World, World] = [main, await createWorld({ database })]
  const load = await prepareOperations(worlds, sequence(seed))
  const until = Date.now() + seconds * 1000
  const caller = async () => {
    while (Date.now() < until) await load.runOne()
  }
  await Promise.all(Array.from({ length: callers }, caller))

  await load.goals.settle()
  const results = await load.goals.results()
  const shopResults = await load.shopResults()
  console.log(JSON.stringify({ ...Object.fromEntries(load.counts), results, shopResults }))
  expect(load.faults).toEqual([])
  expect(
    [...load.counts]
      .filter(([, { done }]) => done > 0)
      .map(([name]) => name)
      .sort(),
  ).toEqual(load.names.toSorted())
  expect(results).toMatchObject({ marks: 0 })
  for (const item of ['completions', 'again', 'revoked', 'grants'] as const)
    expect(results[item]).toBeGreaterThan(0)
  expect(Object.entries(shopResults).filter(([, count]) => count === 0)).toEqual([])
  const broken: string[] = []
  await audit(main.server.database.pool, (name, rows) => rows > 0 && broken.push(name))
  expect(broken).toEqual([])
  for (const world of worlds) await world.end()
  expect(await countDeadlocks(database.databaseUrl as string)).toBe(0)
  await database.drop()
})
