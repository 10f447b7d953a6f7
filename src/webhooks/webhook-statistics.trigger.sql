-- Attempts of deliveries by endpoint and outcome, and how long they took.
CREATE OR REPLACE FUNCTION facts_of_attempt(partner_id uuid, environment "Environment", endpoint_id uuid,
  response_status integer, duration_ms integer, started_at timestamptz)
RETURNS statistic_fact[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[(partner_id, environment, 'WEBHOOK_ATTEMPTS', key, started_at, 1),
    (partner_id, environment, 'WEBHOOK_ATTEMPT_MS', key, started_at, duration_ms)]::statistic_fact[]
  FROM (SELECT ARRAY[endpoint_id::text,
    CASE WHEN response_status BETWEEN 200 AND 299 THEN 'SUCCEEDED' ELSE 'FAILED' END] AS key) k
$$;

CREATE OR REPLACE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(fact))
  FROM added a JOIN webhook_delivery d ON d.id = a.delivery_id,
    unnest(facts_of_attempt(d.partner_id, d.environment, d.endpoint_id, a.response_status, a.duration_ms,
      a.started_at)) fact;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_attempt_counted AFTER INSERT ON "webhook_attempt"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
