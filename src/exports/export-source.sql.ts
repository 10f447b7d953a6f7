/** Statements that read what users have, user by user. */
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../core/db/statement.ts'
import type { Tenant } from '../core/tenant.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Users in their order; rows of each after a number. */
const userRows = inputRows({ userId: 'uuid', after: 'int' })

type Users = ItemsOf<typeof userRows>

export const selectEntriesOf = statement(
  'export_ledger',
  returnsModel('LedgerEntry'),
  (users: Users, take: number) => Prisma.sql`
    SELECT ${columnsOf('LedgerEntry', 'l')} FROM ${userRows(users, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM ledger_entry WHERE user_id = k.user_id AND entry_no > k.after
      ORDER BY entry_no LIMIT ${take}::int) l
    ORDER BY k.n, l.entry_no LIMIT ${take}::int`,
)

export const selectPlaysOf = statement(
  'export_plays',
  returnsModel('Play'),
  (users: Users, take: number) => Prisma.sql`
    SELECT ${columnsOf('Play', 'p')} FROM ${userRows(users, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM play WHERE user_id = k.user_id AND play_no > k.after
      ORDER BY play_no LIMIT ${take}::int) p
    ORDER BY k.n, p.play_no LIMIT ${take}::int`,
)

/** Codes of all batches after a hash, in the order of hashes. */
export const selectCodesAfter = statement(
  'export_codes',
  returns({
    hash: 'bytea',
    batchId: 'uuid',
    madeAt: 'timestamptz',
    redeemedAt: 'timestamptz?',
    redemptionId: 'uuid?',
    externalId: 'text?',
  }),
  ({ partnerId, environment }: Tenant, hash: Uint8Array, take: number) => Prisma.sql`
    SELECT c.hash, c.batch_id AS "batchId", b.created_at AS "madeAt",
      c.redeemed_at AS "redeemedAt", c.redemption_id AS "redemptionId",
      u.external_id AS "externalId"
    FROM (SELECT * FROM campaign_code WHERE partner_id = ${partnerId}::uuid
      AND environment = ${environment}::"Environment" AND hash > ${hash}::bytea
      ORDER BY hash LIMIT ${take}::int) c
    CROSS JOIN LATERAL (SELECT created_at FROM code_batch WHERE id = c.batch_id LIMIT 1) b
    LEFT JOIN LATERAL (SELECT external_id FROM end_user WHERE id = c.user_id LIMIT 1) u ON true
    ORDER BY c.hash`,
)
