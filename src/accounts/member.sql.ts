/** Statements that lock members. */
import type { Tx } from '../core/db/db.ts'
import { lockStatement, returns } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

export const selectAdminsForUpdate = lockStatement(
  'lock_admins',
  returns({ id: 'uuid' }),
  () => Prisma.sql`SELECT id FROM member WHERE role = 'ADMIN' ORDER BY id FOR UPDATE`,
)

/**
 * Locks the members against writes until the transaction ends. PostgreSQL cannot prepare LOCK, so it has no name.
 */
export const lockMembers = (tx: Tx): Promise<number> =>
  tx.$executeRaw`LOCK TABLE member IN SHARE ROW EXCLUSIVE MODE`
