-- Keeps the search terms of a user in step with the user's row.

-- The search terms of a user: the id, the e-mail address, and the name from each of its first six words on.
CREATE OR REPLACE FUNCTION user_terms(external_id text, display_name text, email text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(term, 64) COLLATE "C" FROM (
    SELECT lower(external_id) AS term UNION SELECT lower(email)
    UNION SELECT array_to_string(words[n:], ' ')
    FROM (SELECT string_to_array(lower(display_name), ' ') AS words) name,
      generate_series(1, least(cardinality(words), 6)) AS n
  ) terms WHERE term <> ''
$$;

CREATE OR REPLACE FUNCTION add_user_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_term (partner_id, environment, term, user_id)
  SELECT partner_id, environment, term, id
  FROM added, user_terms(external_id, display_name, email) AS term
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_terms_added AFTER INSERT ON "end_user"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_user_terms();

CREATE OR REPLACE FUNCTION change_user_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_term WHERE partner_id = OLD.partner_id AND environment = OLD.environment
    AND term IN (SELECT user_terms(OLD.external_id, OLD.display_name, OLD.email)) AND user_id = OLD.id;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO user_term (partner_id, environment, term, user_id)
    SELECT NEW.partner_id, NEW.environment, term, NEW.id
    FROM user_terms(NEW.external_id, NEW.display_name, NEW.email) AS term
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_terms_changed AFTER UPDATE OF "external_id", "display_name", "email" ON "end_user"
  FOR EACH ROW WHEN ((OLD.external_id, OLD.display_name, OLD.email)
    IS DISTINCT FROM (NEW.external_id, NEW.display_name, NEW.email))
  EXECUTE FUNCTION change_user_terms();

CREATE OR REPLACE TRIGGER end_user_terms_removed AFTER DELETE ON "end_user"
  FOR EACH ROW EXECUTE FUNCTION change_user_terms();
