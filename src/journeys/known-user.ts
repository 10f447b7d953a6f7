/** The user of a row that already has the user, or parts of it. */
import type { GraphQLResolveInfo } from 'graphql'
import type { EndUser } from '../generated/prisma/client.ts'
import type { Context } from '../kit/access/context.ts'
import { selectsOnly } from '../kit/schema/edge.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { userOf } from '../users/end-user.ts'

type Row = Tenant & { userId: UserId; user?: EndUser; externalId?: ExternalId }

/** Reads the user only if the query selects more than the row has. */
export const knownUserOf = (ctx: Context, row: Row, info: GraphQLResolveInfo) => {
  const { userId: id, partnerId, environment, user, externalId } = row
  if (user) return user
  return externalId !== undefined && selectsOnly(info, 'externalId', 'environment', 'partner')
    ? ({ id, partnerId, environment, externalId } as EndUser)
    : userOf(ctx, row)
}
