-- Conditions of segments on numbers and times.
ALTER TABLE "segment"
  ADD COLUMN "balance_min" BIGINT,
  ADD COLUMN "balance_max" BIGINT,
  ADD COLUMN "lifetime_points_min" BIGINT,
  ADD COLUMN "lifetime_points_max" BIGINT,
  ADD COLUMN "recent_plays_min" INTEGER,
  ADD COLUMN "recent_plays_max" INTEGER,
  ADD COLUMN "seen_from" TIMESTAMPTZ(3),
  ADD COLUMN "seen_to" TIMESTAMPTZ(3),
  ADD COLUMN "seen_days_min" INTEGER,
  ADD COLUMN "seen_days_max" INTEGER,
  ADD COLUMN "user_created_from" TIMESTAMPTZ(3),
  ADD COLUMN "user_created_to" TIMESTAMPTZ(3),
  ADD COLUMN "user_created_days_min" INTEGER,
  ADD COLUMN "user_created_days_max" INTEGER;
