/** References of ledger entries that were archived. */
import { Prisma } from '../generated/prisma/client.ts'

/**
 * True if the reference of a row was that of an archived entry, otherwise null.
 * @param alias of a row with `partner_id`, `environment`, `event_type` and `reference`
 */
export const isArchivedReference = (alias: string): Prisma.Sql => {
  const row = Prisma.raw(alias)
  return Prisma.sql`CASE WHEN EXISTS (SELECT FROM highest_archived_reference h
      WHERE (h.partner_id, h.environment, h.event_type)
        = (${row}.partner_id, ${row}.environment, ${row}.event_type)
        AND h.reference COLLATE "C" >= ${row}.reference)
    THEN (SELECT true FROM archived_reference r WHERE (r.partner_id, r.hash) = (${row}.partner_id,
      reference_hash(${row}.environment, ${row}.event_type, ${row}.reference))) END`
}
