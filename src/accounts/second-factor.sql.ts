/** Statements on second factors. */

import { Prisma } from '../generated/prisma/client.ts'
import { returnsNothing, statement } from '../kit/database/statement.ts'

/** Uses up a recovery code. Of two concurrent uses, only one succeeds. */
export const useRecoveryCode = statement(
  'use_recovery_code',
  returnsNothing,
  (memberId: string, digest: string) => Prisma.sql`
    UPDATE second_factor SET recovery_digests = array_remove(recovery_digests, ${digest}::text)
    WHERE member_id = ${memberId}::uuid AND ${digest}::text = ANY (recovery_digests)`,
)
