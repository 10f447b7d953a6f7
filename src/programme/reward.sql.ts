/** Statements about rewards. */
import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns } from '../kit/database/statement.ts'

/** Locks rewards, so that only this transaction counts their grants. Users are locked before them, profiles after them. */
export const lockRewards = lockStatement(
  'lock_rewards',
  returns({ id: 'uuid' }),
  (ids: string[]) => Prisma.sql`
    SELECT id FROM reward WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
)
