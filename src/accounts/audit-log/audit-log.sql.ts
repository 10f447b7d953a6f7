/** Statements that delete old entries of the audit log. */

import { Prisma } from '../../generated/prisma/client.ts'
import { deleteExpiredBy } from '../../kit/database/expired-rows.sql.ts'
import { returns, statement } from '../../kit/database/statement.ts'

/** Allows the deletion of entries until the end of the transaction. */
export const allowForgetting = statement(
  'allow_forgetting',
  returns({ allowed: 'text' }),
  () => Prisma.sql`SELECT set_config('tessera.forgets_audit', 'on', true) AS allowed`,
)

export const deleteEntries = deleteExpiredBy('AuditEntry', 'at')
