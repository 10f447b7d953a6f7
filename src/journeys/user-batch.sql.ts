/** Statements that go through the users of batches. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  lockStatement,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'
import { every, rowConditionsOf, type UserMatch } from './user-match.sql.ts'

/** The batches that are not completed, the oldest first. */
export const findOpenBatches = statement(
  'find_open_user_batches',
  returns({ id: 'uuid' }),
  () => Prisma.sql`
    SELECT id FROM user_batch WHERE status IN ('QUEUED', 'RUNNING') ORDER BY id LIMIT 1000`,
)

/** Locks a batch for its next users. No row if it has ended, or if another node is at it. */
export const lockBatch = lockStatement(
  'lock_user_batch',
  returnsModel('UserBatch'),
  (id: string) => Prisma.sql`
    SELECT ${columnsOf('UserBatch', 'b')} FROM user_batch b
    WHERE id = ${id}::uuid AND status IN ('QUEUED', 'RUNNING')
    FOR NO KEY UPDATE SKIP LOCKED`,
)

/** The next users of an environment, by external id, and whether each of them matches. */
export const selectNextUsers = statement(
  'find_users_of_batch',
  returns({ id: 'uuid', externalId: 'text', isMatch: 'boolean' }),
  (
    { partnerId, environment }: Tenant,
    after: string,
    match: UserMatch,
    limit: number,
  ) => Prisma.sql`
    SELECT u.id, u.external_id AS "externalId", coalesce(p.is_match, false) AS "isMatch"
    FROM (SELECT * FROM end_user
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        AND external_id > ${after}::text
      ORDER BY external_id LIMIT ${limit}::int) u
    LEFT JOIN LATERAL (SELECT ${every(rowConditionsOf(match))} AS is_match
      FROM user_profile p WHERE p.user_id = u.id LIMIT 1) p ON true
    ORDER BY u.external_id`,
  { isPrepared: false },
)

/** Those of some users who match. */
export const selectMatching = statement(
  'find_matching_users',
  returns({ id: 'uuid' }),
  (ids: readonly string[], match: UserMatch) => Prisma.sql`
    SELECT u.id FROM (SELECT * FROM end_user WHERE id = ANY (${ids}::uuid[])) u
    CROSS JOIN LATERAL (SELECT ${every(rowConditionsOf(match))} AS is_match
      FROM user_profile p WHERE p.user_id = u.id LIMIT 1) p
    WHERE p.is_match`,
  { isPrepared: false },
)
