-- Statistics of campaigns: participants, events, wins, referrals and redemptions.
CREATE OR REPLACE FUNCTION count_participants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'CAMPAIGN_PARTICIPANTS', ARRAY[campaign_id::text], joined_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER campaign_participant_counted AFTER INSERT ON "campaign_participant"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_participants();

CREATE OR REPLACE FUNCTION count_campaign_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((partner_id, environment, 'CAMPAIGN_EVENTS', ARRAY[campaign_id::text, event_type],
    occurred_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER campaign_event_counted AFTER INSERT ON "campaign_event"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_events();

CREATE OR REPLACE FUNCTION facts_of_win(partner_id uuid, environment "Environment", campaign_id uuid, points integer,
  won_at timestamptz) RETURNS statistic_fact[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[
    (partner_id, environment, 'INSTANT_WINS', ARRAY[campaign_id::text], won_at, 1),
    (partner_id, environment, 'INSTANT_WIN_POINTS', ARRAY[campaign_id::text], won_at, points)]::statistic_fact[]
$$;

CREATE OR REPLACE FUNCTION count_wins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(fact))
  FROM added, unnest(facts_of_win(partner_id, environment, campaign_id, points, won_at)) fact;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER instant_win_counted AFTER INSERT ON "instant_win"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_wins();

CREATE OR REPLACE FUNCTION count_referrals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'REFERRALS', ARRAY[campaign_id::text], created_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER referral_counted AFTER INSERT ON "referral"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_referrals();

-- A code is redeemed once: when `redeemed_at` is set.
CREATE OR REPLACE FUNCTION count_redemptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((n.partner_id, n.environment, 'CODE_REDEMPTIONS', ARRAY[b.campaign_id::text],
    n.redeemed_at, 1)::statistic_fact))
  FROM changed n JOIN before o USING (partner_id, environment, hash) JOIN code_batch b ON b.id = n.batch_id
  WHERE o.redeemed_at IS NULL AND n.redeemed_at IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER campaign_code_counted AFTER UPDATE ON "campaign_code"
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_redemptions();
