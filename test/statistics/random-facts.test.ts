import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { seed } from '../rest/junk.ts'
import {
  createDatabase,
  createWorld,
  type Keys,
  onPostgres,
  type TestDatabase,
  type World,
} from '../world.ts'

const start = new Date('2026-06-15T12:34:56.789Z')
const dayMs = 86_400_000
let now = start

/** Two nodes on a server; the embedded database has one. */
let database: TestDatabase
let nodes: World[]
beforeAll(async () => {
  database = await createDatabase()
  nodes = []
  for (let n = 0; n < (onPostgres ? 2 : 1); n++)
    nodes.push(await createWorld({ database, clock: () => now }))
})
afterAll(async () => {
  for (const node of nodes) await node.end()
  await database.drop()
})

const users = fc.integer({ min: 1, max: 4 }).map((n) => `user-${n}`)
const operations = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('award'), user: users }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('play'), user: users }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('track'),
      user: users,
      agesMs: fc.array(fc.integer({ min: 0, max: 70 * dayMs }), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust'),
      user: users,
      points: fc.integer({ min: -30, max: 30 }).filter((points) => points !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse'), user: users }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase'), user: users }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change'), user: users }) },
)
type Operation = { kind: string; user: string; agesMs?: number[]; points?: number }

const boxes = {
  gameType: 'ENIGMA_BOXES',
  name: 'Boxes',
  description: 'Boxes.',
  price: 20,
  segments: 9,
}
const reward = (value: number, weight: number) => ({
  tier: 'COMMON',
  type: 'POINTS',
  label: `${value}`,
  value,
  weight,
})

/** Takes back the last entry of a user's ledger, unless there is none. */
const reverseLast = async ({ graphql }: World, keys: Keys, userId: string) => {
  const found = await graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { ledgerEntries(first: 1) { nodes { id } } } }`,
    { id: userId },
    keys,
  )
  const id = found.body.data.user?.ledgerEntries.nodes[0]?.id
  if (!id) return found
  return graphql(
    `mutation ($id: ID!) {
      reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "random" }) { __typename }
    }`,
    { id },
    keys,
  )
}

const run = async (keys: Keys, operation: Operation, n: number) => {
  const { kind, user: userId, agesMs = [], points = 0 } = operation
  const node = nodes[n % nodes.length] as World
  const { post, graphql } = node
  if (kind === 'award')
    return post('/v1/points/award', keys.secret, { userId, eventType: 'signup' })
  if (kind === 'change')
    return graphql(
      `mutation ($input: SetGameInput!) { setGame(input: $input) { __typename } }`,
      { input: { ...boxes, rewards: [reward(n % 7, 1), reward(n, 2)] } },
      keys,
    )
  if (kind === 'play')
    return post('/v1/games/play', keys.public, { userId, gameType: 'ENIGMA_BOXES' })
  if (kind === 'reverse') return reverseLast(node, keys, userId)
  if (kind === 'adjust')
    return graphql(
      `mutation ($user: UserBy!, $points: Int!) {
        adjustPoints(input: { user: $user, points: $points, reason: "random" }) { __typename }
      }`,
      { user: { externalId: userId }, points },
      keys,
    )
  if (kind === 'erase')
    return graphql(
      `mutation ($id: String!) { eraseUser(input: { user: { externalId: $id } }) { __typename } }`,
      { id: userId },
      keys,
    )
  const events = agesMs.map((ms) => ({
    externalId: userId,
    category: 'CUSTOM',
    eventType: 'visit',
    occurredAt: new Date(now.getTime() - ms).toISOString(),
  }))
  return post('/v1/user-journeys/track', keys.public, { events })
}

it(`statistics equal the facts after random operations of several callers (seed ${seed})`, async () => {
  const { pool } = (nodes[0] as World).server.database
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(operations, fc.integer({ min: 0, max: 3 * dayMs })), {
        minLength: 8,
        maxLength: 40,
      }),
      async (list) => {
        // The audit of a partner with erased users is less strict.
        const { test: keys } = await (nodes[0] as World).createPartner()
        now = start
        const pack = () => Promise.all(nodes.map(({ runtime }) => packStatistics(runtime)))
        // Eight at a time, while the clock advances and each node packs hours.
        for (let i = 0; i < list.length; i += 8) {
          const part = list.slice(i, i + 8)
          now = new Date(now.getTime() + (part[0]?.[1] ?? 0))
          const packed = pack()
          const answers = await Promise.all(part.map(([item], n) => run(keys, item, n)))
          for (const { status } of answers) expect(status).toBeLessThan(500)
          await packed
        }
        await pack()
        const broken: string[] = []
        await audit(pool, (name, count) => count > 0 && broken.push(name))
        expect(broken).toEqual([])
      },
    ),
    { seed, numRuns: 20, endOnFailure: true },
  )
  const { rows } = await pool.query({
    text: `SELECT DISTINCT event_type FROM ledger_entry WHERE event_type IN ('adjustment', 'reversal')`,
  })
  expect(rows).toHaveLength(2)
})
