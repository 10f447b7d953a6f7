/** The statement that reads the feed of events. */

import { Prisma } from '../generated/prisma/client.ts'
import { returnsModel, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

export type Feed = Tenant & {
  /** The position of the last event that the reader has; null for all. */
  after: bigint | null
  /** Null for all types. */
  types: string[] | null
  take: number
}

/** Events up to a position, in commit order. */
export const selectEvents = statement(
  'read_events',
  returnsModel('Event'),
  ({ partnerId, environment, after, upTo, types, take }: Feed & { upTo: bigint }) => Prisma.sql`
    SELECT id, partner_id AS "partnerId", environment, type, data, occurred_at AS "occurredAt",
      position, trace_parent AS "traceParent"
    FROM event
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND position <= ${upTo}::bigint
      ${after === null ? Prisma.empty : Prisma.sql`AND position > ${after}::bigint`}
      ${types ? Prisma.sql`AND type = ANY (${types}::text[])` : Prisma.empty}
    ORDER BY position LIMIT ${take}::int`,
)
