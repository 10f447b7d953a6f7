/** Visitors act for a user without a key, as on the page of a campaign (docs/decisions/user-tokens.md). */
import { requireRight } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { readUserToken } from './user-token.ts'
import { requireTokens } from './visitor.sql.ts'

/** Whether visitors of each tenant need a token to name a user. */
const findTokenRules = async ({ tx, clock }: Work, tenants: Tenant[]): Promise<boolean[]> =>
  (await requireTokens(tx, tenants, clock())).map(({ isRequired }) => isRequired)

/** Whether visitors need a token to name a user: as soon as one application requires it of its public keys. */
export const visitorsNeedTokens = (
  { read }: Pick<Runtime, 'read'>,
  tenant: Tenant,
): Promise<boolean> => read(findTokenRules, tenantOf(tenant))

/**
 * Refuses a user whom a visitor may not name. A visitor has no application, so only our tokens are accepted.
 * @throws TesseraError MISSING_USER_TOKEN, INVALID_USER_TOKEN, USER_TOKEN_OF_ANOTHER; RIGHT_REQUIRED for a token that
 * allows no plays
 */
export const refuseOtherVisitor = async (
  runtime: Runtime,
  tenant: Tenant,
  { externalId, token }: { externalId: ExternalId; token: string | null | undefined },
): Promise<void> => {
  if (token == null) {
    if (await visitorsNeedTokens(runtime, tenant)) throw new TesseraError('MISSING_USER_TOKEN')
    return
  }
  const { user, rights } = await readUserToken(runtime, tenant, token)
  requireRight({ rights }, 'PLAY')
  if (user !== externalId) throw new TesseraError('USER_TOKEN_OF_ANOTHER')
}
