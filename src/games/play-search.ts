/** Searches the plays of all users of an environment. */

import type { EndUser, Play } from '../generated/prisma/client.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { countUpTo, type Source } from '../kit/schema/connection.ts'
import type { Tenant } from '../kit/tenant.ts'
import { countPlays, type PlayMatch, selectPlays } from './play-search.sql.ts'

type OwnedPlay = Play & { user: EndUser }

/** Reads plays with their users, in the order of the ids. Null for unknown ids. */
export const findPlaysById = async (
  { tx }: Pick<Work, 'tx'>,
  ids: string[],
): Promise<(OwnedPlay | null)[]> =>
  inOrder(
    ids,
    await acrossTenants(tx, 'IDS').play.findMany({
      where: { id: { in: ids } },
      include: { user: true },
    }),
  )

/** The plays of an environment that match, in the order of time. */
export const searchPlays = (
  work: Pick<Work, 'tx'>,
  tenant: Tenant,
  match: PlayMatch,
  direction: 'asc' | 'desc',
): Source<OwnedPlay> => ({
  order: `playedAt ${direction}, id ${direction}`,
  placeOf: ({ playedAt, id }) => [playedAt, id],
  count: () =>
    countUpTo(async (limit) => {
      const [row] = await countPlays(work.tx, tenant, match, limit)
      return row?.plays ?? 0
    }),
  fetch: async ({ take, skip, backward, from }) => {
    const found = await selectPlays(work.tx, tenant, match, {
      take,
      skip,
      isUp: (direction === 'asc') !== backward,
      from: from && [from[0] as Date, String(from[1])],
    })
    const ids = found.map(({ id }) => id)
    // Plays are never deleted.
    return (await findPlaysById(work, ids)) as OwnedPlay[]
  },
})
