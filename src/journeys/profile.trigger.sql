-- Creates a profile for every new user. A statement that makes both may have made the profile already.
CREATE OR REPLACE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_profile AS p (user_id, partner_id, environment, user_created_at)
  SELECT id, partner_id, environment, created_at FROM added ORDER BY id
  ON CONFLICT (user_id) DO UPDATE SET user_created_at = excluded.user_created_at
    WHERE p.user_created_at <> excluded.user_created_at;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_profile AFTER INSERT ON "end_user"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION make_profile();
