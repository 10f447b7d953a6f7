/** Statements on lotteries. */

import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, statement } from '../kit/database/statement.ts'

/** Locks a lottery. New tickets can still refer to it. */
export const lockLotteryRow = lockStatement(
  'lock_lottery',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`
    SELECT id FROM lottery WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/** Lotteries that are over, have a draw to open or to cancel, or have no draw that closes after `ahead`. */
export const findDueLotteries = statement(
  'find_due_lotteries',
  returns({ id: 'uuid' }),
  (now: Date, ahead: Date) => Prisma.sql`
    SELECT l.id FROM lottery l
    WHERE l.status = 'ACTIVE' AND (
      l.ends_at <= ${now}::timestamptz
      OR EXISTS (SELECT FROM lottery_draw d WHERE d.lottery_id = l.id AND d.status = 'SCHEDULED'
        AND (d.opens_at <= ${now}::timestamptz OR d.closes_at <= ${now}::timestamptz))
      OR (l.frequency <> 'CUSTOM' AND NOT EXISTS (SELECT FROM lottery_draw d
        WHERE d.lottery_id = l.id AND d.status IN ('SCHEDULED', 'OPEN')
        AND d.closes_at > ${ahead}::timestamptz)))`,
)
