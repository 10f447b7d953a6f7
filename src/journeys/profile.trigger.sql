-- Creates a profile for every new user.
CREATE OR REPLACE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_profile (user_id, partner_id, environment)
  SELECT id, partner_id, environment FROM added ORDER BY id ON CONFLICT (user_id) DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_profile AFTER INSERT ON "end_user"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION make_profile();
