-- Counts new users.
CREATE OR REPLACE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An upsert that inserts nobody also fires the trigger.
  IF EXISTS (SELECT FROM added) THEN
    PERFORM add_to_statistics(array_agg(
      (partner_id, environment, 'NEW_USERS', '{}'::text[], created_at, 1)::statistic_fact)) FROM added;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_counted AFTER INSERT ON "end_user"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_users();
