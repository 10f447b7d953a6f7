/** Raw statements outside of a transaction, sent by the driver, against the same inside of one, sent by Prisma. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import { executeRaw, queryRaw } from '../../src/kit/database/driver.ts'
import { sqlState } from '../../src/kit/database/outage.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const both = async (sql: Prisma.Sql) => {
  const work = { ...world.runtime, tx: world.runtime.db }
  return [
    await queryRaw(work.tx, sql),
    await inTransaction(work, ({ tx }) => queryRaw(tx, sql)),
  ] as const
}

const values: [type: string, text: string][] = [
  ['text', "'Zürich'"],
  ['uuid', "'01900000-0000-7000-8000-000000000001'"],
  ['smallint', '-3'],
  ['int', '2147483647'],
  ['bigint', '9223372036854775807'],
  ['float8', '1.5'],
  ['boolean', 'true'],
  ['json', `'{"a": [1, null, "x"]}'`],
  ['jsonb', `'{"a": [1, null, "x"]}'`],
  ['timestamptz', "'2026-03-29 01:30:00.123+02'"],
  ['date', "'2026-03-29'"],
  ['bytea', "'\\x00ff10'"],
  ['varbit', "B'0110'"],
  ['"Environment"', "'LIVE'"],
]

it.each(values)('a value of type %s is the same', async (type, text) => {
  process.env.TZ = 'America/New_York'
  const sql = Prisma.raw(`SELECT ${text}::${type} AS value, NULL::${type} AS nothing`)
  const [direct, through] = await both(sql)
  expect(direct).toEqual(through)
  expect(direct).toMatchObject([{ nothing: null }])
})

it.each(values)('an array of %s is the same', async (type, text) => {
  process.env.TZ = 'America/New_York'
  const sql = Prisma.raw(
    `SELECT ARRAY[${text}, NULL]::${type}[] AS list, ARRAY[]::${type}[] AS empty`,
  )
  const [direct, through] = await both(sql)
  expect(direct).toEqual(through)
})

it('parameters are the same', async () => {
  process.env.TZ = 'America/New_York'
  const at = new Date('2026-03-29T01:30:00.123Z')
  const [direct, through] = await both(
    Prisma.sql`SELECT ${at}::timestamptz AS at, ${[at]}::timestamptz[] AS times, ${2n ** 60n}::bigint AS big, ${1.5}::float8 AS number,
      ${['a,b', '"', '']}::text[] AS texts, ${[]}::text[] AS none, ${Buffer.from([0, 255])}::bytea AS bytes, ${true}::boolean AS yes,
      ${null}::text AS nothing, ${'x'}::text AS text, ${JSON.stringify([1])}::json AS json`,
  )
  expect(direct).toEqual(through)
  expect(direct).toMatchObject([{ at, times: [at], big: 2n ** 60n, texts: ['a,b', '"', ''] }])
})

it('errors have the same state', async () => {
  const sql = Prisma.raw(`SELECT 'x'::int`)
  const failed = async (run: () => Promise<unknown>) => {
    const error = await run().catch((error: unknown) => error)
    return sqlState(error)
  }
  const work = { ...world.runtime, tx: world.runtime.db }
  const direct = await failed(() => queryRaw(work.tx, sql))
  expect(direct).toBe(await failed(() => inTransaction(work, ({ tx }) => queryRaw(tx, sql))))
  expect(direct).toBe('22P02')
})

it('a statement without a result returns the number of rows', async () => {
  const { partnerId } = world.partner
  const sql = Prisma.sql`UPDATE partner SET name = name WHERE id = ${partnerId}::uuid`
  expect(await executeRaw(world.runtime.db, sql)).toBe(1)
  expect(await inTransaction({ tx: world.runtime.db }, ({ tx }) => executeRaw(tx, sql))).toBe(1)
})
