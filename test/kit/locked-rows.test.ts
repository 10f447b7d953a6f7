/**
 * Rows that somebody else has locked delay only the callers who need them, for every writer that is called in batches:
 * all wallets of a partner, and all its rows that can be locked (campaigns, tiers, codes, draws, sessions, agents,
 * offers, profiles, rules, statistics, the counter of new users, the partner itself); and one wallet of a partner delays
 * only the calls that name its user. Neighbours that were looked for: every writer of the sources (`batchedBy`), and
 * every table with rows of partners. The embedded database has one connection, so nobody else can lock anything.
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

const beginBeside = async () => {
  const client = new pg.Client(world.server.database.pool.options.connectionString)
  client.on('error', () => {}) // the database is dropped with its connections when a test fails
  await client.connect()
  await client.query('BEGIN')
  return client
}

/** Locks rows of a partner on a connection of its own. Returns the function that releases them. */
const lockRows = async (tables: string[], { partnerId }: Place['partner']) => {
  const client = await beginBeside()
  for (const table of tables)
    await client.query(`SELECT FROM ${table} WHERE partner_id = $1 FOR UPDATE`, [partnerId])
  // The counter of its new users belongs to it only by its name.
  if (tables.length > 1)
    await client.query(`SELECT FROM throttle WHERE key LIKE $1 FOR UPDATE`, [`%${partnerId}%`])
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
      const requested = await items(place)
      await award(place, ['ann', 'ben'])
      return { ...place, asked: requested }
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

/** Calls of these name no user: they name what the user has a part in. */
const withoutUsers = [
  'recordAttempts',
  'reportArenaResults',
  'reverseEntries',
  'sendArenaSessionMoves',
  'startArenaSessions',
]

const namesOf = ({ externalId, referrer, referee }: Record<string, unknown>) =>
  [externalId, referrer, referee].filter((name) => typeof name === 'string')

test.runIf(onPostgres).each(batchedBy('write').filter((name) => !withoutUsers.includes(name)))(
  '%s answers other users of the partner while a wallet is locked, and then its user',
  async (name) => {
    const { writer, items } = stages(world)[name] as Stage
    const place = await newPlace()
    const requested = (await items(place)) as Record<string, unknown>[]
    await award(place, ['ann', 'ben'])
    const own = requested.find((item) => namesOf(item).includes('ann')) as Record<string, unknown>
    const others = requested.filter(
      (item) =>
        namesOf(item).length > 0 && !namesOf(item).some((user) => namesOf(own).includes(user)),
    )
    expect(others.length).toBeGreaterThan(0)
    const client = await beginBeside()
    await client.query(
      `SELECT FROM end_user WHERE partner_id = $1 AND external_id = 'ann' FOR UPDATE`,
      [place.partner.partnerId],
    )
    const write = (item: object) => world.runtime.write(writer as never, item as never)
    const waiting = Promise.allSettled([write(own)])
    expect(outages(await Promise.allSettled(others.map(write)))).toEqual([])
    await client.end()
    expect(outages(await waiting)).toEqual([])
  },
)
