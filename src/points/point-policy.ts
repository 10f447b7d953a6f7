/** How a partner's points behave. */
import { z } from 'zod'
import type { PointPolicy } from '../generated/prisma/client.ts'
import { ShortfallPolicy } from '../generated/prisma/enums.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'

export const UpdatePointPolicy = z
  .object({
    onShortfall: oneOf('ShortfallPolicy', ShortfallPolicy).describe(
      'What a reversal does if the user has spent the points.',
    ),
  })
  .describe('How your points behave.')

/** The policy of a tenant: that which it has set, or the default. */
export const readPointPolicy = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
): Promise<Omit<PointPolicy, 'updatedAt'> & { updatedAt: Date | null }> =>
  (await ofTenant(tx, tenant).pointPolicy.findFirst()) ?? {
    ...tenantOf(tenant),
    onShortfall: 'REFUSE',
    updatedAt: null,
  }

/** Sets the policy of a tenant. It holds for reversals from now on. */
export const updatePointPolicy = (
  { tx, clock }: Work,
  { onShortfall, ...tenant }: Tenant & z.output<typeof UpdatePointPolicy>,
): Promise<PointPolicy> => {
  const set = { onShortfall, updatedAt: clock() }
  return ofTenant(tx, tenant).pointPolicy.upsert({
    where: { partnerId_environment: tenantOf(tenant) },
    create: set,
    update: set,
  })
}

/** Says of which of these tenants users owe what a reversal cannot take. */
export const findRepaying = async (
  { tx }: Pick<Work, 'tx'>,
  tenants: Tenant[],
): Promise<(tenant: Tenant) => boolean> => {
  const nameOf = ({ partnerId, environment }: Tenant) => `${partnerId} ${environment}`
  const found = await acrossTenants(tx, 'IDS').pointPolicy.findMany({
    where: {
      onShortfall: 'REPAY',
      partnerId: { in: [...new Set(tenants.map(({ partnerId }) => partnerId))] },
    },
  })
  const repaying = new Set(found.map(nameOf))
  return (tenant) => repaying.has(nameOf(tenant))
}
