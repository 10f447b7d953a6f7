/** A page of a list of users reads few rows of a large tenant, in each order. Its statement is planned for its values. */
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSql, type UserPage, usersSql } from '../../src/journeys/user-list.sql.ts'
import type { OrderField } from '../../src/journeys/user-match.sql.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

const partnerId = '0197a1b2-0000-4000-8000-000000000001'
const tenant = { partnerId, environment: 'TEST' } as const
const count = 40_000

let database: TestDatabase
let client: pg.Client

/** Users of three partners. Of 40,000, one in a thousand is from Liechtenstein, and half are at risk. */
const plant = async () => {
  await client.query('BEGIN; SET LOCAL session_replication_role = replica')
  await client.query(
    `INSERT INTO end_user (id, partner_id, environment, external_id, balance, lifetime_points,
      score_reached_at, created_at)
    SELECT gen_random_uuid(), ('0197a1b2-0000-4000-8000-00000000000' || n % 3)::uuid, 'TEST', 'u' || n,
      n::bigint * 7919 % 5000, n::bigint * 104729 % 50000, now(), now() - n * interval '1 minute'
    FROM generate_series(1, $1::int) n`,
    [3 * count],
  )
  await client.query(
    `INSERT INTO user_profile (user_id, partner_id, environment, user_created_at, last_event_at, stage, tier, country)
    SELECT id, partner_id, environment, created_at, now() - n * 31 % 100000 * interval '1 minute',
      CASE WHEN n % 2 = 0 THEN 'at_risk' ELSE 'active' END::"LifecycleStage", 'casual',
      CASE WHEN n % 3000 = 1 THEN 'LI' ELSE 'DE' END
    FROM (SELECT *, substr(external_id, 2)::int AS n FROM end_user) u`,
  )
  await client.query(
    `INSERT INTO user_term (partner_id, environment, term, user_id)
    SELECT partner_id, environment, term, id FROM end_user,
      user_terms(external_id, display_name, email) AS term`,
  )
  await client.query('COMMIT')
  await client.query('VACUUM ANALYZE end_user, user_profile, user_term')
}

beforeAll(async () => {
  database = await createDatabase(true)
  execFileSync(process.execPath, ['src/cli/migrate.ts'], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: database.databaseUrl },
  })
  client = new pg.Client(database.databaseUrl as string)
  await client.connect()
  await plant()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** How many rows of tables a statement reads. */
const rowsReadBy = async ({ text, values }: { text: string; values: unknown[] }) => {
  const sent = values.map((value) => (value instanceof Date ? value.toISOString() : value))
  const { rows } = await client.query({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values: sent,
  })
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce((sum, node) => {
      const removed = node['Rows Removed by Filter'] ?? 0
      const rechecked = node['Rows Removed by Index Recheck'] ?? 0
      return sum + (node['Actual Rows'] + removed + rechecked) * node['Actual Loops']
    }, 0)
}

const rowsRead = (page: UserPage): Promise<number> => rowsReadBy(usersSql([page]))

const fields: OrderField[] = [
  'externalId',
  'createdAt',
  'lastSeenAt',
  'balance',
  'lifetimePoints',
  'score',
]

/** A position in the middle of each order. */
const middleOf = async (field: OrderField) => {
  const { rows } = await client.query(
    `SELECT u.*, coalesce(p.last_event_at, u.created_at) AS seen FROM end_user u JOIN user_profile p ON p.user_id = u.id
    WHERE u.partner_id = $1 ORDER BY u.id OFFSET ${count / 2} LIMIT 1`,
    [partnerId],
  )
  const [user] = rows
  return {
    externalId: [user.external_id],
    createdAt: [user.created_at, user.id],
    lastSeenAt: [user.seen, user.id],
    balance: [user.balance, user.id],
    lifetimePoints: [user.lifetime_points, user.id],
    score: [user.score, user.score_reached_at, user.external_id],
  }[field]
}

const take = 26
const pageOf = (field: OrderField, more: Partial<UserPage>): UserPage => ({
  ...tenant,
  match: { profiles: [] },
  field,
  direction: 'asc',
  part: { take, skip: 0, backward: false, from: undefined },
  ...more,
})

describe.each(fields)('in the order of %s', (field) => {
  test('a page without a filter reads its own users, wherever it begins', async () => {
    const from = await middleOf(field)
    for (const direction of ['asc', 'desc'] as const)
      for (const part of [
        { take, skip: 0, backward: false, from: undefined },
        { take, skip: 0, backward: false, from },
        { take, skip: 0, backward: true, from },
      ])
        expect(await rowsRead(pageOf(field, { direction, part }))).toBeLessThan(10 * take)
  })

  test('a page of a rare filter reads those who match', async () => {
    const match = { profiles: [{ countries: ['LI'] }] }
    expect(await rowsRead(pageOf(field, { match }))).toBeLessThan(10 * (count / 1000 + take))
  })

  test('a page of a frequent filter reads as many as are sorted at most', async () => {
    const match = { profiles: [{ stages: ['at_risk' as const], countries: ['DE'] }] }
    const page = pageOf(field, { match, direction: 'desc' })
    expect(await rowsRead(page)).toBeLessThan(25_000)
  })
})

test('the users of two stages by the time last seen are read in that order', async () => {
  const match = { profiles: [{ stages: ['at_risk' as const, 'active' as const] }] }
  const page = pageOf('lastSeenAt', { match, direction: 'desc' })
  expect(await rowsRead(page)).toBeLessThan(20 * take)
})

describe('a search', () => {
  const rare = [{ countries: ['LI'] }]
  const frequent = [{ stages: ['at_risk' as const], countries: ['DE'] }]
  const matches = [
    ['alone', 'u1', [], 25_000],
    ['of a rare term with a frequent filter', 'u12', frequent, 12_000],
    ['of a frequent term with a rare filter', 'u', rare, 12_000],
    ['of a frequent term with a frequent filter', 'u', frequent, 60_000],
  ] as const

  test.each(matches)(
    '%s reads a bounded number of rows in any order',
    async (_, search, profiles, most) => {
      const match = { profiles, search }
      for (const field of ['term', ...fields] as const)
        expect(await rowsRead(pageOf(field as OrderField, { match })), field).toBeLessThan(most)
      expect(await rowsReadBy(countSql(tenant, match, 10_001))).toBeLessThan(most)
    },
  )

  test('a page of a search alone reads its own users', async () => {
    const page = {
      ...pageOf('externalId', { match: { profiles: [], search: 'u' } }),
      field: 'term' as const,
    }
    expect(await rowsRead(page)).toBeLessThan(10 * take)
  })
})
