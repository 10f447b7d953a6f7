/** Statements on what applications require of visitors. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'

const tenantRows = inputRows({ partnerId: 'uuid', environment: 'Environment' })

/**
 * Whether an active application of each tenant with a valid public key requires user tokens, in the order of the list.
 */
export const requireTokens = statement(
  'require_tokens',
  returns({ isRequired: 'boolean' }),
  (tenants: ItemsOf<typeof tenantRows>, now: Date) => Prisma.sql`
    SELECT EXISTS (
      SELECT FROM application a JOIN api_key k ON k.application_id = a.id
      WHERE a.partner_id = t.partner_id AND a.status = 'ACTIVE' AND a.user_tokens = 'REQUIRED'
        AND k.partner_id = t.partner_id AND k.environment = t.environment AND k.kind = 'PUBLIC'
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now}::timestamptz)
    ) AS "isRequired"
    FROM ${tenantRows(tenants, 't')} ORDER BY t.n`,
)
