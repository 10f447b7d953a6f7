/** The tables of a database, and what must be removed while rows are copied into them. */
import type pg from 'pg'

export type Table = {
  /** Quoted for SQL. */
  name: string
  /** Quoted for SQL, in order. */
  columns: string[]
  /** Names and types of the columns. Rows of equal shape have the same text. */
  shape: string
}

/** Each database fills these itself: its migrations, its triggers, and the epochs of its feed. */
const ownTables = ['_prisma_migrations', 'applied_trigger', 'feed_epoch']

const tablesOf = `
  SELECT quote_ident(c.relname) AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
    string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) AS shape
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND c.relname <> ALL ($1::text[])
  GROUP BY c.oid ORDER BY c.relname`

/** The tables whose rows move, by name. A partition moves with its table: each database has its own months. */
export const readTables = async (client: pg.ClientBase): Promise<Table[]> =>
  (await client.query({ text: tablesOf, values: [ownTables] })).rows

const sequencesOf = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY relname`

export const readSequences = async (client: pg.ClientBase): Promise<string[]> =>
  (await client.query({ text: sequencesOf })).rows.map(({ name }) => name)

/** Statements in the order in which they run. `after` restores what `before` removes. */
export type Setup = { before: string[]; after: string[] }

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
export const readSetup = async (client: pg.ClientBase, tables: Table[]): Promise<Setup> => {
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
