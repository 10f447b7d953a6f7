/** Statements that write the audit log. */
import { Prisma } from '../../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, returnsNothing, statement } from '../db/statement.ts'

/** From here to the end of the transaction, triggers note what changes in the tables of settings. */
export const noteChanges = statement(
  'note_changes',
  returns({ noted: 'text' }),
  () => Prisma.sql`SELECT set_config('tessera.audit', '[', true) AS noted`,
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
})

export type NewAuditEntry = ItemsOf<typeof entryRows>[number]

/** Writes entries with the names of their actors, and with the changes that were noted in this transaction. */
export const insertAuditEntries = statement(
  'insert_audit_entries',
  returnsNothing,
  (entries: readonly NewAuditEntry[]) => Prisma.sql`
    INSERT INTO audit_entry (id, partner_id, environment, at, actor_kind, actor_id, actor_name, address,
      user_agent, request_id, action, refusal, target_type, target_id, changes)
    SELECT i.id, i.partner_id, i.environment, i.at, i.actor_kind, i.actor_id,
      coalesce((SELECT email FROM member WHERE id = i.actor_id),
        (SELECT concat_ws(' ', label, '…' || last_four) FROM api_key WHERE id = i.actor_id)), i.address,
      i.user_agent, i.request_id, i.action, i.refusal, i.target_type, i.target_id,
      (rtrim(coalesce(nullif(current_setting('tessera.audit', true), ''), '['), ',') || ']')::json
    FROM ${entryRows(entries)}`,
)
