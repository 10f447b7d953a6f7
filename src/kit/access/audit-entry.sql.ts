/** Statements that write the audit log. */
import { Prisma } from '../../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../database/statement.ts'

/**
 * Makes triggers record changes of settings until the transaction ends, with their actor: `{memberId}`, `{apiKeyId}`,
 * or null for nobody.
 */
export const noteChanges = statement(
  'note_changes',
  returns({ noted: 'text' }),
  (actor: { memberId: string } | { apiKeyId: string } | null) => Prisma.sql`
    SELECT concat(set_config('tessera.audit', '[', true),
      set_config('tessera.actor', ${actor ? JSON.stringify(actor) : ''}, true)) AS noted`,
)

/** A change, with the names of the table and the column in the database. */
export type NotedChange = {
  table: string
  id: string
  field: string
  from: string | number | null
  to: string | number | null
}

/**
 * Adds changes to those that triggers record, for tables without such a trigger because they change all the time. Does
 * nothing outside of an audited mutation. It must run in the transaction of the change.
 */
export const addToChanges = statement(
  'add_to_changes',
  returns({ noted: 'text' }),
  (changes: readonly NotedChange[]) => Prisma.sql`
    SELECT set_config('tessera.audit', concat(current_setting('tessera.audit'),
      ${changes.map((change) => `${JSON.stringify(change)},`).join('')}::text), true) AS noted
    WHERE current_setting('tessera.audit', true) <> ''`,
)

const entryRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment?',
  at: 'timestamptz',
  actorKind: 'AuditActorKind',
  actorId: 'uuid?',
  address: 'text',
  userAgent: 'text?',
  requestId: 'text',
  action: 'text',
  refusal: 'text?',
  targetType: 'text?',
  targetId: 'uuid?',
  targetName: 'text?',
  targetVersion: 'int?',
})

export type NewAuditEntry = ItemsOf<typeof entryRows>[number]

/** Writes entries with the names of their actors, and with the changes that were recorded in this transaction. */
export const insertAuditEntries = statement(
  'insert_audit_entries',
  returnsNothing,
  (entries: readonly NewAuditEntry[]) => Prisma.sql`
    INSERT INTO audit_entry (id, partner_id, environment, at, actor_kind, actor_id, actor_name, address,
      user_agent, request_id, action, refusal, target_type, target_id, target_name, target_version, changes)
    SELECT i.id, i.partner_id, i.environment, i.at, i.actor_kind, i.actor_id,
      coalesce((SELECT email FROM member WHERE id = i.actor_id),
        (SELECT concat_ws(' ', label, '…' || last_four) FROM api_key WHERE id = i.actor_id)), i.address,
      i.user_agent, i.request_id, i.action, i.refusal, i.target_type, i.target_id,
      i.target_name, i.target_version,
      (rtrim(coalesce(nullif(current_setting('tessera.audit', true), ''), '['), ',') || ']')::json
    FROM ${entryRows(entries)}`,
)
