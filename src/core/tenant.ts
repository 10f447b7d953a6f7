import type { Environment } from '../generated/prisma/enums.ts'

/** Whose data, and which: business data belongs to one partner in one environment. */
export type Tenant = { partnerId: string; environment: Environment }

/** Just the pair, for a `where` or a `data`. */
export const tenantOf = ({ partnerId, environment }: Tenant): Tenant => ({ partnerId, environment })
