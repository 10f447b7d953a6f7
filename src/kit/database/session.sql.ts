/** Statements on locks and notifications, which belong to no table. */
import { Prisma } from '../../generated/prisma/client.ts'
import { lockStatement, returns, statement } from './statement.ts'

/** Waits for the lock of this name and holds it until the transaction ends. */
export const lockName = lockStatement(
  'lock_name',
  returns({ locked: 'int' }),
  (name: string) => Prisma.sql`
    SELECT 1 AS locked
    FROM (SELECT pg_advisory_xact_lock(hashtextextended(${name}::text, 0))) l`,
)

/**
 * Notifies all nodes once the transaction has committed. For rare transactions only, because it takes a cluster-wide
 * lock at commit; others call `announce` (news.trigger.sql).
 */
export const notifyNodes = statement(
  'notify_nodes',
  returns({ notified: 'text' }),
  (topic: string) => Prisma.sql`SELECT pg_notify('tessera', ${topic}::text)::text AS notified`,
)
