/** Invariants of tickets and draws. */
export const lotteryInvariants: Record<string, string> = {
  'tickets are numbered without a gap in their draw, and the draw counts them': `
    SELECT d.id FROM lottery_draw d LEFT JOIN (
      SELECT draw_id, count(*) AS n, max(ticket_no) AS last,
        count(*) FILTER (WHERE cancelled_at IS NOT NULL) AS cancelled
      FROM lottery_ticket GROUP BY draw_id) t ON t.draw_id = d.id
    WHERE (d.tickets, d.tickets, d.cancelled)
      <> (coalesce(t.n, 0), coalesce(t.last, 0), coalesce(t.cancelled, 0))`,
  "a partner's tickets in a lottery are numbered without a gap": `
    SELECT a.lottery_id FROM lottery_account a FULL JOIN (
      SELECT partner_id, environment, lottery_id, count(*) AS n, max(entry_no) AS last
      FROM lottery_ticket GROUP BY 1, 2, 3) t USING (partner_id, environment, lottery_id)
    WHERE (a.entries, a.entries) IS DISTINCT FROM (t.n, t.last::bigint)`,
  'nobody holds more tickets in a draw than they may, and each is counted': `
    SELECT 1 FROM lottery_entrant e FULL JOIN (
      SELECT partner_id, environment, draw_id, coalesce(external_user_id, lower(email)) AS entrant,
        count(*) FILTER (WHERE cancelled_at IS NULL) AS n
      FROM lottery_ticket GROUP BY 1, 2, 3, 4) t USING (partner_id, environment, draw_id, entrant)
    WHERE e.tickets IS DISTINCT FROM t.n OR e.tickets > e.max_tickets`,
  'no ticket entered a draw that had closed': `
    SELECT t.id FROM lottery_ticket t JOIN lottery_draw d ON d.id = t.draw_id
    WHERE t.created_at > d.closed_at OR t.created_at >= d.closes_at AND d.closed_at IS NULL
      OR t.created_at < d.opened_at`,
  'each ticket has its event': `
    SELECT t.id FROM lottery_ticket t
    LEFT JOIN event e ON e.id = t.id AND e.type = 'lottery.entry_created'
    WHERE e.id IS NULL AND t.created_at > now() - interval '30 days'`,
  'tickets belong to the lottery and environment of their draw': `
    SELECT t.id FROM lottery_ticket t JOIN lottery_draw d ON d.id = t.draw_id
    JOIN lottery l ON l.id = d.lottery_id
    WHERE (t.lottery_id, t.environment, d.environment) <> (l.id, l.environment, l.environment)
      OR t.partner_id <> l.partner_id OR d.partner_id IS DISTINCT FROM l.partner_id`,
  'what a draw paid is the sum of its wins': `
    SELECT d.id FROM lottery_draw d LEFT JOIN (
      SELECT draw_id, sum(amount_cents) AS cents, count(*) FILTER (WHERE amount_cents IS NULL) AS open
      FROM lottery_win GROUP BY draw_id) w ON w.draw_id = d.id
    WHERE d.status = 'COMPLETED' AND (d.payout_cents <> coalesce(w.cents, 0) OR w.open > 0)
      OR d.status NOT IN ('COMPLETED', 'DRAWING') AND w.draw_id IS NOT NULL`,
  'what a draw paid is the sum of its tiers': `
    SELECT d.id FROM lottery_draw d CROSS JOIN LATERAL (
      SELECT sum((r ->> 'payoutCents')::bigint) AS cents, sum((r ->> 'winners')::int) AS winners
      FROM json_array_elements(d.results) r) r
    WHERE d.status = 'COMPLETED' AND (d.payout_cents <> r.cents
      OR r.winners <> (SELECT count(*) FROM lottery_win w WHERE w.draw_id = d.id))`,
  'no cancelled ticket won': `
    SELECT t.id FROM lottery_win w JOIN lottery_ticket t USING (draw_id, ticket_no)
    WHERE t.cancelled_at IS NOT NULL OR (t.partner_id, t.environment) <> (w.partner_id, w.environment)`,
  'each winning ticket of a complete draw is announced once': `
    SELECT 1 FROM (SELECT DISTINCT t.id AS ticket_id, d.completed_at FROM lottery_win w
      JOIN lottery_ticket t USING (draw_id, ticket_no)
      JOIN lottery_draw d ON d.id = w.draw_id AND d.status = 'COMPLETED') w
    FULL JOIN (SELECT (data ->> 'ticketId')::uuid AS ticket_id, count(*) AS n FROM event
      WHERE type = 'lottery.ticket_won' GROUP BY 1) e USING (ticket_id)
    WHERE w.completed_at IS NULL OR e.n > 1
      OR (e.n IS NULL AND w.completed_at > now() - interval '30 days')`,
  'each complete draw of a partner is announced once': `
    SELECT 1 FROM (SELECT id, completed_at FROM lottery_draw WHERE status = 'COMPLETED' AND partner_id IS NOT NULL) d
    FULL JOIN (SELECT (e.data ->> 'drawId')::uuid AS id, count(*) AS n FROM event e
      JOIN lottery_draw o ON o.id = (e.data ->> 'drawId')::uuid AND o.partner_id IS NOT NULL
      WHERE type = 'lottery.draw_completed' GROUP BY 1) e USING (id)
    WHERE d.completed_at IS NULL OR e.n > 1
      OR (e.n IS NULL AND d.completed_at > now() - interval '30 days')`,
}
