/** Statements that settle a draw: they find, price and pay the winning lines. */

import { type LotteryDraw, Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { type EventData, emit } from '../kit/streams/events.ts'
import { drawCompleted, ticketWon } from './lottery.events.ts'

const winRows = inputRows({ main: 'int', bonus: 'int', tier: 'int', cents: 'bigint?' })

/** The bits of a line that are compared with the drawn numbers. */
type Drawn = {
  /** The drawn numbers. */
  main: string
  bonus: string
  /** The same bits, repeated for tickets of 1, 2, … lines. */
  lines: string[]
  /** The tier of each winning pair of matches. */
  wins: ItemsOf<typeof winRows>
  /** The smallest number of matches that wins. */
  fewest: number
}

/**
 * Writes the winning lines of the tickets after `from`, up to `to`. The cheap filter comes first: most tickets win
 * nothing, because their lines together match fewer numbers than the smallest prize requires.
 */
export const insertWins = statement(
  'settle_tickets',
  returnsNothing,
  (id: string, { main, bonus, lines, wins, fewest }: Drawn, from: number, to: number) => Prisma.sql`
    WITH wins AS (
      SELECT * FROM ${winRows(wins, 'w')}
    ), matched AS (
      SELECT t.partner_id, t.environment, t.ticket_no, l.n,
        bit_count(substring(t.masks FROM l.n * ${main.length + bonus.length}::int + 1
          FOR ${main.length}::int) & ${main}::varbit) AS main,
        bit_count(substring(t.masks
          FROM l.n * ${main.length + bonus.length}::int + ${main.length}::int + 1
          FOR ${bonus.length}::int) & ${bonus}::varbit) AS bonus
      FROM lottery_ticket t
      CROSS JOIN LATERAL unnest((ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])[1:t.line_count]) l (n)
      WHERE t.draw_id = ${id}::uuid AND t.ticket_no > ${from}::int AND t.ticket_no <= ${to}::int
        AND t.cancelled_at IS NULL
        AND bit_count(t.masks & (SELECT ${lines}::text[]::varbit[])[t.line_count]) >= ${fewest}::int
        AND EXISTS (SELECT FROM lottery_draw WHERE id = ${id}::uuid AND status = 'DRAWING')
    )
    INSERT INTO lottery_win (partner_id, environment, draw_id, ticket_no, line_no, tier_no,
      amount_cents)
    SELECT l.partner_id, l.environment, ${id}::uuid, l.ticket_no, l.n, w.tier, w.cents
    FROM matched l JOIN wins w ON w.main = l.main AND w.bonus = l.bonus
    ON CONFLICT DO NOTHING`,
)

/** Winning lines of a draw by tier. Omits tiers without any. */
export const countWinners = statement(
  'count_winners',
  returns({ tierNo: 'smallint', winners: 'int' }),
  (drawId: string) => Prisma.sql`
    SELECT tier_no AS "tierNo", count(*)::int AS winners FROM lottery_win
    WHERE draw_id = ${drawId}::uuid GROUP BY 1`,
)

const prizeRows = inputRows({ tier: 'int', name: 'text', each: 'bigint', remainder: 'int' })

type Outcome = {
  /** `each` goes to every winning line of a tier, the cents of `remainder` to the first ones. */
  prizes: ItemsOf<typeof prizeRows>
  potCents: number
  payoutCents: number
  /** To store with the draw. */
  results: object[]
  /** To announce. */
  completed: EventData<typeof drawCompleted>
}

/** Completes a draw that is settled: prices its winning lines, and announces it and each winning ticket. */
export const writeResults = statement(
  'finish_draw',
  returnsNothing,
  (
    { id, lotteryId }: Pick<LotteryDraw, 'id' | 'lotteryId'>,
    { prizes, potCents, payoutCents, results, completed }: Outcome,
    now: Date,
  ) => Prisma.sql`
    WITH done AS MATERIALIZED (
      UPDATE lottery_draw SET status = 'COMPLETED', completed_at = ${now}::timestamptz,
        pot_cents = ${potCents}::bigint, payout_cents = ${payoutCents}::bigint,
        results = ${JSON.stringify(results)}::json
      WHERE id = ${id}::uuid AND status = 'DRAWING' AND settled = tickets
      RETURNING id, partner_id, environment
    ), prize AS (
      SELECT * FROM ${prizeRows(prizes, 'p')}
    ), priced AS MATERIALIZED (
      SELECT w.*, p.each + (row_number() OVER (PARTITION BY w.tier_no
        ORDER BY w.ticket_no, w.line_no) <= p.remainder)::int AS cents
      FROM done JOIN lottery_win w ON w.draw_id = done.id JOIN prize p ON p.tier = w.tier_no
    ), paid AS (
      UPDATE lottery_win w SET amount_cents = p.cents FROM priced p
      WHERE p.amount_cents IS NULL
        AND (w.draw_id, w.ticket_no, w.line_no) = (p.draw_id, p.ticket_no, p.line_no)
    ), won AS MATERIALIZED (
      SELECT ${newIdAt(now)} AS id, w.ticket_no, p.name AS tier, w.cents FROM (
        SELECT ticket_no, min(tier_no) AS tier_no, sum(cents) AS cents FROM priced GROUP BY 1
      ) w JOIN prize p ON p.tier = w.tier_no ORDER BY 1
    ), ticket_won AS (${emit(
      ticketWon,
      Prisma.sql`SELECT won.id, t.partner_id, t.environment,
        json_strip_nulls(json_build_object('ticketId', t.id, 'ticketRef', t.ticket_ref,
          'drawId', t.draw_id, 'lotteryId', t.lottery_id, 'lotterySlug', ${completed.lotterySlug}::text,
          'email', t.email, 'externalUserId', t.external_user_id, 'lines', t.lines,
          'winTier', won.tier, 'winAmountCents', won.cents)) AS data,
        ${now}::timestamptz AS occurred_at
        FROM won JOIN lottery_ticket t ON (t.draw_id, t.ticket_no) = (${id}::uuid, won.ticket_no)`,
    )}
    ), concerned AS (
      SELECT partner_id FROM done WHERE partner_id IS NOT NULL
      UNION SELECT a.partner_id FROM done JOIN lottery_account a
        ON done.partner_id IS NULL AND a.lottery_id = ${lotteryId}::uuid
    )
    ${emit(
      drawCompleted,
      Prisma.sql`SELECT ${newIdAt(now)} AS id, c.partner_id, done.environment,
        ${JSON.stringify(completed)}::json AS data, ${now}::timestamptz AS occurred_at
        FROM concerned c CROSS JOIN done`,
    )}`,
)
