import type { EndUser } from '../generated/prisma/client.ts'
import type { Context } from '../kit/access/context.ts'
import { refused } from '../kit/errors.ts'
import type { Source } from '../kit/schema/connection.ts'
import { list } from '../kit/schema/list.ts'
import { noRows } from '../kit/schema/rows.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { countUsersByTerm, type FoundUser, findUsersByTerm } from '../users/user-search.ts'
import { matchOf, UserFilter, userOrders, usersMatching } from './user-list.ts'

/** The users who are found by a text, in the order of what matched. */
const searched = (ctx: Context, tenant: Tenant, text: string): Source<EndUser> => ({
  order: 'term asc, id asc',
  placeOf: (user) => [(user as FoundUser).term, user.id],
  count: () => countUsersByTerm(ctx, tenant, text),
  fetch: (part) => findUsersByTerm(ctx, tenant, text, part),
})

list('users', {
  description:
    'The users. Any page is cheap in any order, and so is any filter that up to 10,000 users match. If more do, the page is read in its order, and users who do not match are skipped: the more, the longer it takes. Never skipped are users without a filter, those of a filter of what the list is ordered by, and those of `stages` in the order LAST_SEEN_AT. Filters by stage and tier may lag a few seconds behind an award or a play.',
  key: 'secret',
  of: UserRef,
  filter: UserFilter,
  orders: userOrders,
  order: ['EXTERNAL_ID', 'ASC'],
  from: async ({ caller, filter: { search, ...filter }, order, isOrdered, ctx }) => {
    const tenant = tenantOf(caller)
    const text = search?.trim()
    if (text && isOrdered)
      throw refused(
        'orderBy',
        'cannot be combined with filter.search, which has an order of its own',
        'INVALID_PARAMETERS',
      )
    if (text) return searched(ctx, tenant, text) as Source<never>
    const match = await matchOf(ctx, tenant, filter)
    return (match ? usersMatching(ctx, tenant, match, order) : noRows(order)) as Source<never>
  },
})
