/** Statements that delete old entries of the audit log. */
import { returns, returnsNothing, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Allows the deletion of entries until the end of the transaction. */
export const allowForgetting = statement(
  'allow_forgetting',
  returns({ allowed: 'text' }),
  () => Prisma.sql`SELECT set_config('tessera.forgets_audit', 'on', true) AS allowed`,
)

export const deleteOldEntries = statement(
  'forget_audit_log',
  returnsNothing,
  (before: Date, limit: number) => Prisma.sql`
    DELETE FROM audit_entry WHERE id IN (
      SELECT id FROM audit_entry WHERE at < ${before}::timestamptz ORDER BY at LIMIT ${limit}::int)`,
)
