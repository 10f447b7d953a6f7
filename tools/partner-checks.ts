/** Checks of the rows of one partner: references, and the guarantees that the audit knows. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import { audit } from './invariants.ts'
import { rowsOf } from './partner-rows.ts'
import { type PartnerTable, readForeignKeys, readPartnerTables, staying } from './partner-tables.ts'

/**
 * Refuses rows that foreign keys would refuse if they were enforced.
 * @param keysOf a query for the keys of rows in a table, to check only these
 * @throws CommandError with the names of the tables
 */
export const refuseOrphans = async (
  client: pg.ClientBase,
  partnerId: string,
  keysOf: (table: PartnerTable) => string | undefined = () => undefined,
): Promise<void> => {
  const tables = new Map((await readPartnerTables(client)).map((table) => [table.name, table]))
  const orphans: string[] = []
  for (const { name, columns, parent, parentColumns } of await readForeignKeys(client)) {
    const table = tables.get(name)
    if (!table) continue
    const text = `SELECT EXISTS (SELECT FROM ${rowsOf(table, keysOf(table))}
      AND ${columns.map((column) => `t.${column} IS NOT NULL`).join(' AND ')}
      AND NOT EXISTS (SELECT FROM ${parent} p
        WHERE ${columns.map((column, i) => `p.${parentColumns[i]} = t.${column}`).join(' AND ')})) AS found`
    if ((await client.query({ text, values: [partnerId] })).rows[0].found)
      orphans.push(`${name} (${columns.join(', ')})`)
  }
  if (orphans.length > 0)
    throw new CommandError(`Rows refer to rows that do not move: ${orphans.join(', ')}.`)
}

const viewsOfPartners = `SELECT quote_ident(relname) AS name FROM pg_class c
  WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'partner_id')`

/** Limits the statements of this transaction to some rows of each table, by views that hide the tables. */
const showRows = async (
  client: pg.ClientBase,
  {
    seen,
    seenOf,
    isShared,
  }: {
    seen: (table: PartnerTable) => string
    /** A condition on `partner_id`. */
    seenOf: string
    /** Whether the rows of tables that stay are visible. */
    isShared: boolean
  },
): Promise<void> => {
  for (const table of await readPartnerTables(client))
    await client.query(
      `CREATE TEMP VIEW ${table.name} AS SELECT * FROM public.${table.name} t WHERE ${seen(table)}`,
    )
  if (!isShared)
    for (const name of Object.keys(staying))
      await client.query(`CREATE TEMP VIEW ${name} AS SELECT * FROM public.${name} t WHERE false`)
  const { rows: views } = await client.query({ text: viewsOfPartners })
  for (const { name } of views)
    await client.query(`CREATE TEMP VIEW ${name} AS SELECT * FROM public.${name} WHERE ${seenOf}`)
  await client.query('SET LOCAL search_path = pg_temp, public')
}

/** Hides all other partners from this transaction, so that an audit takes time for one partner, not for the cell. */
export const showOnly = (client: pg.ClientBase, partnerId: string): Promise<void> =>
  showRows(client, {
    seen: ({ owned }) => owned.replaceAll('$1', `'${partnerId}'`),
    seenOf: `partner_id = '${partnerId}'`,
    isShared: false,
  })

/**
 * Hides arriving partners from this transaction, because their rows are not complete.
 * @returns the number of hidden partners
 */
export const hideArriving = async (client: pg.ClientBase): Promise<number> => {
  const text = `SELECT id FROM partner WHERE move = 'ARRIVING'`
  const ids: string[] = (await client.query({ text })).rows.map(({ id }) => id)
  if (ids.length > 0)
    await showRows(client, {
      seen: ({ owned }) =>
        ids.map((id) => `(${owned.replaceAll('$1', `'${id}'`)}) IS NOT TRUE`).join(' AND '),
      seenOf: ids.map((id) => `partner_id IS DISTINCT FROM '${id}'`).join(' AND '),
      isShared: true,
    })
  return ids.length
}

/**
 * Checks the references of a partner's rows, and all guarantees.
 * @param client in a transaction
 * @throws CommandError with what is broken
 */
export const verifyPartner = async (client: pg.ClientBase, partnerId: string): Promise<void> => {
  await refuseOrphans(client, partnerId)
  await client.query('SAVEPOINT audit')
  await showOnly(client, partnerId)
  const broken: string[] = []
  await audit(client, (name, count) => void (count > 0 && broken.push(name)))
  await client.query('ROLLBACK TO audit')
  if (broken.length > 0)
    throw new CommandError(
      `The partner's rows break ${broken.length} guarantees, the first: ${broken[0]}.`,
    )
}
