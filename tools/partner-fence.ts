/** The fence around the rows of a partner: triggers that refuse writes, from whatever node or program they come. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { CommandError } from './command.ts'
import { type PartnerTable, readPartnerTables, writtenLate } from './partner-tables.ts'

/** What may still be written, because nobody waits for it: when something was used, and where the partner is. */
const unfencedColumns: Record<string, string[]> = {
  api_key: ['last_used_at'],
  sign_in: ['refreshed_at'],
  partner: ['move', 'cell'],
}

/** Old rows of these are deleted for all partners together. The other cell deletes them, too. */
const deletedWhenOld = [
  'audit_entry',
  'event',
  'idempotent_request',
  'segment_change',
  'sign_in',
  'user_hour',
  'user_token_revocation',
  'webhook_attempt',
  'webhook_delivery',
  'webhook_endpoint',
]

/** Rows of these are written together with those of their parents, which have a fence. */
const writtenWithParent = ['export_chunk', 'lottery_node', 'webhook_attempt']

/** A waiting table change blocks all later users of the table, so it gives way soon. */
const lockTimeoutMs = 1_000
const longestWaitMs = 300_000

const nameOf = (partnerId: string, event: 'write' | 'delete') =>
  `moved_${event}_${partnerId.replaceAll('-', '')}`

/** The statements that make the fence of a table. The id is that of a row, and no text of a caller. */
const fenceOf = ({ name, columns, depth }: PartnerTable, partnerId: string): string[] => {
  if (writtenWithParent.includes(name)) return []
  const free = unfencedColumns[name]
  const changed = free ? ` OF ${columns.filter((column) => !free.includes(column)).join(', ')}` : ''
  const isOfMember = depth > 0
  // Requests are counted for several partners in one statement. What is counted during a move is lost.
  const how = isOfMember ? 'of a member' : writtenLate.includes(name) ? 'skipped' : 'refused'
  const owner = name === 'partner' ? 'id' : 'partner_id'
  const trigger = (event: 'write' | 'delete', when: string, row: string) =>
    `CREATE OR REPLACE TRIGGER ${nameOf(partnerId, event)} BEFORE ${when} ON ${name} FOR EACH ROW
      ${isOfMember ? '' : `WHEN (${row}.${owner} = '${partnerId}')`}
      EXECUTE FUNCTION refuse_moved_partner('${partnerId}', '${how}')`
  return [
    trigger('write', `INSERT OR UPDATE${changed}`, 'NEW'),
    ...(isOfMember || deletedWhenOld.includes(name) ? [] : [trigger('delete', 'DELETE', 'OLD')]),
  ]
}

/** Runs statements in one transaction that never makes others wait for long. */
const inShortTurns = async (client: pg.ClientBase, statements: string[]): Promise<void> => {
  for (const end = performance.now() + longestWaitMs; ; ) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`)
      for (const statement of statements) await client.query(statement)
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK')
      const cause = (error as { cause?: { code?: string } }).cause
      const isBusy = [(error as { code?: string }).code, cause?.code].includes('55P03')
      if (!isBusy || performance.now() > end) throw error
      await sleep(200)
    }
  }
}

/**
 * Makes the fence. Afterwards all rows of the partner that were written are committed, and no more can be written. A
 * table at a time, so that other partners wait for milliseconds.
 */
export const raiseFence = async (client: pg.ClientBase, partnerId: string): Promise<void> => {
  const tables = await readPartnerTables(client)
  // The answer to a request is kept after what the request has written.
  const isLast = ({ name }: PartnerTable) => name === 'idempotent_request'
  for (const table of [...tables.filter((one) => !isLast(one)), ...tables.filter(isLast)]) {
    const statements = fenceOf(table, partnerId)
    if (statements.length > 0) await inShortTurns(client, statements)
  }
}

const fencesOf = `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS text FROM pg_trigger
  WHERE tgname = ANY ($1::text[]) AND tgparentid = 0 ORDER BY tgrelid::regclass::text`

/** Removes what there is of a fence. */
export const dropFence = async (client: pg.ClientBase, partnerId: string): Promise<void> => {
  const names = [nameOf(partnerId, 'write'), nameOf(partnerId, 'delete')]
  const { rows } = await client.query({ text: fencesOf, values: [names] })
  for (const { text } of rows) await inShortTurns(client, [text])
}

/**
 * Makes this transaction write rows as they are, without triggers: statistics, news and limits have them already. The
 * fence is a trigger, too.
 * @throws CommandError for a user who may not do that
 */
export const withoutTriggers = async (client: pg.ClientBase): Promise<void> => {
  const text = `SELECT current_user AS "user", has_parameter_privilege('session_replication_role', 'SET') AS allowed`
  const { user, allowed } = (await client.query({ text })).rows[0]
  if (!allowed)
    throw new CommandError(
      `The database user ${user} may not write rows without triggers. A superuser allows it: GRANT SET ON PARAMETER session_replication_role TO "${user}"`,
    )
  await client.query('SET LOCAL session_replication_role = replica')
}
