-- Every event gets a delivery for each endpoint whose patterns match it.

-- The patterns that match an event: its name, its kind as `arena.*`, and `*`.
CREATE OR REPLACE FUNCTION event_patterns(event_type text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY['*', split_part(event_type, '.', 1) || '.*', event_type]
$$;

-- Writes the deliveries in the statement that writes the event, and announces both to the nodes. A `test` event is for
-- one endpoint only, which its writer names.
CREATE OR REPLACE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (partner_id, environment, endpoint_id, event_id, event_type,
    next_attempt_at, created_at)
  SELECT e.partner_id, e.environment, w.id, e.id, e.type, e.occurred_at, e.occurred_at
  FROM new_event e JOIN webhook_endpoint w USING (partner_id, environment)
  WHERE w.status = 'ACTIVE' AND w.deleted_at IS NULL AND e.type <> 'test'
    AND w.events && event_patterns(e.type);
  IF FOUND THEN
    PERFORM announce('delivery');
  END IF;
  PERFORM announce('event:' || partner_id || ':' || environment)
  FROM (SELECT DISTINCT partner_id, environment FROM new_event) t;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_announced AFTER INSERT ON "event"
  REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION announce_events();
