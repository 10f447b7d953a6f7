import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type LotteryDraw, Prisma } from '../generated/prisma/client.ts'
import { type LotteryRules, potOf, prizeOf } from './lottery.rules.ts'

/** A new UUIDv7 for each row, so that events stand in the order of time. */
const newId = (at: Date) => Prisma.sql`encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  PLACING substring(int8send(${at.getTime()}::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`

export type TierResult = { winners: number; payoutCents: number }

/**
 * Completes a draw whose tickets have all been held against the numbers: prices the winning lines, pays
 * shares of the pot to the cent, and announces the draw and each winning ticket. One statement; the
 * second one finds nothing to do.
 */
export const finishDraw = async ({ tx, clock }: Work, draw: LotteryDraw): Promise<void> => {
  const rules = JSON.parse(draw.rules ?? '') as LotteryRules
  const counts = await tx.$queryRaw<{ tierNo: number; winners: number }[]>`/* count_winners */
    SELECT tier_no AS "tierNo", count(*)::int AS winners FROM lottery_win
    WHERE draw_id = ${draw.id}::uuid GROUP BY 1`
  const winnersOf = new Map(counts.map(({ tierNo, winners }) => [tierNo, winners]))
  const potCents = potOf(rules, draw.tickets - draw.cancelled)
  const prizes = rules.tiers.map((tier, tierNo) => {
    const winners = winnersOf.get(tierNo) ?? 0
    const { each, remainder } = prizeOf(tier, potCents, winners)
    return { tier: tierNo, name: tier.name, winners, each, remainder }
  })
  const results: TierResult[] = prizes.map(({ winners, each, remainder }) => ({
    winners,
    payoutCents: winners * each + remainder,
  }))
  const payoutCents = results.reduce((sum, result) => sum + result.payoutCents, 0)
  const winningLines = results.reduce((sum, { winners }) => sum + winners, 0)
  const { slug } = await tx.lottery.findUniqueOrThrow({ where: { id: draw.lotteryId } })
  const now = clock()
  const completed = {
    drawId: draw.id,
    lotteryId: draw.lotteryId,
    lotterySlug: slug,
    drawNo: draw.drawNo,
    main: draw.main,
    bonus: draw.bonus,
    ticketCount: draw.tickets - draw.cancelled,
    winningLines,
    potCents,
    payoutCents,
    completedAt: now.toISOString(),
  }
  await tx.$executeRaw`/* finish_draw */
    WITH done AS MATERIALIZED (
      UPDATE lottery_draw SET status = 'COMPLETED', completed_at = ${now}::timestamptz,
        pot_cents = ${potCents}::bigint, payout_cents = ${payoutCents}::bigint,
        results = ${JSON.stringify(results)}::json
      WHERE id = ${draw.id}::uuid AND status = 'DRAWING' AND settled = tickets
      RETURNING id, partner_id, environment
    ), prize AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(prizes)}::json)
        AS p (tier int, name text, "each" bigint, remainder int)
    ), priced AS MATERIALIZED (
      SELECT w.*, p.each + (row_number() OVER (PARTITION BY w.tier_no
        ORDER BY w.ticket_no, w.line_no) <= p.remainder)::int AS cents
      FROM done JOIN lottery_win w ON w.draw_id = done.id JOIN prize p ON p.tier = w.tier_no
    ), paid AS (
      UPDATE lottery_win w SET amount_cents = p.cents FROM priced p
      WHERE p.amount_cents IS NULL
        AND (w.draw_id, w.ticket_no, w.line_no) = (p.draw_id, p.ticket_no, p.line_no)
    ), won AS MATERIALIZED (
      SELECT ${newId(now)} AS id, w.ticket_no, p.name AS tier, w.cents FROM (
        SELECT ticket_no, min(tier_no) AS tier_no, sum(cents) AS cents FROM priced GROUP BY 1
      ) w JOIN prize p ON p.tier = w.tier_no ORDER BY 1
    ), ticket_won AS (${emit(
      'lottery.ticket_won',
      Prisma.sql`SELECT won.id, t.partner_id, t.environment,
        json_strip_nulls(json_build_object('ticketId', t.id, 'ticketRef', t.ticket_ref,
          'drawId', t.draw_id, 'lotteryId', t.lottery_id, 'lotterySlug', ${slug}::text,
          'email', t.email, 'externalUserId', t.external_user_id, 'lines', t.lines,
          'winTier', won.tier, 'winAmountCents', won.cents)) AS data,
        ${now}::timestamptz AS occurred_at
        FROM won JOIN lottery_ticket t
          ON (t.draw_id, t.ticket_no) = (${draw.id}::uuid, won.ticket_no)`,
    )}
    ), concerned AS (
      SELECT partner_id FROM done WHERE partner_id IS NOT NULL
      UNION SELECT a.partner_id FROM done JOIN lottery_account a
        ON done.partner_id IS NULL AND a.lottery_id = ${draw.lotteryId}::uuid
    )
    ${emit(
      'lottery.draw_completed',
      Prisma.sql`SELECT ${newId(now)} AS id, c.partner_id, done.environment,
        ${JSON.stringify(completed)}::json AS data, ${now}::timestamptz AS occurred_at
        FROM concerned c CROSS JOIN done`,
    )}`
}
