/**
 * Every writer that is called in batches gives each item what it gets when the list is written one by
 * one, in any order and with repeated items, and leaves the same behind.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { createArena } from '../arena/arena-world.ts'
import { createWorld, type World } from '../world.ts'
import { batchedBy } from './batched.ts'
import type { Game, Place, Stage } from './stage.ts'
import { stages } from './writer-stages.ts'

let world: World
let game: Game
const now = new Date()
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  game = await (await createArena(world)).publish({ name: 'Free', entryFee: 0 })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world?.end())

const newPlace = async (): Promise<Place> => {
  const partner = await world.createPartner()
  return { world, partner, game, tenant: { partnerId: partner.partnerId, environment: 'LIVE' } }
}

/** Ids and codes differ in each run, so each is replaced by the order of its first occurrence. */
const withoutNames = (text: string) => {
  const names = new Map<string, string>()
  const isName =
    /[\da-f]{8}-[\da-f-]{27}|[A-Z\d]{1,4}-[A-Z\d]{8}|(?<=")[A-HJ-NP-Z2-9]{6,12}(?=")|Agent [\da-f]{4}/g
  return text.replace(isName, (name) => {
    if (!names.has(name)) names.set(name, `name ${names.size}`)
    return names.get(name) as string
  })
}

const asText = (value: unknown) =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner))

/** Wallets, ledger, timelines, events and deliveries of a partner. */
const leftBehind = async ({ partnerId, environment }: Tenant) => {
  const { pool } = world.server.database
  const counts = async (table: string, columns: string) =>
    (
      await pool.query({
        text: `SELECT ${columns}, count(*)::int AS number FROM ${table}
          WHERE partner_id = $1 AND environment = $2::"Environment"
          GROUP BY ${columns} ORDER BY ${columns}`,
        values: [partnerId, environment],
      })
    ).rows
  return [
    await counts('end_user', 'external_id, display_name, balance, entries, score'),
    await counts('ledger_entry', 'event_type, points, balance_after'),
    await counts('user_activity', 'category, event_type'),
    await counts('event', 'type'),
    await counts('webhook_delivery', 'status, attempts'),
  ]
}

const run = async (
  { writer, items, shown }: Stage,
  order: <T>(items: T[]) => T[],
  way: 'alone' | 'together',
) => {
  const place = await newPlace()
  const requested = order(await items(place)) as never[]
  const answers: unknown[] = []
  if (way === 'together') answers.push(...(await writer(world.runtime, requested)))
  else for (const item of requested) answers.push(...(await writer(world.runtime, [item])))
  const texts = answers.map((answer) =>
    answer instanceof Error ? answer.message : shown ? shown(answer as never) : answer,
  )
  const text = withoutNames(asText([texts, await leftBehind(place.tenant)]))
  return JSON.parse(text.replaceAll(place.tenant.partnerId, 'partner'))
}

const orders = {
  'as it is': <T>(items: T[]) => items,
  'in reverse': <T>(items: T[]) => items.toReversed(),
}

test('the stages of this test cover all writers of the source', () => {
  expect(Object.keys(stages(world)).sort()).toEqual(batchedBy('write'))
})

describe.each(batchedBy('write'))('%s', (name) => {
  test.each(Object.entries(orders))(
    'a list %s has the same results as its items alone',
    async (_, order) => {
      const stage = stages(world)[name] as Stage
      expect(stage.writer.name).toBe(name)
      const alone = await run(stage, order, 'alone')
      expect(await run(stage, order, 'together')).toEqual(alone)
      // Otherwise the order would prove nothing.
      if (name !== 'recordAttempts') expect(new Set(alone[0].map(asText)).size).toBeGreaterThan(1)
    },
  )
})
