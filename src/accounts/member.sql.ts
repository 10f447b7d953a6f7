import { Prisma } from '../generated/prisma/client.ts'
import type { Tx } from '../kit/database/db.ts'
import {
  columnsOf,
  lockStatement,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

/**
 * Locks the members involved in a change of a member: the caller, the member, the owners of the member's partner, and
 * the operators, so that at least one of each remains. Concurrent changes wait for each other and see each other's
 * results.
 */
export const selectPartiesForUpdate = lockStatement(
  'lock_parties',
  returnsModel('Member'),
  (callerId: string, memberId: string) => Prisma.sql`
    SELECT ${columnsOf('Member', 'm')} FROM member m
    WHERE m.id IN (${callerId}::uuid, ${memberId}::uuid) OR m.is_operator
      OR m.role = 'OWNER' AND m.partner_id = (SELECT partner_id FROM member WHERE id = ${memberId}::uuid)
    ORDER BY m.id FOR UPDATE`,
)

/**
 * Locks the members against writes until the transaction ends. PostgreSQL cannot prepare LOCK, so it has no name.
 */
export const lockMembers = (tx: Tx): Promise<number> =>
  tx.$executeRaw`LOCK TABLE member IN SHARE ROW EXCLUSIVE MODE`

/** Uses up a recovery code. Of two concurrent uses, only one succeeds. */
export const useRecoveryCode = statement(
  'use_recovery_code',
  returnsNothing,
  (memberId: string, digest: string) => Prisma.sql`
    UPDATE second_factor SET recovery_digests = array_remove(recovery_digests, ${digest}::text)
    WHERE member_id = ${memberId}::uuid AND ${digest}::text = ANY (recovery_digests)`,
)
