-- Moves between stages, and offers that were made and claimed.
CREATE OR REPLACE FUNCTION count_stage_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((partner_id, environment, 'STAGE_CHANGES',
    ARRAY[upper(to_stage::text), upper(coalesce(from_stage::text, ''))], changed_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stage_change_counted AFTER INSERT ON "stage_change"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_stage_changes();

CREATE OR REPLACE FUNCTION count_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'OFFERS_MADE', ARRAY[upper(offer_type::text)], created_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER offer_counted AFTER INSERT ON "offer"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_offers();

CREATE OR REPLACE FUNCTION count_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((n.partner_id, n.environment, 'OFFERS_CLAIMED', ARRAY[upper(n.offer_type::text)],
    n.claimed_at, 1)::statistic_fact))
  FROM changed n JOIN before o USING (id) WHERE o.claimed_at IS NULL AND n.claimed_at IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER offer_claim_counted AFTER UPDATE ON "offer"
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_claims();
