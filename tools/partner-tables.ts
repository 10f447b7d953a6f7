/** Which rows of each table belong to a partner. It follows from the catalog: from columns and foreign keys. */
import type pg from 'pg'
import { readTables, type Table } from './table-catalog.ts'

/** Tables whose rows stay where they are when a partner moves, and why. */
export const staying: Record<string, string> = {
  applied_trigger: 'belongs to the database',
  arena_audience: 'the arena is in one cell',
  arena_match: 'the arena is in one cell',
  arena_match_event: 'the arena is in one cell',
  arena_match_game: 'the arena is in one cell',
  arena_rating: 'the arena is in one cell',
  arena_report: 'the arena is in one cell',
  arena_session_move: 'the arena is in one cell',
  backfill: 'belongs to the database',
  campaign_mark: 'is counted again by the other cell',
  copied_table: 'belongs to a move',
  job_run: 'belongs to the database',
  leaderboard_mark: 'is counted again by the other cell',
  mail: 'is sent from where it was written; links in it lead to the partner wherever they are',
  master_key_version: 'belongs to the database',
  schema_compatibility: 'belongs to the database',
  throttle: 'counts attempts of a day',
  written_row: 'belongs to a move',
}

/** Tables whose rows remain after a partner has moved away, so that their keys lead to the other cell. */
export const signposts = ['partner', 'application', 'api_key']

/** Tables that nodes may still write for a partner who has moved away: requests that they had counted before. */
export const writtenLate = ['statistic', 'statistic_day']

/**
 * Columns that may be written at both ends of a move, because nobody waits for them: when something was used, and where
 * the partner is.
 */
export const unfencedColumns: Record<string, string[]> = {
  api_key: ['last_used_at'],
  sign_in: ['refreshed_at'],
  partner: ['move', 'cell'],
}

export type PartnerTable = Table & {
  /** A condition on the alias `t`, for the partner `$1`, that finds all of their rows. */
  owned: string
  /** The same for rows that are found by their key. */
  ownedByKey: string
  /** The columns of the primary key, and their types. */
  key: { column: string; type: string }[]
  /** Foreign keys between this table and one with the id of the partner; 0 if it has the id itself. */
  depth: number
  /** The table with the id of the partner. */
  root: string
}

type ForeignKey = {
  name: string
  columns: string[]
  parent: string
  parentColumns: string[]
  /** Whether its columns are never null. */
  isRequired: boolean
}

const foreignKeysOf = `
  SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS parent,
    (SELECT bool_and(attnotnull) FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey))
      AS "isRequired",
    (SELECT array_agg(quote_ident(attname) ORDER BY n) FROM unnest(conkey) WITH ORDINALITY k (num, n)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = num) AS columns,
    (SELECT array_agg(quote_ident(attname) ORDER BY n) FROM unnest(confkey) WITH ORDINALITY k (num, n)
      JOIN pg_attribute ON attrelid = confrelid AND attnum = num) AS "parentColumns"
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
  ORDER BY 1, 3`

export const readForeignKeys = async (client: pg.ClientBase): Promise<ForeignKey[]> =>
  (await client.query({ text: foreignKeysOf })).rows

/** Tables in which an index finds the rows of a partner. */
const indexedOf = `SELECT DISTINCT indrelid::regclass::text AS name FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
  WHERE a.attname = 'partner_id' AND i.indpred IS NULL`

const keysOf = `SELECT i.indrelid::regclass::text AS name, json_agg(
    json_build_object('column', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum) AS key
  FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indisprimary GROUP BY i.indrelid`

type KeyedTable = Table & Pick<PartnerTable, 'key'>

const readKeyedTables = async (client: pg.ClientBase): Promise<KeyedTable[]> => {
  const keys = new Map(
    (await client.query({ text: keysOf })).rows.map(({ name, key }) => [name, key]),
  )
  return (await readTables(client))
    .filter(({ name }) => !(name in staying))
    .map((table) => ({ ...table, key: keys.get(table.name) }))
}

type Known = Map<string, PartnerTable>

const ownedThrough = ({ columns, parentColumns }: ForeignKey, parent: PartnerTable): string =>
  `t.${columns[0]} IN (SELECT t.${parentColumns[0]} FROM ${parent.name} t WHERE ${parent.owned})`

/** Without an index on `partner_id`, the condition on users lets the planner use their index. */
const ownedDirectly = (table: KeyedTable, keys: ForeignKey[], isIndexed: boolean): string => {
  const ofUser = keys.find(
    ({ name, parent, isRequired }) =>
      name === table.name && parent === 'end_user' && isRequired && !isIndexed,
  )
  const own = 't.partner_id = $1'
  return ofUser && table.columns.includes('user_id')
    ? `${own} AND t.user_id IN (SELECT id FROM end_user WHERE partner_id = $1)`
    : own
}

/** The table with its conditions, or null while the owner of its rows is unknown. */
const ruleFor = (
  table: KeyedTable,
  keys: ForeignKey[],
  indexed: Set<string>,
  known: Known,
): PartnerTable | null => {
  if (table.name === 'partner')
    return { ...table, owned: 't.id = $1', ownedByKey: 't.id = $1', depth: 0, root: table.name }
  if (table.columns.includes('partner_id')) {
    const owned = ownedDirectly(table, keys, indexed.has(table.name))
    return { ...table, owned, ownedByKey: 't.partner_id = $1', depth: 0, root: table.name }
  }
  const key = keys.find(({ name, parent }) => name === table.name && known.has(parent))
  const parent = key && known.get(key.parent)
  if (!parent) return null
  const owned = ownedThrough(key, parent)
  return { ...table, owned, ownedByKey: owned, depth: parent.depth + 1, root: parent.root }
}

/**
 * All tables with rows of a partner, parents before their children.
 * @throws Error for a table without a rule; it needs a column, a foreign key, or a line in `staying`
 */
export const readPartnerTables = async (client: pg.ClientBase): Promise<PartnerTable[]> => {
  const keys = await readForeignKeys(client)
  const indexed = new Set<string>(
    (await client.query({ text: indexedOf })).rows.map(({ name }) => name),
  )
  let open = await readKeyedTables(client)
  const known: Known = new Map()
  for (let found = true; found; ) {
    const rest: KeyedTable[] = []
    for (const table of open) {
      const rule = ruleFor(table, keys, indexed, known)
      if (rule) known.set(table.name, rule)
      else rest.push(table)
    }
    found = rest.length < open.length
    open = rest
  }
  if (open[0])
    throw new Error(
      `Nothing says which rows of ${open[0].name} belong to a partner (partner-tables.ts)`,
    )
  return [...known.values()].sort((a, b) => a.depth - b.depth)
}
