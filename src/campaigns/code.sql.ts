import { type CodeBatch, Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { Tenant } from '../kit/tenant.ts'
import { codeRedeemed } from './campaign.events.ts'

type Batch = Pick<CodeBatch, 'id' | 'partnerId' | 'environment'>

/** Texts without commas as an item of FROM. */
const textTable = (texts: string[]) => Prisma.sql`string_to_table(${texts.join()}, ',')`

/** A code to store. Its hash is in hexadecimal. */
export type CodeRow = { hash: string; id: string; ending: string }

/** Stores codes. Skips those whose hash exists. */
export const insertCodes = statement(
  'insert_codes',
  returnsNothing,
  ({ id, partnerId, environment }: Batch, codes: CodeRow[]) => Prisma.sql`
    INSERT INTO campaign_code (partner_id, environment, hash, batch_id, id, ending)
    SELECT ${partnerId}::uuid, ${environment}::"Environment", decode(c.hash, 'hex'), ${id}::uuid,
      c.id::uuid, c.ending
    FROM ROWS FROM (${textTable(codes.map(({ hash }) => hash))},
      ${textTable(codes.map((code) => code.id))},
      ${textTable(codes.map(({ ending }) => ending))}) AS c (hash, id, ending)
    ON CONFLICT (partner_id, environment, hash) DO NOTHING`,
)

/** The given hashes that are stored in this batch. */
export const findStoredCodes = statement(
  'find_stored_codes',
  returns({ hash: 'text' }),
  ({ id, partnerId, environment }: Batch, hashes: string[]) => Prisma.sql`
    SELECT h.hash FROM ${textTable(hashes)} AS h (hash)
    JOIN campaign_code c ON c.partner_id = ${partnerId}::uuid
      AND c.environment = ${environment}::"Environment" AND c.hash = decode(h.hash, 'hex')
    WHERE c.batch_id = ${id}::uuid`,
)

const campaignRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  campaignId: 'uuid?',
})

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
    activePoints: 'bigint',
    largestPoints: 'int',
  }),
  (requested: ItemsOf<typeof campaignRows>, now: Date) => Prisma.sql`
    SELECT coalesce(sum(batch_size), 0)::bigint AS total,
      coalesce(sum(redeemed), 0)::bigint AS redeemed,
      (coalesce(sum(unused) FILTER (WHERE revoked_at IS NOT NULL), 0) + coalesce(sum(b.revoked), 0))::bigint AS revoked,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND expires_at <= ${now}::timestamptz), 0)::bigint AS expired,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND (expires_at > ${now}::timestamptz OR expires_at IS NULL)), 0)::bigint AS active,
      count(b.id) AS batches,
      coalesce(sum(unused::bigint * points_value) FILTER (WHERE revoked_at IS NULL
        AND (expires_at > ${now}::timestamptz OR expires_at IS NULL)), 0)::bigint AS "activePoints",
      coalesce(max(points_value) FILTER (WHERE revoked_at IS NULL AND unused > 0
        AND (expires_at > ${now}::timestamptz OR expires_at IS NULL)), 0)::int AS "largestPoints"
    FROM ${campaignRows(requested, 'k')}
    LEFT JOIN LATERAL (
      SELECT *, batch_size - redeemed - revoked AS unused FROM code_batch WHERE campaign_id = k.campaign_id
      UNION ALL
      SELECT *, batch_size - redeemed - revoked AS unused FROM code_batch WHERE k.campaign_id IS NULL
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

const codeRows = inputRows({
  campaignId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  hash: 'text',
})

/** Codes with their batches. Both are locked, batches first. `hash` is in hexadecimal, as in the request. */
export const lockCodes = lockStatement(
  'lock_codes',
  both(
    returns({
      n: 'int',
      hash: 'text',
      redeemedAt: 'timestamptz?',
      codeRevokedAt: 'timestamptz?',
    }),
    returnsModel('CodeBatch'),
  ),
  (requested: ItemsOf<typeof codeRows>) => Prisma.sql`
    SELECT k.n, k.hash, ${columnsOf('CodeBatch', 'b')}, c.redeemed_at AS "redeemedAt",
      c.revoked_at AS "codeRevokedAt"
    FROM (
      SELECT i.*, f.batch_id FROM ${codeRows(requested)}
      CROSS JOIN LATERAL (SELECT batch_id FROM campaign_code
        WHERE (partner_id, environment, hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      ORDER BY f.batch_id, i.hash) k
    CROSS JOIN LATERAL (SELECT * FROM code_batch
      WHERE id = k.batch_id AND campaign_id = k.campaign_id LIMIT 1 FOR NO KEY UPDATE) b
    CROSS JOIN LATERAL (SELECT redeemed_at, revoked_at FROM campaign_code
      WHERE (partner_id, environment, hash)
        = (k.partner_id, k.environment, decode(k.hash, 'hex')) LIMIT 1 FOR NO KEY UPDATE) c`,
)

/** A code that is locked, with its batch. */
export type LockedCode = Awaited<ReturnType<typeof lockCodes>>[number]

const redemptionRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  hash: 'text',
  batchId: 'uuid',
  userId: 'uuid',
  data: 'json',
})

/** Redeems locked codes that are not redeemed yet, counts them in their batches, and announces them. Returns how many. */
export const writeRedemptions = statement(
  'redeem_codes',
  returns({ redeemed: 'int' }),
  (redemptions: ItemsOf<typeof redemptionRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at FROM ${redemptionRows(redemptions)}
    ), redeemed AS (
      UPDATE campaign_code c SET redeemed_at = i.occurred_at, user_id = i.user_id,
        redemption_id = i.id
      FROM input i CROSS JOIN LATERAL (SELECT ctid FROM campaign_code
        WHERE (partner_id, environment, hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) AND redeemed_at IS NULL LIMIT 1) f
      WHERE c.ctid = f.ctid
      RETURNING i.*
    ), batch AS (
      UPDATE code_batch b SET redeemed = b.redeemed + r.codes
      FROM (SELECT batch_id, count(*) AS codes FROM redeemed GROUP BY batch_id) r
      WHERE b.id = r.batch_id
    ), event AS (${emit(codeRedeemed, Prisma.sql`SELECT * FROM redeemed`)}
    )
    SELECT count(*)::int AS redeemed FROM redeemed`,
)

/** Revokes a code that is locked, unless it was redeemed or revoked before, and counts it in its batch. */
export const writeRevocation = statement(
  'revoke_code',
  returnsNothing,
  ({ partnerId, environment, hash }: Tenant & { hash: string }, now: Date) => Prisma.sql`
    WITH revoked AS (
      UPDATE campaign_code SET revoked_at = ${now}::timestamptz
      WHERE (partner_id, environment, hash)
          = (${partnerId}::uuid, ${environment}::"Environment", decode(${hash}::text, 'hex'))
        AND redeemed_at IS NULL AND revoked_at IS NULL
      RETURNING batch_id
    )
    UPDATE code_batch SET revoked = revoked + 1 WHERE id = (SELECT batch_id FROM revoked)`,
)
