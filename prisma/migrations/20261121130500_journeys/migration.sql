-- CreateEnum
CREATE TYPE "LifecycleStage" AS ENUM ('new', 'active', 'engaged', 'power_user', 'at_risk', 'churned');

-- CreateEnum
CREATE TYPE "EngagementTier" AS ENUM ('casual', 'regular', 'power_user', 'whale');

-- CreateEnum
CREATE TYPE "Device" AS ENUM ('mobile', 'desktop', 'tablet');

-- CreateEnum
CREATE TYPE "OfferType" AS ENUM ('welcome_free_play', 'welcome_bonus', 'win_back_play', 'return_bonus', 'retention_play', 'vip_play', 'multiplier_bonus', 'daily_free_spin');

-- CreateEnum
CREATE TYPE "OfferStatus" AS ENUM ('active', 'claimed', 'expired');

-- CreateEnum
CREATE TYPE "SegmentMove" AS ENUM ('entered', 'left');

-- AlterTable
ALTER TABLE "user_activity" ADD COLUMN     "earned" INTEGER,
ADD COLUMN     "reference" TEXT,
ADD COLUMN     "won" BOOLEAN;

-- CreateTable
CREATE TABLE "user_profile" (
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "phone" TEXT,
    "country" TEXT,
    "device" "Device",
    "source" TEXT,
    "tags" JSONB,
    "identified_at" TIMESTAMPTZ(3),
    "events" INTEGER NOT NULL DEFAULT 0,
    "plays" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "campaigns" INTEGER NOT NULL DEFAULT 0,
    "own_campaigns" INTEGER NOT NULL DEFAULT 0,
    "first_event_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3),
    "session_gaps" INTEGER NOT NULL DEFAULT 0,
    "session_gap_ms" BIGINT NOT NULL DEFAULT 0,
    "stage" "LifecycleStage",
    "tier" "EngagementTier",
    "events_until" INTEGER NOT NULL DEFAULT 1,
    "plays_until" INTEGER NOT NULL DEFAULT 1,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00',

    CONSTRAINT "user_profile_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "user_hour" (
    "user_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "plays" INTEGER NOT NULL,
    "points_earned" BIGINT NOT NULL,
    "own_plays" INTEGER NOT NULL DEFAULT 0,
    "own_points" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "user_hour_pkey" PRIMARY KEY ("user_id","hour")
);

-- CreateTable
CREATE TABLE "joined_campaign" (
    "user_id" UUID NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "is_own" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "joined_campaign_pkey" PRIMARY KEY ("user_id","campaign_id")
);

-- CreateTable
CREATE TABLE "stage_change" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "from_stage" "LifecycleStage",
    "to_stage" "LifecycleStage" NOT NULL,
    "reason" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stage_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "classification_settings" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "rules" JSON NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "classification_settings_pkey" PRIMARY KEY ("partner_id","environment")
);

-- CreateTable
CREATE TABLE "offer" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "game_type" "GameType",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "points_value" INTEGER NOT NULL,
    "credits_points" BOOLEAN NOT NULL,
    "status" "OfferStatus" NOT NULL DEFAULT 'active',
    "place" INTEGER NOT NULL,
    "metadata" JSON,
    "rule_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "offer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offer_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "stage" "LifecycleStage" NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "game_type" "GameType",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "points_value" INTEGER NOT NULL,
    "credits_points" BOOLEAN NOT NULL,
    "valid_hours" INTEGER NOT NULL,
    "cooldown_days" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "offer_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "segment" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "stage" "LifecycleStage",
    "tier" "EngagementTier",
    "tag" TEXT,
    "tag_value" TEXT,
    "country" TEXT,
    "device" "Device",
    "source" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "segment_change" (
    "id" UUID NOT NULL,
    "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "segment_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "move" "SegmentMove" NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "user_profile_partner_id_environment_stage_user_id_idx" ON "user_profile"("partner_id", "environment", "stage", "user_id");

-- CreateIndex
CREATE INDEX "user_profile_partner_id_environment_user_id_idx" ON "user_profile"("partner_id", "environment", "user_id");

-- CreateIndex
CREATE INDEX "user_profile_due_at_idx" ON "user_profile"("due_at");

-- CreateIndex
CREATE INDEX "stage_change_user_id_id_idx" ON "stage_change"("user_id", "id");

-- CreateIndex
CREATE INDEX "offer_user_id_id_idx" ON "offer"("user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "offer_rule_partner_id_environment_stage_offer_type_key" ON "offer_rule"("partner_id", "environment", "stage", "offer_type");

-- CreateIndex
CREATE UNIQUE INDEX "segment_partner_id_environment_name_key" ON "segment"("partner_id", "environment", "name");

-- CreateIndex
CREATE INDEX "segment_change_segment_id_txid_id_idx" ON "segment_change"("segment_id", "txid", "id");

-- CreateIndex
CREATE INDEX "segment_change_changed_at_idx" ON "segment_change" USING BRIN ("changed_at");

-- CreateIndex
CREATE INDEX "user_hour_hour_idx" ON "user_hour" USING BRIN ("hour");

-- AddForeignKey
ALTER TABLE "user_profile" ADD CONSTRAINT "user_profile_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stage_change" ADD CONSTRAINT "stage_change_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segment_change" ADD CONSTRAINT "segment_change_segment_id_fkey" FOREIGN KEY ("segment_id") REFERENCES "segment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segment_change" ADD CONSTRAINT "segment_change_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "user_profile" SET (fillfactor = 80);
ALTER TABLE "user_hour" SET (fillfactor = 80);
ALTER TABLE "offer"
    ADD CONSTRAINT "offer_place" CHECK ("place" BETWEEN 1 AND 3),
    ADD CONSTRAINT "offer_points_not_negative" CHECK ("points_value" >= 0),
    ADD CONSTRAINT "offer_claimed_at" CHECK (("status" = 'claimed') = ("claimed_at" IS NOT NULL));

-- A reference tracks once for its user; most lines have none.
CREATE UNIQUE INDEX "user_activity_reference" ON "user_activity" ("user_id", "reference")
  WHERE "reference" IS NOT NULL;
-- Three active offers of a user at most.
CREATE UNIQUE INDEX "offer_active_place" ON "offer" ("user_id", "place") WHERE "status" = 'active';
CREATE INDEX "offer_expiring" ON "offer" ("expires_at") WHERE "status" = 'active';
CREATE INDEX "offer_of_rule" ON "offer" ("rule_id", "user_id", "created_at") WHERE "rule_id" IS NOT NULL;
CREATE INDEX "user_profile_tags" ON "user_profile" USING GIN ("tags") WHERE "tags" IS NOT NULL;

-- The profiles of users who are there already, from their activity.
INSERT INTO "user_profile" ("user_id", "partner_id", "environment")
SELECT "id", "partner_id", "environment" FROM "end_user";
UPDATE "user_activity" SET "earned" = greatest("points", 0);
UPDATE "user_activity" a SET "won" = p."reward_value" > 0,
  "earned" = CASE WHEN p."reward_type" = 'points' THEN p."reward_value" ELSE 0 END
FROM "play" p WHERE p."id" = a."id";
INSERT INTO "user_hour" ("user_id", "hour", "partner_id", "environment", "plays", "points_earned",
  "own_plays", "own_points")
SELECT "user_id", date_bin('1 hour', "occurred_at", 'epoch'), "partner_id", "environment",
  count(*) FILTER (WHERE "category" = 'GAME_PLAY'), sum("earned"),
  count(*) FILTER (WHERE "category" = 'GAME_PLAY'), sum("earned")
FROM "user_activity" GROUP BY 1, 2, 3, 4;
UPDATE "user_profile" p SET "events" = t."events", "plays" = t."plays", "wins" = t."wins",
  "first_event_at" = t."first_at", "last_event_at" = t."last_at", "session_gaps" = t."gaps",
  "session_gap_ms" = t."gap_ms"
FROM (
  SELECT "user_id", count(*) AS "events", count(*) FILTER (WHERE "category" = 'GAME_PLAY') AS "plays",
    count(*) FILTER (WHERE "category" = 'GAME_PLAY' AND coalesce("won", "points" > 0)) AS "wins",
    min("occurred_at") AS "first_at", max("occurred_at") AS "last_at",
    count(*) FILTER (WHERE "idle" >= interval '30 minutes') AS "gaps",
    coalesce(sum(extract(epoch FROM "idle") * 1000) FILTER (WHERE "idle" >= interval '30 minutes'),
      0)::bigint AS "gap_ms"
  FROM (SELECT *, "occurred_at"
    - lag("occurred_at") OVER (PARTITION BY "user_id" ORDER BY "occurred_at") AS "idle"
    FROM "user_activity") a
  GROUP BY "user_id") t
WHERE t."user_id" = p."user_id";

-- Every user has a profile, whoever makes the user.
CREATE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_profile (user_id, partner_id, environment)
  VALUES (NEW.id, NEW.partner_id, NEW.environment) ON CONFLICT (user_id) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER end_user_profile AFTER INSERT ON "end_user"
  FOR EACH ROW EXECUTE FUNCTION make_profile();

-- Totals and hours follow each statement that writes activity, whoever writes it. Rows are locked in the
-- order of user ids, after whatever locks the writer holds on the users themselves.
CREATE FUNCTION roll_up_activity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Users whose new events do not all stand at the end of their timeline.
  late uuid[];
  joins boolean;
BEGIN
  WITH profile AS (
    INSERT INTO user_profile AS p (user_id, partner_id, environment, events, plays, wins,
      first_event_at, last_event_at)
    SELECT user_id, partner_id, environment, count(*), count(*) FILTER (WHERE category = 'GAME_PLAY'),
      count(*) FILTER (WHERE category = 'GAME_PLAY' AND coalesce(won, points > 0)),
      min(occurred_at), max(occurred_at)
    FROM added GROUP BY 1, 2, 3 ORDER BY 1
    ON CONFLICT (user_id) DO UPDATE SET
      events = p.events + excluded.events, plays = p.plays + excluded.plays,
      wins = p.wins + excluded.wins,
      first_event_at = least(p.first_event_at, excluded.first_event_at),
      last_event_at = greatest(p.last_event_at, excluded.last_event_at),
      session_gaps = CASE WHEN excluded.first_event_at - p.last_event_at >= interval '30 minutes'
        AND excluded.first_event_at = excluded.last_event_at
        THEN p.session_gaps + 1 ELSE p.session_gaps END,
      session_gap_ms = CASE WHEN excluded.first_event_at - p.last_event_at >= interval '30 minutes'
        AND excluded.first_event_at = excluded.last_event_at
        THEN p.session_gap_ms + extract(epoch FROM excluded.first_event_at - p.last_event_at) * 1000
        ELSE p.session_gap_ms END,
      due_at = CASE WHEN p.events + excluded.events >= p.events_until
          OR p.plays + excluded.plays >= p.plays_until
          OR excluded.first_event_at < p.first_event_at OR p.first_event_at IS NULL
        THEN 'epoch' ELSE p.due_at END
    RETURNING user_id, last_event_at
  ), hour AS (
    -- What the server itself wrote is counted apart, too: its lines say what they earned.
    INSERT INTO user_hour AS h (user_id, hour, partner_id, environment, plays, points_earned,
      own_plays, own_points)
    SELECT user_id, date_bin('1 hour', occurred_at, 'epoch'), partner_id, environment,
      count(*) FILTER (WHERE category = 'GAME_PLAY'), sum(coalesce(earned, greatest(points, 0))),
      count(*) FILTER (WHERE category = 'GAME_PLAY' AND earned IS NOT NULL), coalesce(sum(earned), 0)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
    ON CONFLICT (user_id, hour) DO UPDATE SET plays = h.plays + excluded.plays,
      points_earned = h.points_earned + excluded.points_earned,
      own_plays = h.own_plays + excluded.own_plays, own_points = h.own_points + excluded.own_points
  )
  SELECT array_agg(DISTINCT user_id) FILTER (WHERE occurred_at <> last_event_at),
    bool_or(category = 'CAMPAIGN' AND source_id IS NOT NULL)
  INTO late, joins FROM added JOIN profile USING (user_id);

  IF late IS NOT NULL THEN
    PERFORM fit_in_late_activity(late, ARRAY(SELECT id FROM added WHERE user_id = ANY (late)));
  END IF;
  IF joins THEN
    WITH joined AS (
      INSERT INTO joined_campaign AS c (user_id, campaign_id, partner_id, environment, is_own)
      SELECT user_id, source_id, partner_id, environment, bool_or(earned IS NOT NULL) FROM added
      WHERE category = 'CAMPAIGN' AND source_id IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (user_id, campaign_id) DO UPDATE SET is_own = true
        WHERE excluded.is_own AND NOT c.is_own
      RETURNING user_id, is_own, xmax = 0 AS is_new
    )
    UPDATE user_profile p SET campaigns = p.campaigns + j.n, own_campaigns = p.own_campaigns + j.own,
      due_at = 'epoch'
    FROM (SELECT user_id, count(*) FILTER (WHERE is_new) AS n, count(*) FILTER (WHERE is_own) AS own
      FROM joined GROUP BY user_id) j WHERE p.user_id = j.user_id;
  END IF;
  RETURN NULL;
END $$;

-- Events that arrive out of order split pauses that were counted whole. Only their neighbours are read.
CREATE FUNCTION fit_in_late_activity(users uuid[], ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH placed AS (
    SELECT a.user_id, a.id, a.occurred_at, b.occurred_at AS before_at, b.id = ANY (ids) AS before_is_new,
      n.occurred_at AS after_at, coalesce(n.id = ANY (ids), false) AS after_is_new
    FROM user_activity a
    LEFT JOIN LATERAL (
      SELECT id, occurred_at FROM user_activity x
      WHERE x.user_id = a.user_id AND (x.occurred_at, x.id) < (a.occurred_at, a.id)
      ORDER BY occurred_at DESC, id DESC LIMIT 1) b ON true
    LEFT JOIN LATERAL (
      SELECT id, occurred_at FROM user_activity x
      WHERE x.user_id = a.user_id AND (x.occurred_at, x.id) > (a.occurred_at, a.id)
      ORDER BY occurred_at, id LIMIT 1) n ON true
    WHERE a.id = ANY (ids)
  ), run AS (
    -- New events between the same two old ones.
    SELECT *, count(*) FILTER (WHERE before_is_new IS NOT TRUE)
      OVER (PARTITION BY user_id ORDER BY occurred_at, id) AS nth
    FROM placed
  ), pause AS (
    SELECT user_id, 1 AS sign, occurred_at - before_at AS idle FROM run
    UNION ALL SELECT user_id, 1, after_at - occurred_at FROM run WHERE NOT after_is_new
    UNION ALL SELECT user_id, -1, max(after_at) - min(before_at) FROM run
      GROUP BY user_id, nth
      HAVING count(before_at) = count(*) AND count(after_at) = count(*)
  )
  UPDATE user_profile p SET session_gaps = p.session_gaps + d.gaps,
    session_gap_ms = p.session_gap_ms + d.gap_ms
  FROM (SELECT user_id, sum(sign) AS gaps, sum(sign * extract(epoch FROM idle) * 1000)::bigint AS gap_ms
    FROM pause WHERE idle >= interval '30 minutes' GROUP BY user_id) d
  WHERE p.user_id = d.user_id AND p.user_id = ANY (users)
$$;

CREATE TRIGGER user_activity_rolled_up AFTER INSERT ON "user_activity"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_activity();

-- After commit, whoever listens to a segment is told to look.
CREATE FUNCTION announce_segment_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tessera', 'segment:' || segment_id)
  FROM (SELECT DISTINCT segment_id FROM moved) m;
  RETURN NULL;
END $$;

CREATE TRIGGER segment_change_announced AFTER INSERT ON "segment_change"
  REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION announce_segment_changes();
