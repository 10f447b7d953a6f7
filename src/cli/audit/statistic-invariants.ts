/** Statistics equal the facts that they are made of. */

/** Facts by metric, as the triggers see them. */
const facts = `
  SELECT f.* FROM ledger_entry, facts_of_entry(partner_id, environment, event_type, points, created_at) f
    WHERE NOT (is_correction(account) OR is_reward_refund(account, event_type))
  UNION ALL SELECT f.* FROM ledger_entry, facts_of_correction(partner_id, environment, event_type, points, created_at) f
    WHERE is_correction(account) OR is_reward_refund(account, event_type)
  UNION ALL SELECT partner_id, environment, 'NEW_USERS', '{}', created_at, 1 FROM end_user
  UNION ALL SELECT f.* FROM play, unnest(facts_of_play(partner_id, environment, game_type, points_spent,
    reward_tier, reward_type, reward_value, played_at)) f
  UNION ALL SELECT f.* FROM play, expected_payout_of_play(partner_id, environment, game_type, mechanic_version,
    played_at) f
  UNION ALL SELECT partner_id, environment, 'CAMPAIGN_PARTICIPANTS', ARRAY[campaign_id::text], joined_at, 1
    FROM campaign_participant
  UNION ALL SELECT partner_id, environment, 'CAMPAIGN_EVENTS', ARRAY[campaign_id::text, event_type],
    occurred_at, 1 FROM campaign_event
  UNION ALL SELECT f.* FROM instant_win, unnest(facts_of_win(partner_id, environment, campaign_id, points,
    won_at)) f
  UNION ALL SELECT partner_id, environment, 'REFERRALS', ARRAY[campaign_id::text], created_at, 1 FROM referral
  UNION ALL SELECT c.partner_id, c.environment, 'CODE_REDEMPTIONS', ARRAY[b.campaign_id::text], c.redeemed_at, 1
    FROM campaign_code c JOIN code_batch b ON b.id = c.batch_id WHERE c.redeemed_at IS NOT NULL
  UNION ALL SELECT partner_id, environment, 'STAGE_CHANGES', ARRAY[upper(to_stage::text), upper(coalesce(from_stage::text, ''))],
    changed_at, 1 FROM stage_change
  UNION ALL SELECT partner_id, environment, 'OFFERS_MADE', ARRAY[upper(offer_type::text)], created_at, 1 FROM offer
  UNION ALL SELECT partner_id, environment, 'OFFERS_CLAIMED', ARRAY[upper(offer_type::text)], claimed_at, 1 FROM offer
    WHERE claimed_at IS NOT NULL
  UNION ALL SELECT partner_id, environment, 'GOALS_COMPLETED', ARRAY[goal_id::text], at, 1
    FROM goal_completion, unnest(announced_at) WITH ORDINALITY a (at, n) WHERE n % 2 = 1
  UNION ALL SELECT f.* FROM reward_grant, unnest(facts_of_grant(partner_id, environment, reward_id, source_kind,
    goal_id, points, shortfall, issued_at, taken_back_at)) f
  UNION ALL SELECT partner_id, environment, 'LOTTERY_TICKETS', ARRAY[lottery_id::text], created_at, 1
    FROM lottery_ticket
  UNION ALL SELECT w.partner_id, w.environment, 'LOTTERY_WINNINGS', ARRAY[d.lottery_id::text], d.completed_at,
    w.amount_cents FROM lottery_win w JOIN lottery_draw d ON d.id = w.draw_id WHERE d.status = 'COMPLETED'
  UNION ALL SELECT f.* FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id,
    unnest(facts_of_attempt(d.partner_id, d.environment, d.endpoint_id, a.response_status, a.duration_ms,
      a.started_at)) f
  UNION ALL SELECT DISTINCT ON (m.id, p) p, environment, 'MATCHES', ARRAY[game_type], ended_at, 1
    FROM arena_match m, unnest(ARRAY[partner1_id, partner2_id]) p WHERE status = 'COMPLETED'
  UNION ALL SELECT f.* FROM arena_session, unnest(facts_of_session(partner_id, environment, game_id, prize_pool,
    completed_at)) f WHERE status = 'COMPLETED'
  UNION ALL SELECT f.* FROM (
    SELECT DISTINCT p.user_id, p.partner_id, p.environment, unit, first_event_at, date_trunc(unit, occurred_at, 'UTC') AS at
    FROM user_activity a JOIN user_profile p USING (user_id) JOIN end_user u ON u.id = p.user_id, active_units() unit
    WHERE NOT is_correction AND external_id NOT LIKE 'erased-%') a, active_user(partner_id, environment, unit, first_event_at, at, 1) f`

export const statisticInvariants: Record<string, string> = {
  'statistics equal the facts': `
    SELECT 1 FROM (
      SELECT partner_id, environment, metric, array_to_string(key, E'\\x1f') AS key, date_bin('15 minutes', occurred_at, 'epoch') AS quarter,
        sum(amount) AS amount
      FROM (${facts}) f GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0) f
    FULL JOIN (
      SELECT partner_id, environment, metric, key, starts_at + (quarter - 1) * interval '15 minutes' AS quarter,
        sum(amount) AS amount
      FROM packed_statistic, unnest(quarters) WITH ORDINALITY q (quarter, n),
        LATERAL (SELECT sums[n] - coalesce(sums[n - 1], 0) AS amount) a
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0) s USING (partner_id, environment, metric, key, quarter)
    WHERE CASE
      -- Requests are counted in memory: there are no facts.
      WHEN metric IN ('API_REQUESTS', 'API_ERRORS') THEN false
      -- Attempts are deleted with their events and endpoints; their statistics stay.
      WHEN metric LIKE 'WEBHOOK%' THEN coalesce(f.amount, 0) > coalesce(s.amount, 0)
      -- The timeline of an erased user is deleted; that they were active is kept.
      WHEN metric LIKE 'ACTIVE_USERS%' AND EXISTS (SELECT FROM end_user u WHERE (u.partner_id, u.environment)
        = (partner_id, environment) AND external_id LIKE 'erased-%') THEN coalesce(f.amount, 0) > coalesce(s.amount, 0)
      ELSE f.amount IS DISTINCT FROM s.amount END`,
}
