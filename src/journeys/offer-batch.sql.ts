/** Statements that make the offers of batches. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  lockStatement,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'
import { conditionsOf, every, type UserMatch } from './user-match.sql.ts'

/** The batches that are not completed, the oldest first. */
export const findOpenBatches = statement(
  'find_open_offer_batches',
  returns({ id: 'uuid' }),
  () => Prisma.sql`
    SELECT id FROM offer_batch WHERE status IN ('QUEUED', 'RUNNING') ORDER BY id LIMIT 1000`,
)

/** Locks a batch for its next users. No row if it has ended, or if another node is at it. */
export const lockBatch = lockStatement(
  'lock_offer_batch',
  returnsModel('OfferBatch'),
  (id: string) => Prisma.sql`
    SELECT ${columnsOf('OfferBatch', 'b')} FROM offer_batch b
    WHERE id = ${id}::uuid AND status IN ('QUEUED', 'RUNNING')
    FOR NO KEY UPDATE SKIP LOCKED`,
)

/** The next users of an environment, by external id, and whether each of them is in a segment. */
export const selectNextUsers = statement(
  'find_users_for_offers',
  returns({ externalId: 'text', isMatch: 'boolean' }),
  (
    { partnerId, environment }: Tenant,
    after: string,
    segment: UserMatch,
    limit: number,
  ) => Prisma.sql`
    SELECT u.external_id AS "externalId", coalesce(p.is_match, false) AS "isMatch"
    FROM (SELECT id, external_id FROM end_user
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        AND external_id > ${after}::text
      ORDER BY external_id LIMIT ${limit}::int) u
    LEFT JOIN LATERAL (SELECT ${every(conditionsOf(segment).map(({ sql }) => sql))} AS is_match
      FROM user_profile p WHERE p.user_id = u.id LIMIT 1) p ON true
    ORDER BY u.external_id`,
  { isPrepared: false },
)
