/** Hashes of codes. A dump of the database reveals no code, even to someone who tries them all. */
import { macOf } from '../kit/security/seal.ts'
import type { Tenant } from '../kit/tenant.ts'
import { normalCode } from './code.rules.ts'

/** HMAC of a code of a batch, with a key that is not in the database. It differs between tenants. */
export const codeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'campaign-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)

/** The same for a win code. */
export const winCodeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'win-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)
