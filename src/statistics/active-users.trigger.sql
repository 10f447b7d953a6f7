-- A user is active in a day, week or month of UTC that has a line of their timeline. A new hour of theirs is the only
-- time to look. Each user is counted once in each span, whatever arrives late or is erased.
CREATE OR REPLACE FUNCTION count_active_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts statistic_fact[];
BEGIN
  IF NOT EXISTS (SELECT FROM added) THEN
    RETURN NULL;
  END IF;
  WITH active AS (
    INSERT INTO active_user (partner_id, environment, span, since, user_id)
    SELECT DISTINCT partner_id, environment, span, date_trunc(span, hour, 'UTC'), user_id
    FROM added, unnest('{day,week,month}'::text[]) AS span ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT DO NOTHING
    RETURNING *
  )
  SELECT array_agg((partner_id, environment, 'ACTIVE_USERS', ARRAY[span], since, 1)::statistic_fact)
  INTO facts FROM active;
  PERFORM add_to_statistics(facts);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_hour_counted AFTER INSERT ON "user_hour"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_active_users();
