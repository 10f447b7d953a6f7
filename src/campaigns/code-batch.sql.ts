/** Statements on batches of codes. */

import { type CodeBatch, Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

type Batch = Pick<CodeBatch, 'id' | 'partnerId' | 'environment'>

/** Hashes in hexadecimal as an item of FROM. */
const hashTable = (hashes: string[]) => Prisma.sql`string_to_table(${hashes.join()}, ',')`

/** Stores the hashes of codes. Skips those that exist. */
export const insertCodes = statement(
  'insert_codes',
  returnsNothing,
  ({ id, partnerId, environment }: Batch, hashes: string[]) => Prisma.sql`
    INSERT INTO campaign_code (partner_id, environment, hash, batch_id)
    SELECT ${partnerId}::uuid, ${environment}::"Environment", decode(hash, 'hex'), ${id}::uuid
    FROM ${hashTable(hashes)} AS hash
    ON CONFLICT (partner_id, environment, hash) DO NOTHING`,
)

/** The given hashes that are stored in this batch. */
export const findStoredCodes = statement(
  'find_stored_codes',
  returns({ hash: 'text' }),
  ({ id, partnerId, environment }: Batch, hashes: string[]) => Prisma.sql`
    SELECT h.hash FROM ${hashTable(hashes)} AS h (hash)
    JOIN campaign_code c ON c.partner_id = ${partnerId}::uuid
      AND c.environment = ${environment}::"Environment" AND c.hash = decode(h.hash, 'hex')
    WHERE c.batch_id = ${id}::uuid`,
)

const askedRows = inputRows({ partnerId: 'uuid', environment: 'Environment', campaignId: 'uuid?' })

/** Counts codes by state, per campaign or for a whole tenant, in the order of the list. */
export const countCodes = statement(
  'read_code_stats',
  returns({
    total: 'bigint',
    redeemed: 'bigint',
    revoked: 'bigint',
    expired: 'bigint',
    active: 'bigint',
    batches: 'bigint',
  }),
  (asked: ItemsOf<typeof askedRows>, now: Date) => Prisma.sql`
    SELECT coalesce(sum(batch_size), 0)::bigint AS total,
      coalesce(sum(redeemed), 0)::bigint AS redeemed,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NOT NULL), 0)::bigint AS revoked,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND expires_at <= ${now}::timestamptz), 0)::bigint AS expired,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND (expires_at > ${now}::timestamptz OR expires_at IS NULL)), 0)::bigint AS active,
      count(b.id) AS batches
    FROM ${askedRows(asked, 'k')}
    LEFT JOIN LATERAL (
      SELECT *, batch_size - redeemed AS unused FROM code_batch WHERE campaign_id = k.campaign_id
      UNION ALL
      SELECT *, batch_size - redeemed AS unused FROM code_batch WHERE k.campaign_id IS NULL
        AND partner_id = k.partner_id AND environment = k.environment) b ON true
    GROUP BY k.n ORDER BY k.n`,
)

const campaignIds = inputRows({ id: 'uuid' })

/** Whether campaigns have a batch that is neither revoked nor expired, in the order of the list. */
export const haveOpenBatches = statement(
  'have_open_batches',
  returns({ isOpen: 'boolean' }),
  (campaigns: ItemsOf<typeof campaignIds>, now: Date) => Prisma.sql`
    SELECT EXISTS (SELECT FROM code_batch b WHERE b.campaign_id = k.id AND b.revoked_at IS NULL
      AND (b.expires_at IS NULL OR b.expires_at > ${now}::timestamptz)) AS "isOpen"
    FROM ${campaignIds(campaigns, 'k')} ORDER BY k.n`,
)
