/** The two cells between which a partner moves, and the preconditions of a move. */
import type pg from 'pg'
import { readConfig } from '../src/core/config.ts'
import { readMigrationState, refuseUnusable } from '../src/core/db/migration-state.ts'
import { pepperIn } from '../src/core/pepper.ts'
import type { MasterKeys } from '../src/core/seal.ts'
import type { MasterKeyVersion, Partner } from '../src/generated/prisma/client.ts'
import { CommandError } from './command.ts'
import { openServer } from './move-place.ts'
import { countRows } from './partner-rows.ts'
import { signposts, writtenLate } from './partner-tables.ts'

/** Where a partner stands in one cell. */
export type Standing = Pick<Partner, 'id' | 'slug' | 'name' | 'move' | 'cell'>

/** The connections of one cell. */
export type Cell = {
  pool: pg.Pool
  control: pg.PoolClient
  reader: pg.PoolClient
  close(): Promise<void>
}

const openCell = async (url: string): Promise<Cell> => {
  const { pool, close } = await openServer(url, 3)
  try {
    const [control, reader] = [await pool.connect(), await pool.connect()]
    const release = async () => {
      for (const client of [control, reader]) client.release(true)
      await close()
    }
    return { pool, control, reader, close: release }
  } catch (error) {
    await close()
    throw error
  }
}

/** The cell of the settings. */
export const openOwnCell = async (): Promise<{ cell: Cell; masterKeys: MasterKeys }> => {
  const { databaseDirectUrl, databaseUrl, masterKeys } = readConfig()
  const url = databaseDirectUrl ?? databaseUrl
  if (!url) throw new CommandError('Cells need a PostgreSQL server: DATABASE_URL is not set.')
  return { cell: await openCell(url), masterKeys }
}

export const openOtherCell = (url: string): Promise<Cell> => openCell(url)

const standingOf = 'SELECT id, slug, name, move, cell FROM partner WHERE'

export const findStanding = async (
  client: pg.ClientBase,
  by: 'id' | 'slug',
  value: string,
): Promise<Standing | undefined> =>
  (await client.query({ text: `${standingOf} ${by} = $1`, values: [value] })).rows[0]

/** Sets where a partner stands in a cell. */
export const setMove = (
  client: pg.ClientBase,
  id: string,
  { move, cell }: Pick<Partner, 'move' | 'cell'>,
) =>
  client.query({
    text: 'UPDATE partner SET move = $2::"PartnerMove", cell = $3 WHERE id = $1',
    values: [id, move, cell],
  })

const refuseVersion = async ({ pool }: Cell, name: string): Promise<void> => {
  const state = await readMigrationState(pool)
  refuseUnusable(state)
  if (state.pending.length > 0 || state.newer.length > 0)
    throw new CommandError(`The ${name} is not of this version. Nothing was moved.`)
}

const pepperOf = async (client: pg.ClientBase, keys: MasterKeys): Promise<string | undefined> => {
  const text =
    'SELECT version, pepper, created_at AS "createdAt" FROM master_key_version ORDER BY version'
  return pepperIn(keys, (await client.query<MasterKeyVersion>({ text })).rows).pepper
}

/**
 * Refuses cells that do not share their secrets: codes, seeds and tokens of the partner would be worth nothing there.
 * @throws CommandError
 */
export const refuseStrangers = async (own: Cell, other: Cell, keys: MasterKeys): Promise<void> => {
  await refuseVersion(own, 'cell of the settings')
  await refuseVersion(other, 'other cell')
  const [here, there] = [await pepperOf(own.control, keys), await pepperOf(other.control, keys)]
  if (here === undefined || here !== there)
    throw new CommandError(
      'The two cells do not share their secret. Nothing was moved; a cell is prepared by tessera cell create.',
    )
}

const sharedOf = `SELECT what, n FROM (
    SELECT 'games of the arena', (SELECT count(*) FROM arena_game WHERE partner_id = $1)
    UNION ALL SELECT 'agents of the arena', (SELECT count(*) FROM arena_agent WHERE partner_id = $1)
    UNION ALL SELECT 'sessions of the arena', (SELECT count(*) FROM arena_session WHERE partner_id = $1)
    UNION ALL SELECT 'seats in sessions of the arena', (SELECT count(*) FROM arena_player WHERE partner_id = $1)
    UNION ALL SELECT 'accepted games of the arena', (SELECT count(*) FROM arena_acceptance WHERE partner_id = $1)
    UNION ALL SELECT 'agents who are supported', (SELECT count(*) FROM arena_supporter WHERE partner_id = $1)
    UNION ALL SELECT 'tickets of shared lotteries', (SELECT count(*) FROM lottery_ticket t
      JOIN lottery l ON l.id = t.lottery_id WHERE t.partner_id = $1 AND l.partner_id IS NULL)
    UNION ALL SELECT 'operators of the service', (SELECT count(*) FROM member WHERE partner_id = $1 AND is_operator)
  ) s (what, n) WHERE n > 0`

/**
 * Refuses a partner who shares something with others: the arena and shared lotteries are in one cell.
 * @throws CommandError with everything that they share
 */
export const refuseShared = async (client: pg.ClientBase, partner: Standing): Promise<void> => {
  const { rows } = await client.query({ text: sharedOf, values: [partner.id] })
  if (rows.length > 0)
    throw new CommandError(
      `${partner.name} shares things with other partners, which stay in this cell: ${rows.map(({ what, n }) => `${n} ${what}`).join(', ')}. Nothing was moved.`,
    )
}

/**
 * Refuses a target that has the partner already, or their slug.
 * @throws CommandError
 */
export const refuseOccupied = async (client: pg.ClientBase, partner: Standing): Promise<void> => {
  const there = await findStanding(client, 'id', partner.id)
  const named = await findStanding(client, 'slug', partner.slug)
  if (named && named.id !== partner.id)
    throw new CommandError(
      `Another partner of the other cell has the slug ${partner.slug}. Nothing was moved.`,
    )
  if (there?.move === 'MOVED') {
    const left = Object.entries(await countRows(client, partner.id)).find(
      ([name, n]) => n > 0 && ![...signposts, ...writtenLate].includes(name),
    )
    if (left)
      throw new CommandError(
        `The other cell still has rows of ${partner.name} from before (${left[0]}). Nothing was moved; tessera partner forget there.`,
      )
  } else if (there && there.move !== 'ARRIVING')
    throw new CommandError(`${partner.name} is in the other cell already. Nothing was moved.`)
}
