/** Statements that delete old entries of the audit log. */
import { deleteOldBy } from '../core/db/old-rows.sql.ts'
import { returns, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Allows the deletion of entries until the end of the transaction. */
export const allowForgetting = statement(
  'allow_forgetting',
  returns({ allowed: 'text' }),
  () => Prisma.sql`SELECT set_config('tessera.forgets_audit', 'on', true) AS allowed`,
)

export const deleteEntries = deleteOldBy('AuditEntry', 'at')
