import { z } from 'zod'
import { readCounter } from '../kit/database/counters.ts'
import { refused } from '../kit/errors.ts'
import { list } from '../kit/schema/list.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { title } from '../kit/validation.ts'
import { UserRef } from './end-user.graphql.ts'
import { countUsersByTerm, type FoundUser, findUsersByTerm } from './user-search.ts'

const UserFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe(
        'Only users whose external id, e-mail address, name or a later word of the name starts with this; case-insensitive. Sorted by the text that matched.',
      ),
  })
  .describe('Filters users.')

list('users', {
  description: 'The users, by external id.',
  key: 'secret',
  of: UserRef,
  filter: UserFilter,
  orders: { EXTERNAL_ID: { by: ['externalId'], description: 'By external id.' } },
  order: ['EXTERNAL_ID', 'ASC'],
  from: ({ caller, filter: { search }, order, isOrdered, ctx }) => {
    const tenant = tenantOf(caller)
    const text = search?.trim()
    if (!text)
      return rows(ctx.db.endUser, {
        where: tenant,
        order,
        counting: () => readCounter(ctx.tx, tenant, 'users'),
      })
    if (isOrdered)
      throw refused(
        'orderBy',
        'cannot be combined with filter.search, which has an order of its own',
        'INVALID_PARAMETERS',
      )
    return {
      order: 'term asc, id asc',
      placeOf: (user) => [(user as FoundUser).term, user.id],
      count: () => countUsersByTerm(ctx, tenant, text),
      fetch: (part) => findUsersByTerm(ctx, tenant, text, part),
    }
  },
})
