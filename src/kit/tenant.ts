import type { Environment } from '../generated/prisma/enums.ts'

/** Business data belongs to one partner in one environment. */
export type Tenant = { partnerId: string; environment: Environment }

/** Only the tenant fields, for a `where` or a `data`. */
export const tenantOf = ({ partnerId, environment }: Tenant): Tenant => ({ partnerId, environment })
