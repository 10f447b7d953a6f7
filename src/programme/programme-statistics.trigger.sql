-- Completions of goals, grants that were issued, and the points that they paid.

-- A completion is counted each time that it is made: also again, after a reversal took it back.
CREATE OR REPLACE FUNCTION count_new_completions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'GOALS_COMPLETED', ARRAY[goal_id::text], completed_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER goal_completion_counted AFTER INSERT ON "goal_completion"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_new_completions();

CREATE OR REPLACE FUNCTION count_renewed_completions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((n.partner_id, n.environment, 'GOALS_COMPLETED', ARRAY[n.goal_id::text],
    n.completed_at, 1)::statistic_fact))
  FROM changed n JOIN before o USING (id) WHERE o.revoked_at IS NOT NULL AND n.revoked_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER goal_completion_renewed_counted AFTER UPDATE ON "goal_completion"
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_renewed_completions();

-- What is taken back lowers the points, in its own hour. A moment is null for what did not happen.
CREATE OR REPLACE FUNCTION facts_of_grant(partner_id uuid, environment "Environment", reward_id uuid,
  source_kind "GrantSource", goal_id uuid, points integer, shortfall integer, issued_at timestamptz,
  taken_back_at timestamptz) RETURNS statistic_fact[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg((partner_id, environment, metric,
    ARRAY[reward_id::text, source_kind::text, coalesce(goal_id::text, '')], at, amount)::statistic_fact)
  FROM (VALUES ('GRANTS_ISSUED', issued_at, 1), ('POINTS_GRANTED', issued_at, coalesce(points, 0)),
    ('POINTS_GRANTED', taken_back_at, shortfall - coalesce(points, 0))) f (metric, at, amount)
  WHERE at IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION count_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(fact))
  FROM changed n JOIN before o USING (id),
    unnest(facts_of_grant(n.partner_id, n.environment, n.reward_id, n.source_kind, n.goal_id, n.points, n.shortfall,
      CASE WHEN o.issued_at IS NULL THEN n.issued_at END,
      CASE WHEN o.taken_back_at IS NULL THEN n.taken_back_at END)) fact
  WHERE (n.issued_at, n.taken_back_at) IS DISTINCT FROM (o.issued_at, o.taken_back_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reward_grant_counted AFTER UPDATE ON "reward_grant"
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_grants();
