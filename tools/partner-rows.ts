/** The rows of a partner: counts, copies and deletions. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import { copySettings } from './copy-database.ts'
import { type PartnerTable, readForeignKeys, readPartnerTables, staying } from './partner-tables.ts'
import type { Progress } from './progress.ts'

type Sum = { rows: number; sum: string }

/** About how many rows are in memory at once. Few are larger than a kilobyte, and none is larger than 64. */
const rowsAtOnce = 2_000

/** Begins the transaction in which the source is read, which sees all that was committed before. */
export const beginReading = async (source: pg.ClientBase): Promise<void> => {
  await source.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${copySettings}`)
}

/** How many rows the partner has in a table, and a sum that does not depend on their order. */
const readSum = async (
  client: pg.ClientBase,
  { name, owned }: PartnerTable,
  partnerId: string,
): Promise<Sum> => {
  const text = `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS sum
    FROM ${name} t WHERE ${owned}`
  return (await client.query<Sum>({ text, values: [partnerId] })).rows[0] as Sum
}

/** How many rows the partner has in a database. */
export const countRows = async (client: pg.ClientBase, partnerId: string) => {
  const counts: Record<string, number> = {}
  for (const table of await readPartnerTables(client)) {
    const text = `SELECT count(*)::float8 AS n FROM ${table.name} t WHERE ${table.owned}`
    counts[table.name] = (await client.query({ text, values: [partnerId] })).rows[0].n
  }
  return counts
}

/** @throws CommandError when the tables are not those of the source */
const refuseOthers = (sources: PartnerTable[], targets: PartnerTable[]): void => {
  const shapes = (tables: PartnerTable[]) =>
    JSON.stringify(tables.map(({ name, shape }) => [name, shape]))
  if (shapes(sources) !== shapes(targets))
    throw new CommandError(
      'The two cells are of different versions. Nothing was moved; deploy the same version in both before.',
    )
}

const copyTable = async (
  source: pg.ClientBase,
  target: pg.ClientBase,
  { name, columns, owned }: PartnerTable,
  partnerId: string,
): Promise<void> => {
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map((column) => `(row).${column}`).join(', ')}
    FROM (SELECT line::${name} AS row FROM unnest($1::text[]) line OFFSET 0) parsed`
  await source.query({
    text: `DECLARE moved NO SCROLL CURSOR FOR SELECT t::text AS line FROM ${name} t WHERE ${owned}`,
    values: [partnerId],
  })
  const fetch = async (): Promise<string[]> =>
    (await source.query({ text: `FETCH ${rowsAtOnce} FROM moved` })).rows.map(({ line }) => line)
  for (let next = fetch(); ; ) {
    const lines = await next
    if (lines.length === 0) break
    // Both databases work at the same time.
    next = fetch()
    next.catch(() => {})
    await target.query({ text: insert, values: [lines] })
  }
  await source.query('CLOSE moved')
}

/**
 * Copies all rows of a partner and compares counts and checksums of every table.
 * @param source in the transaction of `beginReading`
 * @param target in a transaction, without triggers
 */
export const copyPartner = async (
  source: pg.ClientBase,
  target: pg.ClientBase,
  { partnerId, progress }: { partnerId: string; progress: Progress },
): Promise<number> => {
  await target.query(copySettings)
  const tables = await readPartnerTables(source)
  refuseOthers(tables, await readPartnerTables(target))
  let copied = 0
  for (const table of tables) {
    progress('Copying rows', copied)
    const expected = await readSum(source, table, partnerId)
    await copyTable(source, target, table, partnerId)
    const found = await readSum(target, table, partnerId)
    if (found.rows !== expected.rows || found.sum !== expected.sum)
      throw new CommandError(
        `The table ${table.name} is not the same after the copy (${expected.rows} rows, ${found.rows} copied). Nothing was moved.`,
      )
    copied += found.rows
  }
  return copied
}

/** What foreign keys would refuse, if they were checked. @returns the names of the tables */
export const findOrphans = async (client: pg.ClientBase, partnerId: string): Promise<string[]> => {
  const tables = new Map((await readPartnerTables(client)).map((table) => [table.name, table]))
  const orphans: string[] = []
  for (const { name, columns, parent, parentColumns } of await readForeignKeys(client)) {
    const table = tables.get(name)
    if (!table) continue
    const text = `SELECT EXISTS (SELECT FROM ${name} t WHERE ${table.owned}
      AND ${columns.map((column) => `t.${column} IS NOT NULL`).join(' AND ')}
      AND NOT EXISTS (SELECT FROM ${parent} p
        WHERE ${columns.map((column, i) => `p.${parentColumns[i]} = t.${column}`).join(' AND ')})) AS found`
    if ((await client.query({ text, values: [partnerId] })).rows[0].found)
      orphans.push(`${name} (${columns.join(', ')})`)
  }
  return orphans
}

const viewsOfPartners = `SELECT quote_ident(relname) AS name FROM pg_class c
  WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'partner_id')`

/**
 * Makes statements of this transaction see the rows of one partner, by views that hide the tables. So an audit takes as
 * long as the partner is large, and not the cell.
 */
export const showOnly = async (client: pg.ClientBase, partnerId: string): Promise<void> => {
  for (const { name, owned } of await readPartnerTables(client))
    await client.query(
      `CREATE TEMP VIEW ${name} AS SELECT * FROM public.${name} t WHERE ${owned.replaceAll('$1', `'${partnerId}'`)}`,
    )
  for (const name of Object.keys(staying))
    await client.query(`CREATE TEMP VIEW ${name} AS SELECT * FROM public.${name} t WHERE false`)
  const { rows: views } = await client.query({ text: viewsOfPartners })
  for (const { name } of views)
    await client.query(
      `CREATE TEMP VIEW ${name} AS SELECT * FROM public.${name} WHERE partner_id = '${partnerId}'`,
    )
  await client.query('SET LOCAL search_path = pg_temp, public')
}

/** Pages of a table that one statement reads, at most. */
const pagesAtOnce = 1_000

/** A table, or the partitions of one. */
const leavesOf = `SELECT quote_ident(relname) AS leaf, pg_relation_size(oid) / current_setting('block_size')::int AS pages
  FROM pg_class WHERE relkind = 'r'
    AND (oid = $1::regclass OR oid IN (SELECT relid FROM pg_partition_tree($1::regclass)))`

/**
 * Deletes the rows of a partner, children before their parents, in steps of a bounded size.
 * @param inStep runs a step; in a transaction of its own, or in that of the caller
 */
export const deleteRows = async (
  client: pg.ClientBase,
  {
    partnerId,
    except = [],
    inStep,
    progress,
  }: {
    partnerId: string
    except?: string[]
    inStep: (step: () => Promise<number>) => Promise<number>
    progress: Progress
  },
): Promise<number> => {
  let deleted = 0
  const tables = (await readPartnerTables(client)).filter(({ name }) => !except.includes(name))
  for (const { name, owned } of tables.reverse()) {
    const { rows: leaves } = await client.query({ text: leavesOf, values: [name] })
    for (const { leaf, pages } of leaves)
      for (let page = 0; page <= Number(pages); page += pagesAtOnce) {
        progress('Deleting rows', deleted)
        const text = `DELETE FROM ${leaf} t WHERE ${owned}
          AND t.ctid >= '(${page},0)'::tid AND t.ctid < '(${page + pagesAtOnce},0)'::tid`
        deleted += await inStep(
          async () => (await client.query({ text, values: [partnerId] })).rowCount ?? 0,
        )
      }
  }
  return deleted
}
