-- The versions of what a partner configures. Each change of a row increments its version. Changes of a
-- row wait for each other, so no two of them make the same version.
-- UPDATE OF leaves out columns that change with every draw or ticket.
CREATE OR REPLACE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER reward_rule_versioned BEFORE UPDATE ON "reward_rule"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER game_mechanic_versioned BEFORE UPDATE ON "game_mechanic"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER campaign_versioned BEFORE UPDATE ON "campaign"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER lottery_versioned
  BEFORE UPDATE OF name, description, status, rules, ends_at, draw_delay_seconds, primary_color, logo_url ON "lottery"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER offer_rule_versioned BEFORE UPDATE ON "offer_rule"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER classification_settings_versioned BEFORE UPDATE ON "classification_settings"
  FOR EACH ROW EXECUTE FUNCTION count_version();
