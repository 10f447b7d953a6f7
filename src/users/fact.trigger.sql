-- Whether an entry of a timeline counts as the fact that is asked for. A play that won and cost points is both GAME_WON and
-- GAME_PLAYED, and its entry says GAME_WON. The points of a play are what it earned minus what it cost.

CREATE OR REPLACE FUNCTION fact_covers(fact "Fact", asked "Fact", earned integer, points integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(fact = asked OR (fact = 'GAME_WON' AND asked = 'GAME_PLAYED' AND earned > points), false)
$$;
