import { Prisma } from '../../generated/prisma/client.ts'
import type { Tenant } from '../tenant.ts'
import type { Queries } from './db.ts'

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
  const totals = await tx.counter.groupBy({
    by: ['partnerId', 'environment', 'name'],
    where: {
      OR: counters.map(({ partnerId, environment, name }) => ({ partnerId, environment, name })),
    },
    _sum: { value: true },
  })
  const keyOf = ({ partnerId, environment, name }: Tenant & { name: string }) =>
    `${partnerId} ${environment} ${name}`
  const values = new Map(totals.map((total) => [keyOf(total), Number(total._sum.value ?? 0)]))
  return counters.map((counter) => values.get(keyOf(counter)) ?? 0)
}

/** The total of a counter; 0 when nothing was counted. */
export const readCounter = async (
  tx: Queries,
  { partnerId, environment }: Tenant,
  name: string,
): Promise<number> => {
  const total = await tx.counter.aggregate({
    where: { partnerId, environment, name },
    _sum: { value: true },
  })
  return Number(total._sum.value ?? 0)
}
