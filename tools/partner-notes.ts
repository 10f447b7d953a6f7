/** Tracks the rows of a partner that are written while they are copied: triggers, and the notes that they write. */
import type pg from 'pg'
import { type PartnerTable, readPartnerTables } from './partner-tables.ts'
import { dropTriggers, inShortTurns } from './table-turns.ts'

const nameOf = (partnerId: string, event: 'write' | 'delete') =>
  `noted_${event}_${partnerId.replaceAll('-', '')}`

/** A table without the partner's id is noted for all partners, because the parent that has it may be deleted before. */
const notesOf = ({ name, columns, key }: PartnerTable, partnerId: string): string[] => {
  const owner = name === 'partner' ? 'id' : columns.includes('partner_id') ? 'partner_id' : null
  const args = [partnerId, name, ...key.map(({ column }) => column)]
  const trigger = (event: 'write' | 'delete', when: string, row: string) =>
    `CREATE OR REPLACE TRIGGER ${nameOf(partnerId, event)} AFTER ${when} ON ${name} FOR EACH ROW
      ${owner ? `WHEN (${row}.${owner} = '${partnerId}')` : ''}
      EXECUTE FUNCTION note_written_row(${args.map((arg) => `'${arg}'`).join(', ')})`
  return [trigger('write', 'INSERT OR UPDATE', 'NEW'), trigger('delete', 'DELETE', 'OLD')]
}

/** Identifies the triggers of each table by a number that changes if noting was interrupted. */
export type NotedBy = Map<string, string>

const notedByOf = `SELECT tgrelid::regclass::text AS name, max(oid::bigint)::text AS by, count(*)::int AS n FROM pg_trigger
  WHERE tgname = ANY ($1::text[]) AND tgparentid = 0 GROUP BY tgrelid`

const readNotedBy = async (client: pg.ClientBase, partnerId: string): Promise<NotedBy> => {
  const values = [[nameOf(partnerId, 'write'), nameOf(partnerId, 'delete')]]
  const { rows } = await client.query({ text: notedByOf, values })
  return new Map(rows.filter(({ n }) => n === 2).map(({ name, by }) => [name, by]))
}

/**
 * Starts to note writes where that has not started, one table at a time, so that others wait for milliseconds. Creating
 * a trigger waits for the writers of the table, so a later snapshot has every row that was not noted.
 */
export const raiseNotes = async (client: pg.ClientBase, partnerId: string): Promise<NotedBy> => {
  const known = await readNotedBy(client, partnerId)
  for (const table of await readPartnerTables(client))
    if (!known.has(table.name)) await inShortTurns(client, notesOf(table, partnerId))
  return readNotedBy(client, partnerId)
}

/** Ends the notes of a partner and deletes them. */
export const dropNotes = async (client: pg.ClientBase, partnerId: string): Promise<void> => {
  await dropTriggers(client, [nameOf(partnerId, 'write'), nameOf(partnerId, 'delete')])
  await client.query({ text: 'DELETE FROM written_row WHERE partner_id = $1', values: [partnerId] })
}

/** The keys noted in a table, for the partner `$1`: those that a snapshot misses, or all. */
export const notedKeys = ({ name }: PartnerTable, since: string | null): string =>
  `SELECT key FROM written_row WHERE partner_id = $1 AND table_name = '${name}'
    ${since === null ? '' : `AND NOT pg_visible_in_snapshot("transaction"::text::xid8, '${since}')`}`

/** The names of tables with such keys. */
export const readNoted = async (
  client: pg.ClientBase,
  partnerId: string,
  since: string | null,
): Promise<Set<string>> => {
  const text = `SELECT DISTINCT table_name AS name FROM written_row WHERE partner_id = $1
    ${since === null ? '' : `AND NOT pg_visible_in_snapshot("transaction"::text::xid8, '${since}')`}`
  return new Set((await client.query({ text, values: [partnerId] })).rows.map(({ name }) => name))
}
