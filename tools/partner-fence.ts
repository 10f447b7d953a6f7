/** The fence around the rows of a partner: triggers that refuse writes from any node or program. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import {
  type PartnerTable,
  readPartnerTables,
  unfencedColumns,
  writtenLate,
} from './partner-tables.ts'
import { dropTriggers, inShortTurns } from './table-turns.ts'

/** Their old rows are deleted for all partners at once, even for one who is held. Those of an arriving one stay. */
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

/** Tables that are written only together with their parents, which have a fence. */
const writtenWithParent = ['export_chunk', 'lottery_node', 'webhook_attempt']

const nameOf = (partnerId: string, event: 'write' | 'delete') =>
  `moved_${event}_${partnerId.replaceAll('-', '')}`

/** How long a fence refuses writes: while it exists, or until the cell serves the partner. */
type Term = 'always' | 'until opened'

/** The statements that create the fence of a table. The id comes from a row, never from a caller. */
const fenceOf = (
  { name, columns, depth }: PartnerTable,
  partnerId: string,
  term: Term,
): string[] => {
  if (writtenWithParent.includes(name)) return []
  const free = unfencedColumns[name]
  const changed = free ? ` OF ${columns.filter((column) => !free.includes(column)).join(', ')}` : ''
  const isOfMember = depth > 0
  // Requests are counted for several partners in one statement. Counts during a move are lost.
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
 * Creates the fence. Afterwards all writes to the partner's rows are committed, and new ones are refused. Works one
 * table at a time, so that other partners wait for milliseconds.
 */
export const raiseFence = async (
  client: pg.ClientBase,
  partnerId: string,
  term: Term,
): Promise<void> => {
  const tables = await readPartnerTables(client)
  // The response to an idempotent request is stored after its other writes.
  const isLast = ({ name }: PartnerTable) => name === 'idempotent_request'
  for (const table of [...tables.filter((one) => !isLast(one)), ...tables.filter(isLast)]) {
    const statements = fenceOf(table, partnerId, term)
    if (statements.length > 0) await inShortTurns(client, statements)
  }
}

/** Removes a fence, even an incomplete one. */
export const dropFence = (client: pg.ClientBase, partnerId: string): Promise<void> =>
  dropTriggers(client, [nameOf(partnerId, 'write'), nameOf(partnerId, 'delete')])

/**
 * Disables triggers for this transaction, and so the fence: statistics, news and limits include these rows already.
 * @throws CommandError if the database user lacks the right
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
