/** Statements that read the entries and plays of users, user by user. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

/** The columns of users that count their numbered rows. */
type Counter = 'entries' | 'games_played'

/**
 * Users in the order of their external ids, starting with `from`, each with the numbers of its rows. Returns enough
 * users for `take` rows in total, but at most `take` users. Omits rows of the first user up to the number `after`.
 */
export const selectUsersOfRows = statement(
  'export_users_of_rows',
  returns({ userId: 'uuid', externalId: 'text', after: 'int', last: 'int' }),
  (
    { partnerId, environment }: Tenant,
    counter: Counter,
    { from, after }: { from: string; after: number },
    take: number,
  ) => Prisma.sql`
    SELECT id AS "userId", external_id AS "externalId", after, last FROM (
      SELECT *, sum(last - after) OVER (ORDER BY external_id) - (last - after) AS before FROM (
        SELECT u.id, u.external_id, u.${Prisma.raw(counter)} AS last,
          CASE WHEN u.external_id = ${from}::text
            THEN least(${after}::int, u.${Prisma.raw(counter)}) ELSE 0 END AS after
        FROM end_user u WHERE u.partner_id = ${partnerId}::uuid
          AND u.environment = ${environment}::"Environment" AND u.external_id >= ${from}::text
        ORDER BY u.external_id LIMIT ${take}::int) found) counted
    WHERE before < ${take}::int ORDER BY external_id`,
)

/** The first and the last number of the rows to read of each user. */
const rangeRows = inputRows({ userId: 'uuid', first: 'int', last: 'int' })

type Ranges = ItemsOf<typeof rangeRows>

export const selectEntriesOf = statement(
  'export_ledger',
  returnsModel('LedgerEntry'),
  (ranges: Ranges, take: number) => Prisma.sql`
    SELECT ${columnsOf('LedgerEntry', 'l')} FROM ${rangeRows(ranges, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM ledger_entry WHERE user_id = k.user_id
      AND entry_no BETWEEN k.first AND k.last ORDER BY entry_no LIMIT ${take}::int) l
    ORDER BY k.n, l.entry_no`,
)

export const selectPlaysOf = statement(
  'export_plays',
  returnsModel('Play'),
  (ranges: Ranges, take: number) => Prisma.sql`
    SELECT ${columnsOf('Play', 'p')} FROM ${rangeRows(ranges, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM play WHERE user_id = k.user_id
      AND play_no BETWEEN k.first AND k.last ORDER BY play_no LIMIT ${take}::int) p
    ORDER BY k.n, p.play_no`,
)

/** Codes of all batches after a hash, in the order of hashes. */
export const selectCodesAfter = statement(
  'export_codes',
  returns({
    hash: 'bytea',
    ending: 'text?',
    batchId: 'uuid',
    madeAt: 'timestamptz',
    redeemedAt: 'timestamptz?',
    revokedAt: 'timestamptz?',
    redemptionId: 'uuid?',
    externalId: 'text?',
  }),
  ({ partnerId, environment }: Tenant, hash: Uint8Array, take: number) => Prisma.sql`
    SELECT c.hash, c.ending, c.batch_id AS "batchId", b.created_at AS "madeAt",
      c.redeemed_at AS "redeemedAt", c.revoked_at AS "revokedAt", c.redemption_id AS "redemptionId",
      u.external_id AS "externalId"
    FROM (SELECT * FROM campaign_code WHERE partner_id = ${partnerId}::uuid
      AND environment = ${environment}::"Environment" AND hash > ${hash}::bytea
      ORDER BY hash LIMIT ${take}::int) c
    CROSS JOIN LATERAL (SELECT created_at FROM code_batch WHERE id = c.batch_id LIMIT 1) b
    LEFT JOIN LATERAL (SELECT external_id FROM end_user WHERE id = c.user_id LIMIT 1) u ON true
    ORDER BY c.hash`,
)
