/** What is stored of codes: not even a dump of the database, and all its codes tried, gives one away. */
import { macOf } from '../core/seal.ts'
import type { Tenant } from '../core/tenant.ts'
import { normalCode } from './code.rules.ts'

/** HMAC of a code of a batch, under a key that is not in the database; one code has another in each tenant. */
export const codeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'campaign-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)

/** The same of a win code. */
export const winCodeHash = (pepper: string, tenant: Tenant, code: string): Buffer =>
  macOf(pepper, 'win-code', `${tenant.partnerId} ${tenant.environment} ${normalCode(code)}`)
