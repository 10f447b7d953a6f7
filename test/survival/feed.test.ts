/** The feed while others work on the same cluster and the same tables: nothing is lost, nothing comes twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { awake } from '../timing.ts'
import { createWorld, type TestDatabase, type World } from '../world.ts'
import { startCluster } from './cluster.ts'
import { award, readCursor, readOn, watch } from './feed-reader.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
let database: TestDatabase
let nodes: [World, World]
let secret: string

beforeAll(async () => {
  cluster = await startCluster()
  database = await cluster.createDatabase('busy')
  const first = await createWorld({ database })
  nodes = [first, await createWorld({ database })]
  secret = first.keys.secret
})
afterAll(async () => {
  for (const { server } of nodes ?? []) await server.stop()
  await database?.drop()
  await cluster?.end()
})

const open = async (name: string) => {
  const client = new pg.Client({ connectionString: cluster.url(name) })
  await client.connect()
  return client
}

const insertEvents = (count: number) => `
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT gen_random_uuid(), '${nodes[0].tenant.partnerId}', 'TEST', 'lottery.draw_completed',
    json_build_object('drawId', gen_random_uuid()), now()
  FROM generate_series(1, ${count}) RETURNING id`

test('open transactions that write no events delay no reader, whatever their database', async () => {
  const [foreign, analyst] = [await open('postgres'), await open('busy')]
  await foreign.query('BEGIN; CREATE TABLE elsewhere ()')
  await analyst.query(
    'BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE TEMP TABLE report AS TABLE event',
  )
  const live = await watch(nodes[1], secret)
  const from = awake()
  const awarded = await award(nodes[0], secret, 3)
  expect((await readOn(nodes[1], secret)).slice(-3).sort()).toEqual([...awarded].sort())
  await live.until(3)
  expect(live.ids().sort()).toEqual(awarded.sort())
  expect(awake() - from).toBeLessThan(2_000)
  await live.end()
  await foreign.end()
  await analyst.end()
})

test('readers wait for a transaction that has written events, and a metric shows how long', async () => {
  const behind = async () => {
    await sleep(1_100) // `/metrics` is cached for a second
    const { text } = await nodes[0].get('/metrics')
    return Number(/^tessera_feed_behind_seconds (.+)$/m.exec(text)?.[1])
  }
  expect(await behind()).toBe(0)
  const writer = await open('busy')
  const before = await readOn(nodes[0], secret)
  const { rows } = await writer.query('BEGIN').then(() => writer.query(insertEvents(2)))
  const [later] = await award(nodes[0], secret, 1)
  expect(await behind()).toBeGreaterThan(0.5)
  expect(await readOn(nodes[1], secret)).toEqual(before)
  await writer.query('COMMIT')
  const expected = [...before, ...rows.map(({ id }) => id), later]
  expect(await readOn(nodes[1], secret)).toEqual(expected)
  expect(await behind()).toBe(0)
  await writer.end()
})

/** Transactions that write events at their beginning or at their end. Some are rolled back. */
const writeSlowly = async (rounds: number) => {
  const client = await open('busy')
  const kept: string[] = []
  for (let i = 0; i < rounds; i++) {
    const written: string[] = []
    await client.query(
      `BEGIN; CREATE TEMP TABLE IF NOT EXISTS mine (n int); INSERT INTO mine VALUES (1)`,
    )
    await sleep(Math.random() * 60)
    for (let part = 0; part < 2; part++) {
      const { rows } = await client.query(insertEvents(3))
      written.push(...rows.map(({ id }) => id))
      await client.query('SAVEPOINT half')
      await client.query(insertEvents(1))
      await client.query('ROLLBACK TO half')
      await sleep(Math.random() * 120)
    }
    const isKept = Math.random() > 0.2
    await client.query(isKept ? 'COMMIT' : 'ROLLBACK')
    if (isKept) kept.push(...written)
  }
  await client.end()
  return kept
}

test('readers on two nodes see every event once and in the same order, while short and long transactions write', async () => {
  const last = (await readOn(nodes[0], secret)).at(-1) as string
  const { cursor: start } = await readCursor(nodes[0], secret, null)
  const live = await Promise.all(nodes.map((node) => watch(node, secret)))
  const resumed = await watch(nodes[1], secret, last)
  let writing = true
  const poll = async (world: World) => {
    const seen: string[] = []
    for (let rest = true; rest; ) {
      rest = writing
      const page = await readOn(world, secret, seen.at(-1) ?? last)
      seen.push(...page)
    }
    return seen
  }
  const scroll = async (world: World) => {
    const seen: string[] = []
    let cursor = start
    for (let rest = true; rest; ) {
      rest = writing
      const page = await readCursor(world, secret, cursor)
      cursor = page.cursor
      seen.push(...page.ids)
      rest ||= page.ids.length > 0
    }
    return seen
  }
  const polling = Promise.all([...nodes.map(poll), ...nodes.map(scroll)])
  const written = (
    await Promise.all([
      ...nodes.map((node) => award(node, secret, 150)),
      ...Array.from({ length: 4 }, () => writeSlowly(12)),
    ])
  ).flat()
  writing = false
  for (const reader of [...live, resumed]) await reader.until(written.length)
  const [first, ...others] = [...(await polling), ...[...live, resumed].map(({ ids }) => ids())]
  expect([...(first as string[])].sort()).toEqual(written.sort())
  for (const seen of others) expect(seen).toEqual(first)
  for (const { end } of [...live, resumed]) await end()
})

test('the audit finds events that no reader would reach', async () => {
  const { pool } = nodes[0].server.database
  expect(await audit(pool)).toBe(0)
  const broken = async () => {
    const names: string[] = []
    await audit(pool, (name, count) => count > 0 && names.push(`${count} ${name}`))
    return names
  }
  const promise = 'readers of the feed get to every event and segment change'
  const move = (to: string) =>
    cluster.query(
      `UPDATE event SET position = ${to} WHERE id = (SELECT id FROM event ORDER BY position DESC LIMIT 1)`,
      'busy',
    )
  await move('position + 1000')
  expect(await broken()).toEqual([`1 ${promise}`])
  await move('(SELECT position FROM event ORDER BY position DESC OFFSET 1 LIMIT 1)')
  expect(await broken()).toEqual([`1 ${promise}`])
  await move('(SELECT last_value FROM feed_position)')
  expect(await broken()).toEqual([])
})
