/** The fence around the rows of a partner: triggers that refuse writes, from whatever node or program they come. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import {
  type PartnerTable,
  readPartnerTables,
  unfencedColumns,
  writtenLate,
} from './partner-tables.ts'
import { dropTriggers, inShortTurns } from './table-turns.ts'

/** Old rows of these are deleted for all partners together, also while one is held. Those of one who arrives stay. */
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

const nameOf = (partnerId: string, event: 'write' | 'delete') =>
  `moved_${event}_${partnerId.replaceAll('-', '')}`

/** When a fence refuses: for as long as it is there, or until the cell serves the partner. */
type Term = 'always' | 'until opened'

/** The statements that make the fence of a table. The id is that of a row, and no text of a caller. */
const fenceOf = (
  { name, columns, depth }: PartnerTable,
  partnerId: string,
  term: Term,
): string[] => {
  if (writtenWithParent.includes(name)) return []
  const free = unfencedColumns[name]
  const changed = free ? ` OF ${columns.filter((column) => !free.includes(column)).join(', ')}` : ''
  const isOfMember = depth > 0
  // Requests are counted for several partners in one statement. What is counted during a move is lost.
  const how = isOfMember ? 'of a member' : writtenLate.includes(name) ? 'skipped' : 'refused'
  const owner = name === 'partner' ? 'id' : 'partner_id'
  const isDeletedWhenOld = deletedWhenOld.includes(name)
  const howDeleted = isDeletedWhenOld && !isOfMember ? 'skipped' : how
  const isDeletionFree = isDeletedWhenOld ? term === 'always' : isOfMember
  const trigger = (event: 'write' | 'delete', when: string, row: string, outcome: string) =>
    `CREATE OR REPLACE TRIGGER ${nameOf(partnerId, event)} BEFORE ${when} ON ${name} FOR EACH ROW
      ${isOfMember ? '' : `WHEN (${row}.${owner} = '${partnerId}')`}
      EXECUTE FUNCTION refuse_moved_partner('${partnerId}', '${outcome}', '${term}')`
  return [
    trigger('write', `INSERT OR UPDATE${changed}`, 'NEW', how),
    ...(isDeletionFree ? [] : [trigger('delete', 'DELETE', 'OLD', howDeleted)]),
  ]
}

/**
 * Makes the fence. Afterwards all rows of the partner that were written are committed, and no more can be written. A
 * table at a time, so that other partners wait for milliseconds.
 */
export const raiseFence = async (
  client: pg.ClientBase,
  partnerId: string,
  term: Term,
): Promise<void> => {
  const tables = await readPartnerTables(client)
  // The answer to a request is kept after what the request has written.
  const isLast = ({ name }: PartnerTable) => name === 'idempotent_request'
  for (const table of [...tables.filter((one) => !isLast(one)), ...tables.filter(isLast)]) {
    const statements = fenceOf(table, partnerId, term)
    if (statements.length > 0) await inShortTurns(client, statements)
  }
}

/** Removes what there is of a fence. */
export const dropFence = (client: pg.ClientBase, partnerId: string): Promise<void> =>
  dropTriggers(client, [nameOf(partnerId, 'write'), nameOf(partnerId, 'delete')])

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
