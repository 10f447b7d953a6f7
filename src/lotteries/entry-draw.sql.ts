/** Statements that find and lock the draws that entries go to. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'

const askedRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  slug: 'text',
  lotteryId: 'uuid?',
})

/**
 * Lotteries by slug, each with its open draw that closes next. A lottery of the partner comes before one open to every
 * partner. `lotteryId` chooses between two with the same slug.
 */
export const selectEntryDraws = statement(
  'find_entry_draws',
  returns({
    n: 'int',
    status: 'LotteryStatus',
    endsAt: 'timestamptz?',
    lotteryId: 'uuid',
    slug: 'text',
    drawId: 'uuid?',
    rules: 'text?',
    isActive: 'boolean',
  }),
  (asked: ItemsOf<typeof askedRows>, now: Date) => Prisma.sql`
    SELECT k.n, l.status, l.ends_at AS "endsAt", l.id AS "lotteryId", l.slug, d.id AS "drawId", d.rules,
      l.status = 'ACTIVE' AND (l.ends_at IS NULL OR l.ends_at > ${now}::timestamptz) AS "isActive"
    FROM ${askedRows(asked, 'k')}
    CROSS JOIN LATERAL (
      SELECT * FROM lottery l
      WHERE l.environment = k.environment AND l.slug = k.slug AND l.status <> 'DRAFT'
        AND (l.partner_id = k.partner_id OR l.partner_id IS NULL)
        AND (k.lottery_id IS NULL OR l.id = k.lottery_id)
      ORDER BY l.partner_id NULLS LAST LIMIT 1
    ) l
    LEFT JOIN LATERAL (
      SELECT id, rules FROM lottery_draw d
      WHERE d.lottery_id = l.id AND d.status = 'OPEN' AND d.closes_at > ${now}::timestamptz
      ORDER BY d.closes_at, d.draw_no LIMIT 1
    ) d ON true`,
)

/** Locks the draws that are still open, and their lotteries. */
export const lockOpenDraws = lockStatement(
  'lock_entry_draws',
  returns({ id: 'uuid', lotteryId: 'uuid', tickets: 'int', lotteryTickets: 'int' }),
  (ids: string[], now: Date) => Prisma.sql`
    SELECT d.id, l.id AS "lotteryId", d.tickets, l.tickets AS "lotteryTickets"
    FROM lottery l JOIN lottery_draw d ON d.lottery_id = l.id
    WHERE d.id = ANY (${ids}::uuid[]) AND d.status = 'OPEN' AND l.status = 'ACTIVE'
      AND d.closes_at > ${now}::timestamptz
    ORDER BY l.id, d.id FOR NO KEY UPDATE`,
)

const holderRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  drawId: 'uuid',
  entrant: 'text',
})

/** The number of tickets of users in draws. Skips users without tickets. */
export const countTickets = statement(
  'count_entrants',
  returns({
    partnerId: 'uuid',
    environment: 'Environment',
    drawId: 'uuid',
    entrant: 'text',
    tickets: 'int',
  }),
  (holders: ItemsOf<typeof holderRows>) => Prisma.sql`
    SELECT e.partner_id AS "partnerId", e.environment, e.draw_id AS "drawId", e.entrant, e.tickets
    FROM (SELECT DISTINCT partner_id, environment, draw_id, entrant FROM ${holderRows(holders)}) i
    CROSS JOIN LATERAL (SELECT * FROM lottery_entrant
      WHERE (partner_id, environment, draw_id, entrant)
        = (i.partner_id, i.environment, i.draw_id, i.entrant) LIMIT 1) e`,
)

/** The number of tickets that partners have entered into lotteries. */
export const readAccounts = statement(
  'read_accounts',
  returnsModel('LotteryAccount'),
  (lotteryIds: string[], partnerIds: string[]) => Prisma.sql`
    SELECT ${columnsOf('LotteryAccount', 'a')}
    FROM lottery_account a WHERE lottery_id = ANY (${lotteryIds}::uuid[])
      AND partner_id = ANY (${partnerIds}::uuid[])`,
)
