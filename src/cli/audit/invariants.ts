/** Invariants of the data, each as a query that finds violations. */
import type pg from 'pg'
import { flowInvariants, matchInvariants } from './arena-invariants.ts'
import { correctionInvariants } from './correction-invariants.ts'
import { factInvariants } from './fact-invariants.ts'
import { goalInvariants } from './goal-invariants.ts'
import { lotteryInvariants } from './lottery-invariants.ts'
import { programmeInvariants } from './programme-invariants.ts'
import { statisticInvariants } from './statistic-invariants.ts'
import { timeZoneInvariants } from './time-zone-invariants.ts'

export const invariants: Record<string, string> = {
  "a user's balance is the sum of their ledger entries": `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, sum(points) AS points FROM ledger_entry GROUP BY user_id) l ON l.user_id = u.id
    WHERE u.balance <> coalesce(l.points, 0)`,
  'users are searched by what they are called': `
    SELECT 1 FROM (SELECT id, term FROM end_user, user_terms(external_id, display_name, email) AS term) u
    FULL JOIN user_term t ON (t.user_id, t.term) = (u.id, u.term)
    WHERE u.id IS NULL OR t.user_id IS NULL`,
  'each ledger entry, activity and play belongs to a user': `
    SELECT id FROM (SELECT id, user_id FROM ledger_entry UNION ALL SELECT id, user_id FROM user_activity
      UNION ALL SELECT id, user_id FROM play) r
    WHERE NOT EXISTS (SELECT FROM end_user u WHERE u.id = r.user_id)`,
  'no balance is negative': 'SELECT id FROM end_user WHERE balance < 0',
  'ledger entries are numbered without a gap': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, count(*) AS n, max(entry_no) AS last FROM ledger_entry GROUP BY user_id) l
      ON l.user_id = u.id
    WHERE (u.entries, u.entries) <> (coalesce(l.n, 0), coalesce(l.last, 0))`,
  'each ledger entry continues the balance of the one before': `
    SELECT id FROM (
      SELECT id, points, balance_after,
        lag(balance_after, 1, 0) OVER (PARTITION BY user_id ORDER BY entry_no) AS before
      FROM ledger_entry) l
    WHERE balance_after <> before + points`,
  'lifetime points are the sum of what was earned': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, sum(points) AS points FROM ledger_entry
      WHERE CASE WHEN account IN ('reversals', 'shortfalls') OR is_reward_refund(account, event_type) THEN points < 0
        ELSE points > 0 AND (account = 'issuance' OR event_type NOT LIKE '%\\_refund') END
      GROUP BY user_id) l ON l.user_id = u.id
    WHERE u.lifetime_points <> coalesce(l.points, 0)`,
  'play counters are counts of plays': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, count(*) AS n, count(*) FILTER (WHERE reward_value > 0) AS won, max(play_no) AS last
      FROM play GROUP BY user_id) p ON p.user_id = u.id
    WHERE (u.games_played, u.games_played, u.rewards_won)
      <> (coalesce(p.n, 0), coalesce(p.last, 0), coalesce(p.won, 0))`,
  'each play has its spend entry': `
    SELECT p.id FROM play p LEFT JOIN ledger_entry l ON l.id = p.id
      AND l.user_id = p.user_id AND l.event_type = 'game_play' AND l.points = -p.points_spent
    WHERE l.id IS NULL`,
  'each spend entry has its play': `
    SELECT l.id FROM ledger_entry l LEFT JOIN play p ON p.id = l.id
    WHERE l.account = 'games' AND l.event_type = 'game_play' AND p.id IS NULL`,
  'a play has a reward entry exactly when it won points': `
    SELECT p.id FROM play p FULL JOIN (
      SELECT source_id::uuid AS play_id, points FROM ledger_entry
      WHERE account = 'games' AND event_type = 'game_reward') r ON r.play_id = p.id
    WHERE r.points IS DISTINCT FROM
      (CASE WHEN p.reward_type = 'points' AND p.reward_value > 0 THEN p.reward_value END)`,
  'a play costs what its version of the game says, unless it is free, and wins what it says': `
    SELECT p.id FROM play p
    LEFT JOIN game_mechanic m USING (partner_id, environment, game_type)
    LEFT JOIN game_mechanic_version v ON (v.mechanic_id, v.version) = (m.id, p.mechanic_version)
    WHERE CASE WHEN p.grant_id IS NULL THEN v.points_to_unlock ELSE 0 END IS DISTINCT FROM p.points_spent
      OR NOT EXISTS (SELECT FROM json_to_recordset(v.rewards)
        AS r (tier "RewardTier", type "RewardType", value int, label text)
        WHERE (r.tier, r.type, r.value, r.label)
          = (p.reward_tier, p.reward_type, p.reward_value, p.reward_label))`,
  'the seeds of plays are those that their user has had, in their order': `
    SELECT p.id FROM (
      SELECT id, user_id, seed_no, max(seed_no) OVER (PARTITION BY user_id ORDER BY play_no) AS newest FROM play) p
    JOIN end_user u ON u.id = p.user_id
    WHERE p.seed_no < 1 OR p.seed_no < p.newest OR p.seed_no > u.seed_no`,
  'each seed that was played with and replaced is kept': `
    SELECT user_id FROM (
      SELECT DISTINCT p.user_id, p.seed_no FROM play p JOIN end_user u ON u.id = p.user_id
      WHERE p.seed_no < u.seed_no) p
    FULL JOIN play_seed s USING (user_id, seed_no)
    WHERE s.user_id IS NULL OR p.user_id IS NULL OR (s.is_erased AND s.client_seed IS NOT NULL)`,
  'the newest version of a game is the game': `
    SELECT m.id FROM game_mechanic m
    LEFT JOIN game_mechanic_version v ON (v.mechanic_id, v.version) = (m.id, m.version)
    WHERE (v.name, v.description, v.points_to_unlock, v.image_url, v.status, v.segments, v.rewards::text)
      IS DISTINCT FROM (m.name, m.description, m.points_to_unlock, m.image_url, m.status, m.segments,
        m.rewards::text)`,
  'each play has its event': `
    SELECT p.id FROM play p LEFT JOIN event e ON e.id = p.id AND e.type = 'game.played'
    WHERE e.id IS NULL AND p.played_at > now() - interval '30 days'`,
  'each award has its event': `
    SELECT l.id FROM ledger_entry l LEFT JOIN event e ON e.id = l.id AND e.type = 'points.awarded'
    WHERE l.account = 'issuance' AND e.id IS NULL AND l.created_at > now() - interval '30 days'`,
  'each event has what it announces': `
    SELECT e.id FROM event e
    LEFT JOIN play p ON p.id = e.id LEFT JOIN ledger_entry l ON l.id = e.id
    WHERE (e.type = 'game.played' AND p.id IS NULL) OR (e.type = 'points.awarded' AND l.id IS NULL)`,
  'readers of the feed get to every event and segment change': `
    SELECT r.id FROM (
      SELECT id, position FROM event UNION ALL SELECT id, position FROM segment_change) r, feed_position p
    WHERE r.position > p.last_value
    UNION ALL
    SELECT (array_agg(id))[1] FROM (
      SELECT id, position, partner_id, environment FROM event
      UNION ALL SELECT id, position, partner_id, environment FROM segment_change) r
    GROUP BY partner_id, environment, position HAVING count(*) > 1`,
  'a delivery that has ended says how': `
    SELECT d.id FROM webhook_delivery d WHERE (d.status = 'PENDING') <> (d.finished_at IS NULL)`,
  'each delivered event has an attempt that succeeded': `
    SELECT d.id FROM webhook_delivery d WHERE d.status = 'DELIVERED' AND NOT EXISTS (
      SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.response_status BETWEEN 200 AND 299)`,
  'a delivery counts its attempts, which are numbered without a gap': `
    SELECT d.id FROM webhook_delivery d LEFT JOIN (
      SELECT delivery_id, count(*) AS n, max(number) AS last FROM webhook_attempt GROUP BY 1) a
      ON a.delivery_id = d.id
    WHERE (d.attempts, d.attempts) <> (coalesce(a.n, 0), coalesce(a.last, 0))`,
  'a delivery belongs to the partner and environment of its endpoint and of its event': `
    SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id
    LEFT JOIN event e ON e.id = d.event_id
    WHERE (d.partner_id, d.environment) <> (w.partner_id, w.environment)
      OR (d.partner_id, d.environment, d.event_type) <> (e.partner_id, e.environment, e.type)`,
  'each play and award is on the timeline': `
    SELECT id FROM (SELECT id FROM play UNION
      SELECT id FROM ledger_entry WHERE account = 'issuance') f
    WHERE NOT EXISTS (SELECT FROM user_activity a WHERE a.id = f.id)`,
  "an account's balance is the sum of its entries, which are numbered without a gap": `
    SELECT a.name FROM point_account a LEFT JOIN (
      SELECT holder, sum(points) AS points, count(*) AS n, max(entry_no) AS last FROM account_entry
      GROUP BY holder) e ON e.holder = a.name
    WHERE (a.balance, a.entries, a.entries)
      <> (coalesce(e.points, 0), coalesce(e.n, 0), coalesce(e.last, 0))`,
  'each entry of an account continues the balance of the one before': `
    SELECT id FROM (
      SELECT id, points, balance_after,
        lag(balance_after, 1, 0) OVER (PARTITION BY holder ORDER BY entry_no) AS before
      FROM account_entry) e
    WHERE balance_after <> before + points`,
  "a session's entries add up to its prize pool, and to zero once it is settled": `
    SELECT s.id FROM arena_session s LEFT JOIN (
      SELECT account, sum(points) AS points FROM (
        SELECT account, points FROM ledger_entry WHERE account LIKE 'session:%' UNION ALL
        SELECT account, points FROM account_entry WHERE account LIKE 'session:%') e
      GROUP BY account) e ON e.account = 'session:' || s.id
    WHERE -coalesce(e.points, 0)
      <> CASE WHEN s.status IN ('WAITING', 'IN_PROGRESS') THEN s.prize_pool ELSE 0 END`,
  'entries of a session have their session': `
    SELECT e.account FROM (
      SELECT account FROM ledger_entry WHERE account LIKE 'session:%' UNION
      SELECT account FROM account_entry WHERE account LIKE 'session:%') e
    LEFT JOIN arena_session s ON e.account = 'session:' || s.id WHERE s.id IS NULL`,
  'a completed session has paid its winner and its developer once, and others nobody': `
    SELECT s.id FROM arena_session s
    LEFT JOIN (SELECT account, count(*) AS n, sum(points) AS points FROM ledger_entry
      WHERE account LIKE 'session:%' AND event_type = 'session_prize' GROUP BY account) w
      ON w.account = 'session:' || s.id
    LEFT JOIN (SELECT account, count(*) AS n, sum(points) AS points FROM account_entry
      WHERE account LIKE 'session:%' GROUP BY account) d ON d.account = 'session:' || s.id
    WHERE coalesce(w.n, 0) > 1 OR coalesce(d.n, 0) > 1
      OR coalesce(w.points, 0) <> coalesce(s.winner_prize, 0)
      OR coalesce(d.points, 0) <> coalesce(s.developer_share, 0)`,
  'the players of a session are as many as it says, and one of them has won it': `
    SELECT s.id FROM arena_session s LEFT JOIN (
      SELECT session_id, count(*) AS n, max(slot) AS last, count(*) FILTER (WHERE is_winner) AS winners,
        max(id::text) FILTER (WHERE is_winner) AS winner FROM arena_player GROUP BY session_id) p
      ON p.session_id = s.id
    WHERE coalesce(p.n, 0) <> s.current_players OR coalesce(p.last, 0) > s.max_players
      OR coalesce(p.winners, 0) <> CASE WHEN s.status = 'COMPLETED' THEN 1 ELSE 0 END
      OR p.winner IS DISTINCT FROM s.winner_id::text`,
  'each partner concerned by a completed session has one event of it': `
    SELECT s.id FROM (
      SELECT s.id, s.completed_at, g.partner_id FROM arena_session s
      JOIN arena_game g ON g.id = s.game_id WHERE s.status = 'COMPLETED' UNION
      SELECT s.id, s.completed_at, p.partner_id FROM arena_session s
      JOIN arena_player p ON p.session_id = s.id WHERE s.status = 'COMPLETED') s
    FULL JOIN (SELECT (data->>'sessionId')::uuid AS id, partner_id, count(*) AS n FROM event
      WHERE type = 'arena.session_completed' GROUP BY 1, 2) e USING (id, partner_id)
    WHERE e.n > 1 OR s.completed_at IS NULL
      OR (e.n IS NULL AND s.completed_at > now() - interval '30 days')`,
  'statistics of a game follow from its sessions': `
    SELECT g.id FROM arena_game g LEFT JOIN (
      SELECT game_id, count(*) AS n, sum(current_players) AS players, sum(developer_share) AS earned
      FROM arena_session WHERE status = 'COMPLETED' GROUP BY game_id) s ON s.game_id = g.id
    WHERE (g.total_sessions, g.total_players, g.total_earnings)
      <> (coalesce(s.n, 0), coalesce(s.players, 0), coalesce(s.earned, 0))`,
  'counters of sessions are counts of sessions': `
    SELECT 1 FROM (SELECT 'arena_sessions:' || game_id || ':' || status AS name, count(*) AS n
      FROM arena_session GROUP BY 1) s
    FULL JOIN (SELECT name, sum(value) AS n FROM counter
      WHERE name LIKE 'arena\\_sessions:%' GROUP BY 1) c USING (name)
    WHERE coalesce(s.n, 0) <> coalesce(c.n, 0)`,
  'what an approved game serves is its last approved build': `
    SELECT g.id FROM arena_game g LEFT JOIN LATERAL (
      SELECT build_url FROM arena_build b WHERE b.game_id = g.id AND b.verdict = 'APPROVED'
      ORDER BY build_no DESC LIMIT 1) b ON true
    WHERE g.serving_build_url IS NOT NULL AND g.serving_build_url IS DISTINCT FROM b.build_url`,
  'rows belong to the partner and environment of their user': `
    SELECT x.id FROM (
      SELECT id, user_id, partner_id, environment FROM ledger_entry UNION ALL
      SELECT id, user_id, partner_id, environment FROM play UNION ALL
      SELECT id, user_id, partner_id, environment FROM campaign_participant UNION ALL
      SELECT id, user_id, partner_id, environment FROM campaign_event UNION ALL
      SELECT id, user_id, partner_id, environment FROM instant_win UNION ALL
      SELECT id, user_id, partner_id, environment FROM arena_player UNION ALL
      SELECT id, user_id, partner_id, environment FROM offer UNION ALL
      SELECT id, user_id, partner_id, environment FROM stage_change UNION ALL
      SELECT id, user_id, partner_id, environment FROM segment_change UNION ALL
      SELECT user_id, user_id, partner_id, environment FROM user_hour UNION ALL
      SELECT user_id, user_id, partner_id, environment FROM joined_campaign UNION ALL
      SELECT id, user_id, partner_id, environment FROM user_activity) x
    JOIN end_user u ON u.id = x.user_id
    WHERE (x.partner_id, x.environment) <> (u.partner_id, u.environment)`,
  'a prize tier has as many wins as were won, and never more than its stock': `
    SELECT t.id FROM prize_tier t LEFT JOIN (
      SELECT tier_id, count(*) AS n FROM instant_win GROUP BY tier_id) w ON w.tier_id = t.id
    WHERE t.wins <> coalesce(w.n, 0) OR t.wins > t.max_wins`,
  'plays of a participant are numbered without a gap, up to the limit of their moment': `
    SELECT p.id FROM campaign_participant p LEFT JOIN (
      SELECT campaign_id, user_id, count(*) AS n, max(play_no) AS last FROM campaign_event
      GROUP BY 1, 2) e USING (campaign_id, user_id)
    WHERE (p.plays, p.plays) <> (coalesce(e.n, 0), coalesce(e.last, 0))
    UNION ALL SELECT id FROM campaign_event WHERE play_no > play_limit`,
  'each win has its play and its event': `
    SELECT w.id FROM instant_win w
    LEFT JOIN campaign_event c ON c.id = w.id AND c.user_id = w.user_id AND c.drawn
    LEFT JOIN event e ON e.id = w.id AND e.type = 'campaign.instant_win_won'
    WHERE c.id IS NULL OR (e.id IS NULL AND w.won_at > now() - interval '30 days')`,
  "a participant's counts are counts of wins and referrals": `
    SELECT p.id FROM campaign_participant p LEFT JOIN (
      SELECT campaign_id, user_id, count(*) AS n FROM instant_win GROUP BY 1, 2) w
      USING (campaign_id, user_id)
    LEFT JOIN (
      SELECT campaign_id, referrer_id AS user_id, count(*) AS n, sum(referrer_reward) AS rewards
      FROM referral GROUP BY 1, 2) r USING (campaign_id, user_id)
    WHERE (p.wins, p.referral_count, p.referral_rewards)
      <> (coalesce(w.n, 0), coalesce(r.n, 0), coalesce(r.rewards, 0))`,
  "a participant's total is what they have earned, without what was revoked": `
    SELECT p.id FROM campaign_participant p LEFT JOIN (
      SELECT campaign_id, user_id, sum(points) AS points FROM (
        SELECT campaign_id, user_id, points FROM campaign_event UNION ALL
        SELECT campaign_id, referrer_id, referrer_reward FROM referral UNION ALL
        SELECT campaign_id, referee_id, referee_reward FROM referral UNION ALL
        SELECT campaign_id, user_id, points FROM instant_win WHERE redeemed_at IS NOT NULL UNION ALL
        SELECT b.campaign_id, c.user_id, b.points_value FROM campaign_code c
          JOIN code_batch b ON b.id = c.batch_id WHERE c.redeemed_at IS NOT NULL UNION ALL
        SELECT substr(l.account, 10)::uuid, l.user_id, -k.campaign_points FROM ledger_correction k
          JOIN ledger_entry l ON l.id = k.reverses_id WHERE k.campaign_points > 0) x
      GROUP BY 1, 2) e USING (campaign_id, user_id)
    WHERE p.total_points <> coalesce(e.points, 0)`,
  'a batch has as many codes as it says, and as many redeemed and revoked ones': `
    SELECT b.id FROM code_batch b LEFT JOIN (
      SELECT batch_id, count(*) AS n, count(redeemed_at) AS redeemed, count(revoked_at) AS revoked
        FROM campaign_code
      GROUP BY batch_id) c ON c.batch_id = b.id
    WHERE (b.batch_size, b.redeemed, b.revoked) IS DISTINCT FROM (c.n, c.redeemed, c.revoked)`,
  'each redeemed code has its event, and each such event its code': `
    SELECT 1 FROM (SELECT redemption_id AS id, redeemed_at FROM campaign_code WHERE redeemed_at IS NOT NULL) c
    FULL JOIN (SELECT id, true AS is_there FROM event WHERE type = 'campaign.code_redeemed') e USING (id)
    WHERE c.redeemed_at IS NULL OR (e.is_there IS NULL AND c.redeemed_at > now() - interval '30 days')`,
  'each referral has its event, and each such event its referral': `
    SELECT 1 FROM referral r
    FULL JOIN (SELECT id, true AS is_there FROM event WHERE type = 'campaign.referral_completed') e USING (id)
    WHERE r.created_at IS NULL OR (e.is_there IS NULL AND r.created_at > now() - interval '30 days')`,
  'a redemption is paid once: ledger entries of campaigns have one source each': `
    SELECT user_id, source_id FROM ledger_entry WHERE account LIKE 'campaign:%'
    GROUP BY 1, 2 HAVING count(*) > 1`,
  'what happens in campaigns is on the timeline': `
    SELECT id FROM (SELECT id FROM campaign_event UNION ALL SELECT id FROM referral UNION ALL
      SELECT redemption_id FROM instant_win WHERE redeemed_at IS NOT NULL UNION ALL
      SELECT redemption_id FROM campaign_code WHERE redeemed_at IS NOT NULL) f
    WHERE NOT EXISTS (SELECT FROM user_activity a WHERE a.id = f.id AND a.category = 'CAMPAIGN')`,
  'campaign counters are counts': `
    SELECT c.name, c.n FROM (
      SELECT name, sum(value) AS n FROM counter WHERE name LIKE 'campaign %' GROUP BY name) c
    FULL JOIN (
      SELECT 'campaign ' || campaign_id || ' participants' AS name, count(*) AS n
      FROM campaign_participant GROUP BY campaign_id UNION ALL
      SELECT 'campaign ' || campaign_id || ' draws', count(*) FROM campaign_event WHERE drawn
      GROUP BY campaign_id) k USING (name)
    WHERE c.n IS DISTINCT FROM k.n`,
  'rows of a campaign belong to its partner and environment': `
    SELECT x.id FROM (
      SELECT id, campaign_id, partner_id, environment FROM campaign_event_rule UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM prize_tier UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM campaign_participant UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM campaign_event UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM instant_win UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM referral UNION ALL
      SELECT id, campaign_id, partner_id, environment FROM code_batch UNION ALL
      SELECT b.id, b.campaign_id, c.partner_id, c.environment
        FROM campaign_code c JOIN code_batch b ON b.id = c.batch_id) x
    JOIN campaign c ON c.id = x.campaign_id
    WHERE (x.partner_id, x.environment) <> (c.partner_id, c.environment)`,
  'each user has a profile of the same partner, environment and time of creation': `
    SELECT u.id FROM end_user u LEFT JOIN user_profile p ON p.user_id = u.id
    WHERE (p.partner_id, p.environment, p.user_created_at)
      IS DISTINCT FROM (u.partner_id, u.environment, u.created_at)`,
  "a profile's totals are those of its timeline": `
    SELECT p.user_id FROM user_profile p LEFT JOIN (
      SELECT user_id, count(*) AS events, count(*) FILTER (WHERE counts_as_play(category)) AS plays,
        count(*) FILTER (WHERE counts_as_win(category, won, points)) AS wins,
        count(DISTINCT source_id) FILTER (WHERE counts_as_joining(category, source_id)) AS campaigns,
        count(DISTINCT source_id) FILTER (WHERE counts_as_joining(category, source_id)
          AND is_own_activity(earned)) AS own_campaigns,
        min(occurred_at) AS first_at, max(occurred_at) AS last_at,
        count(*) FILTER (WHERE ends_session(pause)) AS gaps,
        coalesce(sum(extract(epoch FROM pause) * 1000) FILTER (WHERE ends_session(pause)), 0)
          AS gap_ms
      FROM (SELECT *, occurred_at - lag(occurred_at) OVER (PARTITION BY user_id ORDER BY occurred_at)
        AS pause FROM user_activity WHERE NOT is_correction) a GROUP BY user_id) t USING (user_id)
    WHERE (p.events, p.plays, p.wins, p.campaigns, p.own_campaigns, p.session_gaps, p.session_gap_ms)
        <> (coalesce(t.events, 0), coalesce(t.plays, 0), coalesce(t.wins, 0),
          coalesce(t.campaigns, 0), coalesce(t.own_campaigns, 0), coalesce(t.gaps, 0),
          coalesce(t.gap_ms, 0))
      OR (p.first_event_at, p.last_event_at) IS DISTINCT FROM (t.first_at, t.last_at)`,
  "a user's last 30 days are the hours of the timeline": `
    SELECT 1 FROM (SELECT * FROM user_hour WHERE hour > now() - interval '30 days') h FULL JOIN (
      SELECT user_id, hour_of_activity(occurred_at) AS hour,
        count(*) FILTER (WHERE counts_as_play(category)) AS plays,
        sum(points_earned_by(earned, points)) AS points_earned,
        count(*) FILTER (WHERE counts_as_play(category) AND is_own_activity(earned)) AS own_plays,
        coalesce(sum(earned), 0) AS own_points
      FROM user_activity WHERE NOT is_correction GROUP BY 1, 2
      HAVING hour_of_activity(min(occurred_at)) > now() - interval '30 days') t
      USING (user_id, hour)
    WHERE (h.plays, h.points_earned, h.own_plays, h.own_points)
      IS DISTINCT FROM (t.plays, t.points_earned, t.own_plays, t.own_points)`,
  'a line of a timeline says what it earned only where the server itself wrote it': `
    SELECT a.id FROM user_activity a WHERE a.earned IS NOT NULL AND (a.reference IS NOT NULL
      OR (a.category = 'GAME_PLAY' AND NOT EXISTS (SELECT FROM play p WHERE p.id = a.id)))`,
  'the stage of a profile is the last of its history': `
    SELECT p.user_id FROM user_profile p LEFT JOIN LATERAL (
      SELECT to_stage FROM stage_change c WHERE c.user_id = p.user_id ORDER BY id DESC LIMIT 1) c ON true
    WHERE p.stage IS DISTINCT FROM c.to_stage`,
  'each change of stage but the first has its event': `
    SELECT c.id FROM stage_change c LEFT JOIN event e
      ON e.id = c.id AND e.type = 'journey.stage_changed'
    WHERE CASE WHEN c.from_stage IS NULL THEN e.id IS NOT NULL
      ELSE e.id IS NULL AND c.changed_at > now() - interval '30 days' END`,
  'each claimed offer is on the timeline once and has its event': `
    SELECT o.id FROM offer o WHERE (o.status = 'claimed')::int
      <> (SELECT count(*) FROM user_activity a
        LEFT JOIN event e ON e.id = a.id AND e.type = 'journey.offer_claimed'
        WHERE a.user_id = o.user_id AND a.event_type = 'offer_claimed' AND a.source_id = o.id::text
          AND a.points = o.points_value
          AND (e.id IS NOT NULL OR o.claimed_at <= now() - interval '30 days'))`,
  'a cancelled offer says when, and no other does': `
    SELECT id FROM offer WHERE (status = 'cancelled') <> (cancelled_at IS NOT NULL)`,
  'a claimed offer is credited once, when it says so': `
    SELECT 1 FROM offer o FULL JOIN (
      SELECT source_id::uuid AS id, user_id, count(*) AS n, sum(points) AS points
      FROM ledger_entry WHERE account = 'offers' GROUP BY 1, 2) l USING (id, user_id)
    WHERE coalesce(l.points, 0) <> (CASE WHEN o.status = 'claimed' AND o.credits_points
      THEN o.points_value ELSE 0 END) OR o.offer_type IS NULL OR l.n > 1`,
  ...correctionInvariants,
  ...factInvariants,
  ...flowInvariants,
  ...statisticInvariants,
  ...matchInvariants,
  ...lotteryInvariants,
  ...timeZoneInvariants,
  ...programmeInvariants,
  ...goalInvariants,
  'the counter of users is the number of users': `
    SELECT 1 FROM (SELECT partner_id, environment, count(*) AS n FROM end_user GROUP BY 1, 2) u
    FULL JOIN (SELECT partner_id, environment, sum(value) AS n FROM counter
      WHERE name = 'users' GROUP BY 1, 2) c USING (partner_id, environment)
    WHERE u.n IS DISTINCT FROM c.n`,
}

/** Checks all invariants and returns the number of violated ones. `report` is called with each result. */
export const audit = async (
  pool: pg.Pool | pg.ClientBase,
  report: (name: string, count: number) => void = () => {},
): Promise<number> => {
  let broken = 0
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await pool.query({ text: `SELECT count(*)::int AS n FROM (${query}) broken` })
    const count = rows[0].n as number
    report(name, count)
    if (count > 0) broken++
  }
  return broken
}
