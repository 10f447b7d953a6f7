/** Ids that SQL makes. */
import { Prisma } from '../../generated/prisma/client.ts'

/** A new UUIDv7 for each row, so that rows are ordered by time and found in the partition of its month. */
export const newIdAt = (
  at: Date,
): Prisma.Sql => Prisma.sql`encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  PLACING substring(int8send(${at.getTime()}::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`
