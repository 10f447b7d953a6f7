import type { Source } from '../kit/schema/connection.ts'
import { list } from '../kit/schema/list.ts'
import { noRows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { matchOf, searchOrder, UserFilter, userOrders, usersMatching } from './user-list.ts'

list('users', {
  description:
    'The users. Any page is cheap in any order, and so is any filter that up to 10,000 users match. If more do, the page is read in its order, and users who do not match are skipped: the more, the longer it takes. Never skipped are users without a filter, those of a filter of what the list is ordered by, and those of `stages` in the order LAST_SEEN_AT. With `search`, the limit of 10,000 also counts for the terms that begin with it, and the default order is that of the text that matched. Filters by stage and tier may lag a few seconds behind an award or a play.',
  key: 'secret',
  of: UserRef,
  filter: UserFilter,
  orders: userOrders,
  order: ['EXTERNAL_ID', 'ASC'],
  from: async ({ caller, filter, order, isOrdered, ctx }) => {
    const tenant = tenantOf(caller)
    const match = await matchOf(ctx, tenant, filter)
    const by = filter.search && !isOrdered ? searchOrder : order
    return (match ? usersMatching(ctx, tenant, match, by) : noRows(by)) as Source<never>
  },
})
