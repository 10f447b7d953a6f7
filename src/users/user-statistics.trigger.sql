-- Users who are new.
CREATE OR REPLACE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'NEW_USERS', '{}'::text[], created_at, 1)::statistic_fact)) FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_counted AFTER INSERT ON "end_user"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_users();
