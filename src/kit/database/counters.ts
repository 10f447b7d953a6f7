import { Prisma } from '../../generated/prisma/client.ts'
import { inOrder } from '../in-order.ts'
import type { Tenant } from '../tenant.ts'
import type { Queries } from './db.ts'
import { ofTenant, ofTenants } from './tenant-client.ts'

/**
 * The statement that adds to a counter. `source` is a SELECT of (partner_id, environment, amount), one row per
 * tenant. Each transaction adds to a shard of its own (statistic.trigger.sql), so they do not wait for each other.
 */
export const addToCounter = (name: string, source: Prisma.Sql): Prisma.Sql =>
  addToCounters(Prisma.sql`SELECT *, ${name}::text AS name FROM (${source}) c`)

/** The same where `source` also gives the name: one row per counter and tenant. */
export const addToCounters = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO counter AS c (partner_id, environment, name, shard, value)
  SELECT partner_id, environment, name, statistic_shard(), amount
  FROM (${source}) s WHERE amount <> 0 ORDER BY partner_id, environment, name
  ON CONFLICT (partner_id, environment, name, shard) DO UPDATE SET value = c.value + excluded.value`

/** The totals of several counters; 0 where nothing was counted. */
export const readCounters = async (
  { tx }: { tx: Queries },
  counters: (Tenant & { name: string })[],
): Promise<number[]> => {
  const own = ofTenants(tx, counters, ({ name }) => ({ name }))
  const totals = await own.counter.groupBy({
    by: ['partnerId', 'environment', 'name'],
    _sum: { value: true },
  })
  const keyOf = ({ partnerId, environment, name }: Tenant & { name: string }) =>
    `${partnerId} ${environment} ${name}`
  return inOrder(counters, totals, keyOf, keyOf).map((total) => Number(total?._sum.value ?? 0))
}

/** The total of a counter; 0 when nothing was counted. */
export const readCounter = async (tx: Queries, tenant: Tenant, name: string): Promise<number> => {
  const total = await ofTenant(tx, tenant).counter.aggregate({
    where: { name },
    _sum: { value: true },
  })
  return Number(total._sum.value ?? 0)
}
