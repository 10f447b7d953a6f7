/** Ids generated in SQL. */
import { Prisma } from '../../generated/prisma/client.ts'

/** A new UUIDv7 of this time for each row. Rows sort by time and belong to the partition of its month. */
export const newIdAt = (
  at: Date,
): Prisma.Sql => Prisma.sql`encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  PLACING substring(int8send(${at.getTime()}::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`
