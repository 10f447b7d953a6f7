-- The plain ledger that awards and plays are measured against, in a separate database. It is fixed: no table, index or
-- statement of it is changed to meet a goal.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  external_id text NOT NULL,
  display_name text,
  balance bigint NOT NULL CHECK (balance >= 0),
  lifetime_points bigint NOT NULL,
  score bigint NOT NULL,
  games_played integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  UNIQUE (tenant_id, external_id)
);
-- The leaderboard.
CREATE INDEX ON users (tenant_id, score DESC, id);

CREATE TABLE ledger (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  event_type text NOT NULL,
  points integer NOT NULL,
  balance_after bigint NOT NULL,
  reference text,
  created_at timestamptz NOT NULL,
  UNIQUE (tenant_id, event_type, reference)
);
CREATE INDEX ON ledger (user_id, created_at DESC, id DESC);

CREATE TABLE timeline (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  category text NOT NULL,
  event_type text NOT NULL,
  source_id text,
  points integer NOT NULL,
  metadata json,
  occurred_at timestamptz NOT NULL
);
CREATE INDEX ON timeline (user_id, occurred_at DESC, id DESC);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  data json NOT NULL,
  occurred_at timestamptz NOT NULL
);
CREATE INDEX ON outbox (tenant_id, id);

-- Configuration: a handful of rows.
CREATE TABLE reward_rule (
  tenant_id uuid NOT NULL,
  event_type text NOT NULL,
  points integer NOT NULL,
  PRIMARY KEY (tenant_id, event_type)
);
CREATE TABLE prize (
  tenant_id uuid NOT NULL,
  place integer NOT NULL,
  tier text NOT NULL,
  points integer NOT NULL,
  cost integer NOT NULL,
  PRIMARY KEY (tenant_id, place)
);
