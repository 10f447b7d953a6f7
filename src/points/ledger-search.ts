/** Searches the ledger of all users of an environment. */

import type { EndUser, LedgerEntry } from '../generated/prisma/client.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { countUpTo, type Source } from '../kit/schema/connection.ts'
import type { Tenant } from '../kit/tenant.ts'
import {
  countLedger,
  type LedgerMatch,
  selectLedger,
  selectLedgerEventTypes,
} from './ledger-search.sql.ts'

type OwnedEntry = LedgerEntry & { user: EndUser }

/** Reads ledger entries with their users, in the order of the ids. They must exist. */
export const findEntriesById = async (
  { tx }: Pick<Work, 'tx'>,
  ids: string[],
): Promise<OwnedEntry[]> => {
  const entries = await acrossTenants(tx, 'IDS').ledgerEntry.findMany({
    where: { id: { in: ids } },
    include: { user: true },
  })
  return inOrder(ids, entries) as OwnedEntry[]
}

/** The event types that a filter of the ledger offers at most. A partner has a few dozen. */
export const maxLedgerEventTypes = 200

/** The event types in the ledger of an environment, in their order. */
export const findLedgerEventTypes = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
): Promise<string[]> =>
  (await selectLedgerEventTypes(tx, tenant, maxLedgerEventTypes)).map(({ eventType }) => eventType)

/** The entries of an environment that match, in the order of time. */
export const searchLedger = (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  match: LedgerMatch,
  direction: 'asc' | 'desc',
): Source<OwnedEntry> => ({
  order: `createdAt ${direction}, id ${direction}`,
  placeOf: ({ createdAt, id }) => [createdAt, id],
  count: () =>
    countUpTo(async (limit) => {
      const [row] = await countLedger(work.tx, tenant, match, limit)
      return row?.entries ?? 0
    }),
  fetch: async ({ take, skip, backward, from }) => {
    const found = await selectLedger(work.tx, tenant, match, {
      take,
      skip,
      isUp: (direction === 'asc') !== backward,
      from: from && [from[0] as Date, String(from[1])],
    })
    return findEntriesById(
      work,
      found.map(({ id }) => id),
    )
  },
})
