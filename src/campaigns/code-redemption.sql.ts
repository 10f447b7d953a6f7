/** Statements that redeem codes of batches. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { codeRedeemed } from './campaign.events.ts'

const askedRows = inputRows({
  campaignId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  hash: 'text',
})

/** Codes with their batches. Both are locked, batches first. `hash` is in hexadecimal, as in the request. */
export const lockCodes = lockStatement(
  'lock_codes',
  both(returns({ n: 'int', hash: 'text', redeemedAt: 'timestamptz?' }), returnsModel('CodeBatch')),
  (asked: ItemsOf<typeof askedRows>) => Prisma.sql`
    SELECT k.n, k.hash, ${columnsOf('CodeBatch', 'b')}, c.redeemed_at AS "redeemedAt"
    FROM (
      SELECT i.*, f.batch_id FROM ${askedRows(asked)}
      CROSS JOIN LATERAL (SELECT batch_id FROM campaign_code
        WHERE (partner_id, environment, hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      ORDER BY f.batch_id, i.hash) k
    CROSS JOIN LATERAL (SELECT * FROM code_batch
      WHERE id = k.batch_id AND campaign_id = k.campaign_id LIMIT 1 FOR NO KEY UPDATE) b
    CROSS JOIN LATERAL (SELECT redeemed_at FROM campaign_code
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

/** Redeems codes that are not redeemed yet, counts them in their batches, and announces them. Returns how many. */
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
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      WHERE c.ctid = f.ctid AND c.redeemed_at IS NULL
      RETURNING i.*
    ), batch AS (
      UPDATE code_batch b SET redeemed = b.redeemed + r.codes
      FROM (SELECT batch_id, count(*) AS codes FROM redeemed GROUP BY batch_id) r
      WHERE b.id = r.batch_id
    ), event AS (${emit(codeRedeemed, Prisma.sql`SELECT * FROM redeemed`)}
    )
    SELECT count(*)::int AS redeemed FROM redeemed`,
)
