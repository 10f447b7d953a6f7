-- Versions of reward rules, campaigns, lotteries and offer rules, and what an entry of the audit log calls its target.
CREATE TABLE "settings_version" (
    "id" UUID NOT NULL,
    "partner_id" UUID,
    "environment" "Environment" NOT NULL,
    "kind" TEXT NOT NULL,
    "object_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settings_version_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "settings_version_object_id_version_key" ON "settings_version"("object_id", "version");

-- What exists has its present version, without an author.
INSERT INTO "settings_version" (id, partner_id, environment, kind, object_id, version, settings, created_at)
SELECT gen_random_uuid(), partner_id, environment, kind, id, version,
  settings - '{id,partner_id,environment,version,created_at,updated_at}'::text[], updated_at
FROM (
  SELECT 'reward_rule' AS kind, id, partner_id, environment, version, updated_at, to_jsonb(r) AS settings
  FROM reward_rule r
  UNION ALL
  SELECT 'lottery', id, partner_id, environment, version, updated_at, to_jsonb(l) - '{draws,tickets}'::text[]
  FROM lottery l
  UNION ALL
  SELECT 'offer_rule', id, partner_id, environment, version, updated_at, to_jsonb(o)
  FROM offer_rule o
  UNION ALL
  SELECT 'campaign', id, partner_id, environment, version, updated_at, to_jsonb(c) || jsonb_build_object(
    'event_rules', (SELECT coalesce(jsonb_agg(jsonb_build_object('eventType', r.event_type, 'points', r.points)
        ORDER BY r.event_type), '[]')
      FROM campaign_event_rule r WHERE r.campaign_id = c.id),
    'prize_tiers', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'points', t.points, 'weight', t.weight,
        'maxWins', t.max_wins, 'rewardId', t.reward_id) ORDER BY t.position), '[]')
      FROM prize_tier t
      WHERE t.campaign_id = c.id AND c.wins_per_million IS NOT NULL))
  FROM campaign c
) settings;

ALTER TABLE "audit_entry" ADD COLUMN "target_name" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "target_version" INTEGER;

CREATE INDEX "audit_entry_partner_id_target_type_at_id_idx" ON "audit_entry"("partner_id", "target_type", "at" DESC, "id" DESC);
