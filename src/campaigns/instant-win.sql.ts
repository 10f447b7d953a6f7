/** Statements that redeem prizes. */

import { Prisma, type PrizeTier } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  jsonOf,
  lockStatement,
  returns,
  returnsJson,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

const askedRows = inputRows({
  campaignId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  hash: 'bytea',
})

/** Wins by the hashes of their codes, with their tiers. The wins are locked. */
export const lockWins = lockStatement(
  'lock_wins',
  both(
    both(returns({ n: 'int' }), returnsModel('InstantWin', 'codeHash')),
    returnsJson<PrizeTier>()('tier'),
  ),
  (requested: ItemsOf<typeof askedRows>) => Prisma.sql`
    SELECT k.n, ${columnsOf('InstantWin', 'w', 'codeHash')}, ${jsonOf('PrizeTier', 't')} AS tier
    FROM (
      SELECT i.n, i.campaign_id, f.id FROM ${askedRows(requested)}
      CROSS JOIN LATERAL (SELECT id FROM instant_win
        WHERE (partner_id, environment, code_hash) = (i.partner_id, i.environment, i.hash) LIMIT 1) f
      ORDER BY f.id) k
    CROSS JOIN LATERAL (SELECT * FROM instant_win
      WHERE id = k.id AND campaign_id = k.campaign_id LIMIT 1 FOR NO KEY UPDATE) w
    JOIN prize_tier t ON t.id = w.tier_id`,
)

const redemptionRows = inputRows({ id: 'uuid', redemptionId: 'uuid' })

/** Marks wins as redeemed. Skips those that are already redeemed. */
export const redeemWins = statement(
  'redeem_win_codes',
  returnsNothing,
  (redemptions: ItemsOf<typeof redemptionRows>, now: Date) => Prisma.sql`
    UPDATE instant_win w SET redeemed_at = ${now}::timestamptz, redemption_id = r.redemption_id
    FROM ${redemptionRows(redemptions, 'r')}
    WHERE w.id = r.id AND w.id = ANY (${redemptions.map(({ id }) => id)}::uuid[])
      AND w.redeemed_at IS NULL`,
)
