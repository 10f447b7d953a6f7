/** The arena is public and shared, so it has no sandbox. */
import { type Context, isGoodCaller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'

/** @throws TesseraError LIVE_ONLY */
export const requireLive = ({ environment }: Tenant): void => {
  if (environment !== 'LIVE') throw new TesseraError('LIVE_ONLY')
}

/**
 * The caller's tenant, for writes.
 * @throws TesseraError LIVE_ONLY
 */
export const liveTenant = (caller: Tenant): Tenant => {
  requireLive(caller)
  return tenantOf(caller)
}

/** The partner whose users the caller may read: by a secret key of LIVE, or as a member working in LIVE. */
export const backendOf = ({ callers: { secret, member } }: Pick<Context, 'callers'>) => {
  const caller = secret ?? member
  return isGoodCaller(caller) && caller.environment === 'LIVE' && caller.rights.includes('READ')
    ? caller
    : null
}
