/** The rows of a partner: counts, checksums, copies and deletions. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import { copySettings } from './copy-database.ts'
import { type PartnerTable, readPartnerTables, unfencedColumns } from './partner-tables.ts'
import type { Progress } from './progress.ts'

export type Sum = { rows: number; sum: string }

/** Approximate rows in memory at once. Few are larger than 1 KB, and none is larger than 64 KB. */
const rowsAtOnce = 2_000

export const inTransaction = async <T>(
  client: pg.ClientBase,
  run: () => Promise<T>,
): Promise<T> => {
  await client.query('BEGIN')
  try {
    const result = await run()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Begins the transaction in which the source is read, which sees all that was committed before. */
export const beginReading = async (source: pg.ClientBase): Promise<void> => {
  await source.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${copySettings}`)
}

const keysIn = ({ key }: PartnerTable, keys: string): string =>
  `(SELECT DISTINCT ${key.map(({ column, type }) => `(key ->> '${column}')::${type} AS "${column}"`).join(', ')}
    FROM (${keys}) n) k`

const isOfKey = ({ key }: PartnerTable): string =>
  key.map(({ column }) => `t."${column}" = k."${column}"`).join(' AND ')

/**
 * The text after `FROM` that selects the rows of the partner `$1` in a table, with the alias `t`.
 * @param keys a query for keys as JSON objects, to find only their rows
 */
export const rowsOf = (table: PartnerTable, keys?: string): string =>
  keys === undefined
    ? `${table.name} t WHERE ${table.owned}`
    : `${keysIn(table, keys)} JOIN ${table.name} t ON ${isOfKey(table)} WHERE ${table.ownedByKey}`

/** The statement that deletes rows of the partner `$1` by their keys. */
export const deletionOf = (table: PartnerTable, keys: string): string =>
  `DELETE FROM ${table.name} t USING ${keysIn(table, keys)}
    WHERE ${isOfKey(table)} AND ${table.ownedByKey}`

/** The row count, and a checksum that ignores the order of rows and what may be written at both ends. */
export const readSum = async (
  client: pg.ClientBase,
  { name }: PartnerTable,
  rows: string,
  partnerId: string,
): Promise<Sum> => {
  const free = unfencedColumns[name]
  const row = free ? `(to_jsonb(t) - '{${free.join(',')}}'::text[])` : 't'
  const text = `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(${row}::text, 0)::numeric), 0)::text AS sum
    FROM ${rows}`
  return (await client.query<Sum>({ text, values: [partnerId] })).rows[0] as Sum
}

/** @throws CommandError when a table has other rows in the copy */
export const compare = ({ name }: PartnerTable, expected: Sum, found: Sum): void => {
  if (found.rows !== expected.rows || found.sum !== expected.sum)
    throw new CommandError(
      `The table ${name} is not the same in the copy (${expected.rows} rows, ${found.rows} copied).`,
    )
}

/** The number of rows that the partner has in a database. */
export const countRows = async (client: pg.ClientBase, partnerId: string) => {
  const counts: Record<string, number> = {}
  for (const table of await readPartnerTables(client)) {
    const text = `SELECT count(*)::float8 AS n FROM ${table.name} t WHERE ${table.owned}`
    counts[table.name] = (await client.query({ text, values: [partnerId] })).rows[0].n
  }
  return counts
}

/** Reads rows of the source in batches that memory holds. The next batch is read while the last one is used. */
export const inBatches = async (
  source: pg.ClientBase,
  { text, values }: { text: string; values: unknown[] },
  use: (lines: string[]) => Promise<void>,
): Promise<void> => {
  await source.query({ text: `DECLARE moved NO SCROLL CURSOR FOR ${text}`, values })
  const fetch = async (): Promise<string[]> =>
    (await source.query({ text: `FETCH ${rowsAtOnce} FROM moved` })).rows.map(({ line }) => line)
  for (let next = fetch(); ; ) {
    const lines = await next
    if (lines.length === 0) break
    next = fetch()
    next.catch(() => {})
    await use(lines)
  }
  await source.query('CLOSE moved')
}

/**
 * Copies rows of a table, as `rowsOf` names them.
 * @param target in a transaction, without triggers
 */
export const copyRows = async (
  { source, target }: { source: pg.ClientBase; target: pg.ClientBase },
  { name, columns }: PartnerTable,
  { rows, partnerId }: { rows: string; partnerId: string },
  onBatch: (count: number) => void,
): Promise<void> => {
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map((column) => `(row).${column}`).join(', ')}
    FROM (SELECT line::${name} AS row FROM unnest($1::text[]) line OFFSET 0) parsed`
  const text = `SELECT t::text AS line FROM ${rows}`
  await inBatches(source, { text, values: [partnerId] }, async (lines) => {
    await target.query({ text: insert, values: [lines] })
    onBatch(lines.length)
  })
}

/** Maximum pages of a table that one statement reads. */
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
