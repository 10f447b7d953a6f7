-- The versions of what a partner configures. Each change of a row increments its version. Changes of a
-- row wait for each other, so no two of them make the same version.
-- UPDATE OF leaves out columns that change with every draw, ticket or grant.
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
CREATE OR REPLACE TRIGGER brand_versioned BEFORE UPDATE ON "brand"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER segment_versioned BEFORE UPDATE ON "segment"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER reward_versioned
  BEFORE UPDATE OF name, description, image_url, points, stock, archived_at ON "reward"
  FOR EACH ROW EXECUTE FUNCTION count_version();
-- Each change by its owner sets `updated_at`. Counting users, and the end of its time, change a goal without it.
CREATE OR REPLACE TRIGGER goal_versioned BEFORE UPDATE OF updated_at ON "goal"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER application_versioned BEFORE UPDATE ON "application"
  FOR EACH ROW EXECUTE FUNCTION count_version();
-- Each change by its owner sets `updated_at`. An endpoint that fails is disabled without it.
CREATE OR REPLACE TRIGGER webhook_endpoint_versioned BEFORE UPDATE OF updated_at ON "webhook_endpoint"
  FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE OR REPLACE TRIGGER webhook_endpoint_status_versioned BEFORE UPDATE OF status ON "webhook_endpoint"
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_version();

-- Matches and supporters change numbers of an agent without it.
CREATE OR REPLACE TRIGGER arena_agent_versioned BEFORE UPDATE OF updated_at ON "arena_agent"
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- The version of an arena game is a text of its developer, so its changes are counted in another column.
CREATE OR REPLACE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER arena_game_versioned
  BEFORE UPDATE OF name, status, build_no, entry_fee, updated_at, featured_at ON "arena_game"
  FOR EACH ROW EXECUTE FUNCTION count_revision();
