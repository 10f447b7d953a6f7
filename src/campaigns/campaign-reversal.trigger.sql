-- Reversals of points of a campaign that revokes them: its participant loses them, too. The correction says how many.
CREATE OR REPLACE FUNCTION revoke_campaign_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  revoked record;
BEGIN
  SELECT l.points, l.user_id, c.id AS campaign_id INTO revoked FROM ledger_entry l
  JOIN campaign c ON c.id = substr(l.account, 10)::uuid AND c.on_reversal = 'REVOKE'
  WHERE l.id = NEW.reverses_id AND l.account LIKE 'campaign:%';
  IF FOUND THEN
    UPDATE campaign_participant SET total_points = total_points - revoked.points
    WHERE campaign_id = revoked.campaign_id AND user_id = revoked.user_id;
    NEW.campaign_points := revoked.points;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER ledger_correction_revokes BEFORE INSERT ON "ledger_correction"
  FOR EACH ROW WHEN (NEW.reverses_id IS NOT NULL) EXECUTE FUNCTION revoke_campaign_points();
