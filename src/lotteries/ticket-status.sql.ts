/** The tickets of a draw that have a status, as tables, and their count. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'

/**
 * Tickets as `t`, in parts that do not overlap. The ticket of a win counts at the first of its lines that won. Each table has an
 * index by draw, partner and number. OFFSET keeps the planner from reading the wins of all draws.
 */
export const ticketTables = {
  all: Prisma.sql`lottery_ticket t`,
  kept: Prisma.sql`(SELECT * FROM lottery_ticket WHERE cancelled_at IS NULL) t`,
  cancelled: Prisma.sql`(SELECT * FROM lottery_ticket WHERE cancelled_at IS NOT NULL) t`,
  won: Prisma.sql`(SELECT f.draw_id, f.partner_id, f.ticket_no FROM lottery_win f WHERE NOT EXISTS (
    SELECT FROM lottery_win w WHERE w.draw_id = f.draw_id AND w.ticket_no = f.ticket_no
      AND w.line_no < f.line_no OFFSET 0)) t`,
  lost: Prisma.sql`(SELECT * FROM lottery_ticket k WHERE k.cancelled_at IS NULL AND NOT EXISTS (
    SELECT FROM lottery_win w WHERE w.draw_id = k.draw_id AND w.ticket_no = k.ticket_no OFFSET 0)) t`,
}

/** The status of the ticket with this alias, as `ticketStatusOf` has it. */
export const statusOfTicket = (alias: 'h'): Prisma.Sql => {
  const ticket = Prisma.raw(alias)
  return Prisma.sql`(SELECT CASE
    WHEN ${ticket}.cancelled_at IS NOT NULL OR d.status = 'CANCELLED' THEN 'CANCELLED'
    WHEN d.status = 'DRAWING' THEN 'DRAWN' WHEN d.status <> 'COMPLETED' THEN 'ACTIVE'
    WHEN EXISTS (SELECT FROM lottery_win w
      WHERE w.draw_id = ${ticket}.draw_id AND w.ticket_no = ${ticket}.ticket_no OFFSET 0) THEN 'WON'
    ELSE 'LOST' END FROM lottery_draw d WHERE d.id = ${ticket}.draw_id)`
}

/** Counts the tickets of a part that a partner entered into a draw, up to `limit`. */
export const countTickets = statement(
  'count_tickets_of_draw',
  returns({ tickets: 'int' }),
  (
    part: keyof typeof ticketTables,
    { drawId, partnerId }: { drawId: string; partnerId: string },
    limit: number,
  ) => Prisma.sql`
    SELECT count(*)::int AS tickets FROM (
      SELECT FROM ${ticketTables[part]}
      WHERE t.draw_id = ${drawId}::uuid AND t.partner_id = ${partnerId}::uuid
      LIMIT ${limit}::int) found`,
)
