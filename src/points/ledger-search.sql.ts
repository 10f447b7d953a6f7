/** Statements that read the ledger of all users, in the order of time. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** A filter of entries. Bounds are inclusive, except `before`. */
export type LedgerMatch = {
  /** An empty list matches nothing. */
  eventTypes?: readonly string[] | null | undefined
  reference?: string | null | undefined
  from?: Date | null | undefined
  before?: Date | null | undefined
  minPoints?: number | null | undefined
  maxPoints?: number | null | undefined
}

/** The entries of an environment, by an alias of the table. */
const ofTenant = (alias: string, { partnerId, environment }: Tenant): Prisma.Sql => Prisma.sql`
  ${Prisma.raw(alias)}.partner_id = ${partnerId}::uuid
    AND ${Prisma.raw(alias)}.environment = ${environment}::"Environment"`

/**
 * The event types in the ledger, with one index probe each. The index begins with the event type, so it serves some of
 * them, and the whole ledger, as one sorted list per event type.
 */
const kindsOf = (tenant: Tenant, { eventTypes }: LedgerMatch): Prisma.Sql => {
  if (eventTypes)
    return Prisma.sql`kinds AS (SELECT unnest(${[...eventTypes]}::text[]) AS event_type)`
  const next = (after: Prisma.Sql) => Prisma.sql`
    SELECT k.event_type FROM ledger_entry k WHERE ${ofTenant('k', tenant)} ${after}
    ORDER BY k.event_type LIMIT 1`
  return Prisma.sql`RECURSIVE kinds AS (
    (${next(Prisma.empty)})
    UNION ALL SELECT (${next(Prisma.sql`AND k.event_type > kinds.event_type`)})
    FROM kinds WHERE kinds.event_type IS NOT NULL
  )`
}

const lowest = -2_147_483_648
const highest = 2_147_483_647

/**
 * The matching entries of one of these event types, at any time. An entry with a reference is found by the index of
 * references: `OFFSET 0` keeps the planner from scanning all entries in the requested order.
 */
const matching = (tenant: Tenant, { reference, minPoints, maxPoints }: LedgerMatch): Prisma.Sql => {
  const source =
    reference == null
      ? Prisma.sql`ledger_entry e WHERE ${ofTenant('e', tenant)} AND e.event_type = kinds.event_type`
      : Prisma.sql`(SELECT * FROM ledger_entry r WHERE ${ofTenant('r', tenant)}
          AND r.event_type = kinds.event_type AND r.reference = ${reference}::text OFFSET 0) e WHERE true`
  return Prisma.sql`FROM ${source}
    AND e.points BETWEEN ${minPoints ?? lowest}::int AND ${maxPoints ?? highest}::int`
}

const notBefore = ({ from = null }: LedgerMatch): Prisma.Sql =>
  Prisma.sql`AND e.created_at >= coalesce(${from}::timestamptz, '-infinity')`

const before = ({ before = null }: LedgerMatch): Prisma.Sql =>
  Prisma.sql`AND e.created_at < coalesce(${before}::timestamptz, 'infinity')`

type Part = {
  take: number
  skip: number
  isUp: boolean
  /** Only entries after this moment and id. */
  from: readonly [createdAt: Date, id: string] | undefined
}

/** Lower than every id. */
const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * The ids of the matching entries, in the order of time. They begin after `from`, or at the start of the period if it
 * is undefined. This is one condition, because an index scan can start from only one.
 */
export const selectLedger = statement(
  'search_ledger',
  returns({ id: 'uuid' }),
  (tenant: Tenant, match: LedgerMatch, { take, skip, isUp, from }: Part) => {
    const beyond = Prisma.raw(isUp ? '>' : '<')
    const direction = Prisma.raw(isUp ? 'ASC' : 'DESC')
    const [moment = null, id] = from ?? [isUp ? match.from : match.before, lowestId]
    const start = Prisma.raw(isUp ? `'-infinity'` : `'infinity'`)
    return Prisma.sql`
      WITH ${kindsOf(tenant, match)}
      SELECT f.id FROM kinds CROSS JOIN LATERAL (
        SELECT e.id, e.created_at ${matching(tenant, match)} ${isUp ? before(match) : notBefore(match)}
          AND (e.created_at, e.id) ${beyond} (coalesce(${moment}::timestamptz, ${start}), ${id}::uuid)
        ORDER BY e.created_at ${direction}, e.id ${direction} LIMIT ${take + skip}::int) f
      ORDER BY f.created_at ${direction}, f.id ${direction} LIMIT ${take}::int OFFSET ${skip}::int`
  },
)

/** Counts the entries that match, up to `limit`. */
export const countLedger = statement(
  'count_ledger',
  returns({ entries: 'int' }),
  (tenant: Tenant, match: LedgerMatch, limit: number) => Prisma.sql`
    WITH ${kindsOf(tenant, match)}
    SELECT count(*)::int AS entries FROM (
      SELECT FROM kinds CROSS JOIN LATERAL (
        SELECT e.id ${matching(tenant, match)} ${notBefore(match)} ${before(match)}
        LIMIT ${limit}::int) f
      LIMIT ${limit}::int) found`,
)

/** The event types in the ledger of an environment, in their order, up to `limit`. */
export const selectLedgerEventTypes = statement(
  'ledger_event_types',
  returns({ eventType: 'text' }),
  (tenant: Tenant, limit: number) => Prisma.sql`
    WITH ${kindsOf(tenant, {})}
    SELECT event_type AS "eventType" FROM kinds WHERE event_type IS NOT NULL LIMIT ${limit}::int`,
)
