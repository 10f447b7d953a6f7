/**
 * Rows that somebody else has locked delay only the callers who need them, for every writer that is called in batches:
 * all wallets of a partner, and all its rows that can be locked (campaigns, tiers, codes, draws, sessions, agents,
 * offers, profiles, rules, statistics, the partner itself). The embedded database has one connection, so nobody else
 * can lock anything.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { Outage } from '../../src/kit/database/outage.ts'
import { createArena } from '../arena/arena-world.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { batchedBy } from './batched.ts'
import { award, type Game, type Place, type Stage } from './stage.ts'
import { stages } from './writer-stages.ts'

let world: World
let game: Game
beforeAll(async () => {
  world = await createWorld()
  game = await (await createArena(world)).publish({ name: 'Free', entryFee: 0 })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const newPlace = async (): Promise<Place> => {
  const partner = await world.createPartner()
  return { world, partner, game, tenant: { partnerId: partner.partnerId, environment: 'LIVE' } }
}

/** The tables with rows of partners, in the order of their names. */
const tablesOfPartners = async (): Promise<string[]> => {
  const { rows } = await world.server.database.pool.query({
    text: `SELECT c.table_name AS name FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'partner_id' AND t.table_type = 'BASE TABLE'
      ORDER BY 1`,
  })
  return rows.map(({ name }) => name)
}

/** Locks rows of a partner on a connection of its own. Returns the function that releases them. */
const lockRows = async (tables: string[], { partnerId }: Place['partner']) => {
  const client = new pg.Client(world.server.database.pool.options.connectionString)
  client.on('error', () => {}) // the database is dropped with its connections when a test fails
  await client.connect()
  await client.query('BEGIN')
  for (const table of tables)
    await client.query(`SELECT FROM ${table} WHERE partner_id = $1 FOR UPDATE`, [partnerId])
  return () => client.end()
}

const outages = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected' && result.reason instanceof Outage ? [result.reason] : [],
  )

test.runIf(onPostgres).each(batchedBy('write'))(
  '%s answers other partners while all wallets of one and all rows of another are locked, and then these',
  async (name) => {
    const { writer, items } = stages(world)[name] as Stage
    const ask = async () => {
      const place = await newPlace()
      const asked = await items(place)
      await award(place, ['ann', 'ben'])
      return { ...place, asked }
    }
    const [withoutWallets, withoutRows, other] = [await ask(), await ask(), await ask()]
    const releases = [
      await lockRows(['end_user'], withoutWallets.partner),
      await lockRows(await tablesOfPartners(), withoutRows.partner),
    ]
    const write = (item: object) => world.runtime.write(writer as never, item as never)
    const waiting = Promise.allSettled([...withoutWallets.asked, ...withoutRows.asked].map(write))
    expect(outages(await Promise.allSettled(other.asked.map(write)))).toEqual([])
    for (const release of releases) await release()
    expect(outages(await waiting)).toEqual([])
  },
)
