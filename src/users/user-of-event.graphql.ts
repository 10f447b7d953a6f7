import type { Context } from '../kit/access/context.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { UserRef } from './end-user.graphql.ts'
import { findUsers } from './end-user.ts'

/** A field of an event that returns the user of an `externalId` in its data. */
export const userOfEvent = <P extends Tenant>(
  description: string,
  externalIdOf: (event: P) => ExternalId | undefined,
) => ({
  type: UserRef,
  nullable: true as const,
  description,
  resolve: (event: P, _: unknown, ctx: Context) => {
    const externalId = externalIdOf(event)
    return externalId === undefined ? null : ctx.read(findUsers, { ...tenantOf(event), externalId })
  },
})
