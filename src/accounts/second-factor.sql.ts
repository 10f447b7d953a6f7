/** Statements on second factors. */
import { returnsNothing, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Removes a recovery code, if it is left. Of two at the same time, one removes it. */
export const useRecoveryCode = statement(
  'use_recovery_code',
  returnsNothing,
  (memberId: string, digest: string) => Prisma.sql`
    UPDATE second_factor SET recovery_digests = array_remove(recovery_digests, ${digest}::text)
    WHERE member_id = ${memberId}::uuid AND ${digest}::text = ANY (recovery_digests)`,
)
