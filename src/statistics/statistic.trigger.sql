-- Facts become statistics in the transaction that writes them. Each domain says in `*-statistics.trigger.sql` which of
-- its rows are which facts, in a function that both its trigger and the audit call.

-- The shard of the current transaction. Nobody else writes to it until the transaction ends, so that writers neither
-- wait for each other nor deadlock. With more than 64 writers at once, the others wait for the last shard.
CREATE OR REPLACE FUNCTION statistic_shard() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  last CONSTANT integer := 63;
  known text := current_setting('tessera.statistic_shard', true);
BEGIN
  IF known <> '' THEN
    RETURN known;
  END IF;
  FOR candidate IN 0 .. last LOOP
    IF candidate = last THEN
      PERFORM pg_advisory_xact_lock('statistic'::regclass::oid::integer, candidate);
    ELSIF NOT pg_try_advisory_xact_lock('statistic'::regclass::oid::integer, candidate) THEN
      CONTINUE;
    END IF;
    PERFORM set_config('tessera.statistic_shard', candidate::text, true);
    RETURN candidate;
  END LOOP;
END $$;

-- In PL/pgSQL, which caches the plan. A function in SQL would be planned again for every statement that writes facts.
CREATE OR REPLACE FUNCTION add_to_statistics(facts statistic_fact[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO statistic AS s (partner_id, environment, metric, hour, key, shard, q1, q2, q3, q4)
  SELECT partner_id, environment, metric, date_bin('1 hour', occurred_at, 'epoch'),
    array_to_string(key, E'\x1f'), shard,
    coalesce(sum(amount) FILTER (WHERE quarter = 0), 0),
    coalesce(sum(amount) FILTER (WHERE quarter = 1), 0),
    coalesce(sum(amount) FILTER (WHERE quarter = 2), 0),
    coalesce(sum(amount) FILTER (WHERE quarter = 3), 0)
  FROM (SELECT *, date_part('minute', occurred_at)::integer / 15 AS quarter FROM unnest(facts)) f,
    (SELECT statistic_shard() AS shard OFFSET 0) own
  WHERE amount <> 0
  GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (partner_id, environment, metric, hour, key, shard) DO UPDATE SET
    q1 = s.q1 + excluded.q1, q2 = s.q2 + excluded.q2, q3 = s.q3 + excluded.q3, q4 = s.q4 + excluded.q4;
END $$;

-- The sum of the facts before a moment, in a row that is packed from `starts_at` on. `sums` has the cumulative sum at
-- the end of each of the `quarters`, which are counted from 1.
CREATE OR REPLACE FUNCTION statistic_before(moment timestamptz, starts_at timestamptz, quarters smallint[], sums bigint[])
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(sums[width_bucket(
    least(greatest(ceil(date_part('epoch', moment - starts_at) / 900), 0), 96)::smallint, quarters)], 0)
$$;

-- All facts, packed by days, or by hours where they have not been moved yet.
CREATE OR REPLACE VIEW "packed_statistic" AS
SELECT partner_id, environment, metric, day AS starts_at, key, quarters, sums FROM statistic_day
UNION ALL
SELECT partner_id, environment, metric, hour, key, '{1,2,3,4}'::smallint[],
  ARRAY[q1, q1 + q2, q1 + q2 + q3, q1 + q2 + q3 + q4]
FROM statistic;

-- The sums of a metric between each of the `bounds` and the next one, by the part of the key that it is grouped by.
-- Omits sums of 0. JIT is off, because compiling takes longer than reading a year. The planner would choose it for
-- large tables, and before tables are analyzed.
CREATE OR REPLACE FUNCTION statistics_between(partner uuid, place "Environment", asked text, bounds timestamptz[],
  grouped_by integer, filtered_by integer, allowed text[])
RETURNS TABLE (starts_at timestamptz, "group" text, value bigint) LANGUAGE plpgsql STABLE ROWS 400 SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT b.begins_at, f.part, f.amount
  FROM unnest(bounds[:cardinality(bounds) - 1], bounds[2:]) b (begins_at, ends_at), LATERAL (
    SELECT CASE WHEN grouped_by = 0 THEN '' ELSE split_part(s.key, chr(31), grouped_by) END AS part,
      sum(statistic_before(b.ends_at, s.starts_at, s.quarters, s.sums)
        - statistic_before(b.begins_at, s.starts_at, s.quarters, s.sums))::bigint AS amount
    FROM packed_statistic s
    WHERE s.partner_id = partner AND s.environment = place AND s.metric = asked
      AND s.starts_at > b.begins_at - interval '1 day' AND s.starts_at < b.ends_at
      AND (filtered_by = 0 OR split_part(s.key, chr(31), filtered_by) = ANY (allowed))
    GROUP BY 1) f
  WHERE f.amount <> 0;
END $$;

-- The sums of a metric of all partners, or of one, in days, weeks or months of UTC. A day or hour is never split
-- between two of these, so each row counts whole. `place` and `only_partner` are null for all. One index scan per
-- partner.
CREATE OR REPLACE FUNCTION platform_statistics(asked text, place "Environment", only_partner uuid, unit text,
  begins_at timestamptz, ends_at timestamptz, grouped_by text)
RETURNS TABLE (starts_at timestamptz, "group" text, value bigint) LANGUAGE plpgsql STABLE ROWS 400 SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT f.bucket,
    CASE grouped_by WHEN 'PARTNER' THEN p.id::text WHEN 'ENVIRONMENT' THEN e.environment::text ELSE '' END AS part,
    sum(f.amount)::bigint
  FROM partner p, unnest(enum_range(place, place)) e (environment), LATERAL (
    SELECT date_trunc(unit, s.starts_at, 'UTC') AS bucket, sum(s.sums[cardinality(s.sums)]) AS amount
    FROM packed_statistic s
    WHERE s.partner_id = p.id AND s.environment = e.environment AND s.metric = asked
      AND s.starts_at >= begins_at AND s.starts_at < ends_at
    GROUP BY 1) f
  WHERE only_partner IS NULL OR p.id = only_partner
  GROUP BY 1, 2 HAVING sum(f.amount) <> 0;
END $$;
