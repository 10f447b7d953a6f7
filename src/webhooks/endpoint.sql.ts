/** The statement that changes the secret of an endpoint. */

import { Prisma } from '../generated/prisma/client.ts'
import { columnsOf, returnsModel, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** Sets the secret, and keeps the previous one until `previousUntil`. */
export const updateSecret = statement(
  'rotate_webhook_secret',
  returnsModel('WebhookEndpoint'),
  (
    { partnerId, environment, endpointId }: Tenant & { endpointId: string },
    { sealed, now, previousUntil }: { sealed: Uint8Array; now: Date; previousUntil: Date },
  ) => Prisma.sql`
    UPDATE webhook_endpoint e SET previous_secret = secret, secret = ${sealed}::bytea,
      previous_secret_until = ${previousUntil}::timestamptz, updated_at = ${now}::timestamptz
    WHERE id = ${endpointId}::uuid AND partner_id = ${partnerId}::uuid
      AND environment = ${environment}::"Environment" AND deleted_at IS NULL
    RETURNING ${columnsOf('WebhookEndpoint', 'e')}`,
)
