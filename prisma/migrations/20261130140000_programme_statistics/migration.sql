-- A grant names the goal that it is for.
ALTER TABLE "reward_grant" ADD COLUMN "goal_id" UUID;
UPDATE "reward_grant" g SET "goal_id" = c."goal_id" FROM "goal_completion" c
WHERE g."source_kind" = 'GOAL' AND g."source_id" = c."id"::text;

-- Completions, grants and their points become statistics. Triggers count them from now on; this counts those that exist.
INSERT INTO "statistic" AS s ("partner_id", "environment", "metric", "hour", "key", "shard", "q1", "q2", "q3", "q4")
SELECT partner_id, environment, metric, date_bin('1 hour', at, 'epoch'), array_to_string(key, E'\x1f'), 0,
  coalesce(sum(amount) FILTER (WHERE quarter = 0), 0), coalesce(sum(amount) FILTER (WHERE quarter = 1), 0),
  coalesce(sum(amount) FILTER (WHERE quarter = 2), 0), coalesce(sum(amount) FILTER (WHERE quarter = 3), 0)
FROM (
  SELECT f.*, date_part('minute', at)::integer / 15 AS quarter FROM (
    SELECT partner_id, environment, 'GOALS_COMPLETED' AS metric, ARRAY[goal_id::text] AS key, at, 1 AS amount
    FROM "goal_completion", unnest(announced_at) WITH ORDINALITY a (at, n) WHERE n % 2 = 1
    UNION ALL
    SELECT g.partner_id, g.environment, v.metric,
      ARRAY[g.reward_id::text, g.source_kind::text, coalesce(g.goal_id::text, '')], v.at, v.amount
    FROM "reward_grant" g,
      LATERAL (VALUES ('GRANTS_ISSUED', g.issued_at, 1), ('POINTS_GRANTED', g.issued_at, coalesce(g.points, 0)),
        ('POINTS_GRANTED', g.taken_back_at, g.shortfall - coalesce(g.points, 0))) v (metric, at, amount)
    WHERE v.at IS NOT NULL AND v.amount <> 0) f) q
GROUP BY 1, 2, 3, 4, 5;
