-- Facts become statistics in the transaction that writes them. Each domain says in `*-statistics.trigger.sql` which of
-- its rows are which facts, in a function that its trigger and the audit both ask.

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

-- In PL/pgSQL, which keeps the plan: a function in SQL would be planned by every statement that writes facts.
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
