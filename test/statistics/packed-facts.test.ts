/** Facts of any time are read as they were written, packed or not, by any number of nodes. */
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tenant } from '../../src/kit/tenant.ts'
import type { SeriesQuestion } from '../../src/statistics/analytics.ts'
import { type Bucket, findSeries, type Series } from '../../src/statistics/analytics.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { seed } from '../rest/junk.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

const quarterMs = 900_000
const start = Date.parse('2026-03-20T00:00:00Z')
/** Over the nights in which Europe and Lord Howe Island change their clocks. */
const quarters = 24 * 4 * 20

let database: TestDatabase
let nodes: World[]
beforeAll(async () => {
  database = await createDatabase()
  nodes = []
  const clock = () => new Date(start + quarters * quarterMs)
  for (let n = 0; n < (onPostgres ? 2 : 1); n++) nodes.push(await createWorld({ database, clock }))
})
afterAll(async () => {
  for (const node of nodes) await node.end()
  await database.drop()
})

const node = (n: number) => nodes[n % nodes.length] as World

const allTypes = ['a', 'b', 'c']
type Fact = { at: number; type: string; amount: number }

/** Writes facts as triggers do. */
const write = ({ server }: World, { partnerId, environment }: Tenant, facts: Fact[]) =>
  server.database.pool.query({
    text: `SELECT add_to_statistics(array_agg(($1::uuid, $2::"Environment", 'POINTS_ISSUED', ARRAY[type],
        to_timestamp(at / 1000.0), amount)::statistic_fact))
      FROM json_to_recordset($3) AS f (type text, at bigint, amount bigint)`,
    values: [partnerId, environment, JSON.stringify(facts)],
  })

const pack = ({ runtime }: World) => packStatistics(runtime)

const facts = fc.array(
  fc.record({
    at: fc
      .tuple(fc.nat({ max: quarters - 1 }), fc.nat({ max: quarterMs - 1 }))
      .map(([quarter, ms]) => start + quarter * quarterMs + ms),
    type: fc.constantFrom(...allTypes),
    amount: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2e9, max: 2e9 })),
  }),
  { minLength: 1, maxLength: 40 },
)

const question = fc.record({
  from: fc.nat({ max: quarters * quarterMs }).map((ms) => new Date(start + ms)),
  hours: fc.integer({ min: 1, max: 24 * 15 }),
  interval: fc.constantFrom('HOUR', 'DAY', 'WEEK', 'MONTH'),
  timeZone: fc.constantFrom(
    ...['UTC', 'Europe/Paris', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'],
  ),
  filter: fc.constantFrom({ dimension: 'EVENT_TYPE', values: ['a', 'c'] }, null),
})

/** The sum of the facts of a bucket, of one type or of all that the filter allows. */
const sumOf = (written: Fact[], { startsAt, endsAt }: Bucket, types: string[]): bigint =>
  written
    .filter(({ at, type }) => types.includes(type) && at >= +startsAt && at < +endsAt)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const checkAnswer = (
  written: Fact[],
  requested: SeriesQuestion,
  whole: Series,
  groups: Series[],
) => {
  const { from, to, filter } = requested
  const allowed = filter?.values ?? allTypes
  const { buckets } = whole
  expect(+(buckets[0]?.startsAt ?? 0)).toBeLessThanOrEqual(+from)
  expect(+(buckets.at(-1)?.endsAt ?? 0)).toBeGreaterThanOrEqual(+to)
  for (const [i, bucket] of buckets.entries()) {
    if (i > 0) expect(bucket.startsAt).toEqual(buckets[i - 1]?.endsAt)
    expect(bucket.value).toBe(sumOf(written, bucket, allowed))
    for (const type of allowed) {
      const group = groups.find(({ group }) => group === type)
      expect(group?.buckets[i]?.value ?? 0n).toBe(sumOf(written, bucket, [type]))
    }
  }
}

it(`a series is the sum of the facts, however they are packed (seed ${seed})`, async () => {
  const step = fc.record({ facts, isPacked: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.array(question, { minLength: 3, maxLength: 6 }),
      async (steps, questions) => {
        const tenant: Tenant = { partnerId: uuid(), environment: 'LIVE' }
        const written: Fact[] = []
        for (const [n, { facts, isPacked }] of steps.entries()) {
          await write(node(n), tenant, facts)
          written.push(...facts)
          if (isPacked) await Promise.all(nodes.map(pack))
        }
        for (const { hours, ...item } of questions) {
          const to = new Date(+item.from + hours * 4 * quarterMs)
          const requested = { ...tenant, metric: 'POINTS_ISSUED', ...item, to } as SeriesQuestion
          const [whole, groups] = await findSeries(node(1).runtime, [
            requested,
            { ...requested, groupBy: 'EVENT_TYPE' },
          ])
          checkAnswer(written, requested, whole?.[0] as Series, groups as Series[])
        }
      },
    ),
    { seed, numRuns: 40, endOnFailure: true },
  )
})

it('a reader finds every fact once while nodes write late facts and pack them', async () => {
  const tenant: Tenant = { partnerId: uuid(), environment: 'TEST' }
  let [begun, written] = [0, 0]
  let isDone = false
  const writeLate = async (n: number) => {
    for (let i = 0; i < 40; i++) {
      begun += 3
      const at = (j: number) => start + (((7 * i + n) % 5) * 96 + j * 40) * quarterMs
      const late = [0, 1, 2].map((j) => ({ at: at(j), type: `${i % 2}`, amount: 1 }))
      await write(node(n), tenant, late)
      written += 3
    }
  }
  const untilDone = async (run: () => Promise<unknown>) => {
    while (!isDone) await run()
  }
  const readTotal = async (n: number) => {
    const least = written
    const span = { from: new Date(start), to: new Date(start + 86_400_000 * 10) }
    const requested = { ...tenant, ...span, metric: 'POINTS_ISSUED', interval: 'MONTH' } as const
    const [found] = await findSeries(node(n).runtime, [{ ...requested, timeZone: 'UTC' }])
    const total = Number(found?.[0]?.total)
    expect(total).toBeGreaterThanOrEqual(least)
    expect(total).toBeLessThanOrEqual(begun)
    return total
  }
  const others = [
    ...nodes.map((node) => untilDone(async () => pack(node))),
    ...[0, 1].map((n) => untilDone(() => readTotal(n))),
  ]
  await Promise.all([0, 1, 2, 3].map(writeLate)).finally(() => {
    isDone = true
  })
  await Promise.all(others)
  expect(await readTotal(0)).toBe(480)
  await Promise.all(nodes.map(pack))
  expect(await readTotal(1)).toBe(480)
  const { rows } = await node(0).server.database.pool.query({
    text: 'SELECT count(*)::int AS hours FROM statistic WHERE partner_id = $1',
    values: [tenant.partnerId],
  })
  expect(rows).toEqual([{ hours: 0 }])
})
