/** The arena is public and shared: there is no sandbox of it (decisions §1). */
import { TesseraError } from '../core/errors.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'

/** @throws TesseraError LIVE_ONLY */
export const requireLive = ({ environment }: Tenant): void => {
  if (environment !== 'LIVE') throw new TesseraError('LIVE_ONLY')
}

/**
 * The caller's tenant, for what is written in the arena.
 * @throws TesseraError LIVE_ONLY
 */
export const liveTenant = (caller: Tenant): Tenant => {
  requireLive(caller)
  return tenantOf(caller)
}
