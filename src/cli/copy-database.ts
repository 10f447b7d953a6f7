/** Copies all rows of one database into another of the same schema, embedded or on a server, and compares them. */
import type pg from 'pg'
import { CommandError, type Progress } from './command.ts'

type Table = {
  /** Quoted for SQL. */
  name: string
  /** Quoted for SQL, in order. Without those that the database generates. */
  columns: string[]
  /** Names and types of the columns. Rows of equal shape have the same text. */
  shape: string
}

/** Each database fills these itself: its migrations, its triggers, and the epochs of its feed. */
const ownTables = ['_prisma_migrations', 'applied_trigger', 'feed_epoch']

const tablesOf = `
  SELECT quote_ident(c.relname) AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
    string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) AS shape
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND c.relname <> ALL ($1::text[])
  GROUP BY c.oid ORDER BY c.relname`

/** The tables whose rows move, by name. A partition moves with its table: each database has its own months. */
const readTables = async (client: pg.ClientBase): Promise<Table[]> =>
  (await client.query({ text: tablesOf, values: [ownTables] })).rows

const sequencesOf = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY relname`

const readSequences = async (client: pg.ClientBase): Promise<string[]> =>
  (await client.query({ text: sequencesOf })).rows.map(({ name }) => name)

/** Statements in the order in which they run. `after` restores what `before` removes. */
type Setup = { before: string[]; after: string[] }

const foreignKeysOf = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS before,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS after
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace ORDER BY conrelid, conname`

const indexesOf = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS before, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS after
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL ($1::text[])
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype <> 'f')
  ORDER BY i.indrelid, i.indexrelid`

/**
 * How to copy rows quickly: without triggers, whose effects the rows already have, and with indexes and foreign keys
 * made afterwards, which checks all rows. The owner of the tables may do this; a superuser is not needed.
 */
const readSetup = async (client: pg.ClientBase, tables: Table[]): Promise<Setup> => {
  const keys = (await client.query({ text: foreignKeysOf })).rows
  const indexes = (await client.query({ text: indexesOf, values: [ownTables] })).rows
  const triggers = tables.map(({ name }) => ({
    before: `ALTER TABLE ${name} DISABLE TRIGGER USER`,
    after: `ALTER TABLE ${name} ENABLE TRIGGER USER`,
  }))
  return {
    before: [...keys, ...indexes, ...triggers].map(({ before }) => before),
    after: [...indexes, ...keys, ...triggers].map(({ after }) => after),
  }
}

type Sum = { rows: number; sum: string }
type Sums = Map<string, Sum>

/** Rows travel as text, which must not depend on settings of a role or a database. */
const copySettings = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL search_path = public;
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`

/** Approximate bytes of text in memory at once. */
const batchBytes = 4_000_000
/** Bytes between checkpoints: the embedded database flushes its log only on request. */
const checkpointBytes = 64_000_000

/** Begins the transaction in which the source is read. Until it ends, nobody else writes there. */
export const holdSource = async (source: pg.ClientBase): Promise<void> => {
  const names = (await readTables(source)).map(({ name }) => name)
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await source.query(`${copySettings}; SET LOCAL synchronize_seqscans = off`)
  // The snapshot is taken by the first statement after the locks.
  await source.query(`LOCK TABLE ${names.join(', ')} IN SHARE MODE`)
}

/** The row count of each table, and a checksum that does not depend on their order. */
const readSums = async (client: pg.ClientBase, tables: Table[]): Promise<Sums> => {
  const sums: Sums = new Map()
  for (const { name } of tables) {
    const text = `SELECT count(*)::float8 AS rows, sum(hashtextextended(t::text, 0)::numeric)::text AS sum
      FROM ${name} t`
    sums.set(name, (await client.query<Sum>({ text })).rows[0] as Sum)
  }
  return sums
}

/** @throws CommandError when the tables are not those of the source */
const refuseOthers = (sources: Table[], targets: Table[]): void => {
  const shapes = (tables: Table[]) => new Map(tables.map(({ name, shape }) => [name, shape]))
  const [from, to] = [shapes(sources), shapes(targets)]
  const other = [...new Set([...from.keys(), ...to.keys()])].find(
    (name) => from.get(name) !== to.get(name),
  )
  if (other)
    throw new CommandError(
      `The table ${other} is not the same in both databases; nothing was moved. It may not be one of Tessera.`,
    )
}

const copyRows = async (
  source: pg.ClientBase,
  target: pg.ClientBase,
  { name, columns }: Table,
  onBatch: (rows: number, bytes: number) => Promise<void>,
): Promise<void> => {
  // OFFSET keeps the planner from parsing a line once for each of its columns.
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map((column) => `(row).${column}`).join(', ')}
    FROM (SELECT line::${name} AS row FROM unnest($1::text[]) line OFFSET 0) parsed`
  await source.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT t::text AS line FROM ${name} t`)
  const fetch = async (count: number): Promise<string[]> =>
    (await source.query({ text: `FETCH ${count} FROM moved` })).rows.map(({ line }) => line)
  for (let next = fetch(100); ; ) {
    const lines = await next
    if (lines.length === 0) break
    const bytes = lines.reduce((sum, { length }) => sum + length, 0)
    const count = Math.ceil((batchBytes * lines.length) / bytes)
    // Both databases work at the same time.
    next = fetch(Math.min(count, 2 * lines.length + 100, 20_000))
    next.catch(() => {})
    await target.query({ text: insert, values: [lines] })
    await onBatch(lines.length, bytes)
  }
  await source.query('CLOSE moved')
}

const copyPositions = async (source: pg.ClientBase, target: pg.ClientBase): Promise<void> => {
  for (const name of await readSequences(target)) {
    const text = `SELECT last_value::text AS last, is_called AS called FROM ${name}`
    const [at] = (await source.query({ text })).rows
    await target.query({ text: 'SELECT setval($1, $2, $3)', values: [name, at.last, at.called] })
  }
}

/** @throws CommandError when a table has other rows than in the source */
const compare = (expected: Sums, found: Sums): void => {
  for (const [name, { rows, sum }] of expected) {
    const copy = found.get(name)
    if (copy?.rows !== rows || copy.sum !== sum)
      throw new CommandError(
        `The table ${name} is not the same after the copy (${rows} rows, ${copy?.rows} copied); nothing was moved.`,
      )
  }
}

/**
 * Copies everything and compares counts and checksums of every table. Keeps a few megabytes in memory.
 * @param source in the transaction of `holdSource`
 * @param target in a transaction, on tables that have only what migrations wrote
 * @param isEmbedded whether the target is an embedded database
 * @returns the number of rows
 */
export const copyDatabase = async (
  source: pg.ClientBase,
  target: pg.ClientBase,
  { isEmbedded, progress }: { isEmbedded: boolean; progress: Progress },
): Promise<number> => {
  await target.query(copySettings)
  const tables = await readTables(target)
  refuseOthers(await readTables(source), tables)
  progress('Reading the source')
  const expected = await readSums(source, tables)
  const total = [...expected.values()].reduce((sum, { rows }) => sum + rows, 0)
  const setup = await readSetup(target, tables)
  for (const statement of setup.before) await target.query(statement)
  // Rows that migrations wrote come back with the source. Without its epoch, the feed continues far above the source.
  await target.query(`TRUNCATE ${[...tables.map(({ name }) => name), 'feed_epoch'].join(', ')}`)
  let [done, unwritten] = [0, 0]
  for (const table of tables)
    await copyRows(source, target, table, async (rows, bytes) => {
      done += rows
      unwritten += bytes
      progress('Copying rows', done, total)
      if (!isEmbedded || unwritten < checkpointBytes) return
      unwritten = 0
      await target.query('CHECKPOINT')
    })
  await copyPositions(source, target)
  for (const [i, statement] of setup.after.entries()) {
    progress('Building indexes and checking foreign keys', i + 1, setup.after.length)
    await target.query(statement)
  }
  progress('Comparing counts and checksums')
  compare(expected, await readSums(target, tables))
  await target.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`)
  return total
}
