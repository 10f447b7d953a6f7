/** Statements that belong to no table: locks, notifications, new ids. */
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

/** A new UUIDv7 of this time for each row. Rows sort by time and belong to the partition of its month. */
export const newIdAt = (
  at: Date,
): Prisma.Sql => Prisma.sql`encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  PLACING substring(int8send(${at.getTime()}::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`
