/** Statements that classify users. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { Tenant } from '../kit/tenant.ts'
import { stageChanged } from './journey.events.ts'
import { recordSegmentMoves } from './segment.sql.ts'

/** Users who are due by activity or time, the longest due first. */
export const findDueUsers = statement(
  'due_users',
  returns({ userId: 'uuid' }),
  (now: Date, limit: number) => Prisma.sql`
    SELECT user_id AS "userId" FROM user_profile WHERE due_at <= ${now}::timestamptz
    ORDER BY due_at LIMIT ${limit}::int`,
)

const classificationRows = inputRows({
  userId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  // The state that was read. The result is written only if it has not changed.
  readEvents: 'int',
  readCampaigns: 'int',
  readDue: 'timestamptz',
  readStage: 'LifecycleStage?',
  id: 'uuid',
  stage: 'LifecycleStage',
  tier: 'EngagementTier',
  stageIsProven: 'boolean',
  tierIsProven: 'boolean',
  reason: 'text',
  eventsUntil: 'int',
  playsUntil: 'int',
  dueAt: 'timestamptz',
})

/** The new classification of a profile. `id` is the id of the stage change. */
export type ClassificationRow = ItemsOf<typeof classificationRows>[number]

/**
 * Writes stages and tiers, the history of stages, an event for each stage change except the first, and moves between
 * segments. Skips profiles that have changed since they were read. Returns the users whose stage has changed.
 */
export const updateClassifications = statement(
  'classify_users',
  returns({ userId: 'uuid', stage: 'LifecycleStage' }),
  (rows: ClassificationRow[], changedAt: Date) => {
    const ids = rows.map(({ userId }) => userId)
    return Prisma.sql`
      WITH input AS MATERIALIZED (
        SELECT * FROM ${classificationRows(rows)}
      ), held AS MATERIALIZED (
        SELECT p.user_id, p.tier AS read_tier FROM (SELECT * FROM input ORDER BY user_id) i
        CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = i.user_id
          LIMIT 1 FOR NO KEY UPDATE) p
        WHERE p.events = i.read_events AND p.campaigns = i.read_campaigns AND p.due_at = i.read_due
          AND p.stage IS NOT DISTINCT FROM i.read_stage
      ), written AS (
        UPDATE user_profile p SET stage = i.stage, tier = i.tier,
          stage_is_proven = i.stage_is_proven, tier_is_proven = i.tier_is_proven, events_until = i.events_until,
          plays_until = i.plays_until, due_at = i.due_at
        FROM input i JOIN held h USING (user_id)
        WHERE p.user_id = i.user_id AND p.user_id = ANY (${ids}::uuid[])
        RETURNING p.user_id, h.read_tier, p.country, p.device, p.source, p.tags
      ), changed AS MATERIALIZED (
        SELECT i.*, u.external_id, ${changedAt}::timestamptz AS occurred_at
        FROM input i JOIN written USING (user_id) JOIN end_user u ON u.id = i.user_id
        WHERE u.id = ANY (${ids}::uuid[]) AND i.read_stage IS DISTINCT FROM i.stage
      ), history AS (
        INSERT INTO stage_change (id, partner_id, environment, user_id, from_stage, to_stage, reason,
          changed_at)
        SELECT id, partner_id, environment, user_id, read_stage, stage, reason, occurred_at
        FROM changed
      ), event AS (${emit(
        stageChanged,
        Prisma.sql`SELECT *, json_build_object('userId', external_id, 'previousStage', read_stage,
          'stage', stage, 'reason', reason, 'changedAt', ${changedAt.toISOString()}::text) AS data
          FROM changed WHERE read_stage IS NOT NULL`,
      )}
      ), move AS (${recordSegmentMoves(
        Prisma.sql`SELECT i.user_id, i.partner_id, i.environment,
            i.read_stage AS stage_before, w.read_tier AS tier_before, w.country AS country_before,
            w.device AS device_before, w.source AS source_before, w.tags AS tags_before,
            i.stage, i.tier, w.country, w.device, w.source, w.tags
          FROM input i JOIN written w USING (user_id)
          WHERE i.read_stage IS DISTINCT FROM i.stage OR w.read_tier IS DISTINCT FROM i.tier`,
        changedAt,
      )}
      )
      SELECT user_id AS "userId", stage FROM changed`
  },
)

/** Sets the rules of a tenant, and makes all its users due. Returns the version of the rules. */
export const writeClassificationRules = statement(
  'set_classification_rules',
  returns({ version: 'int' }),
  ({ partnerId, environment }: Tenant, rules: object, now: Date) => Prisma.sql`
    WITH settings AS (
      INSERT INTO classification_settings AS s (partner_id, environment, rules, updated_at)
      VALUES (${partnerId}::uuid, ${environment}::"Environment", ${JSON.stringify(rules)}::json,
        ${now}::timestamptz)
      ON CONFLICT (partner_id, environment)
      DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at
      RETURNING s.version
    ), due AS (
      UPDATE user_profile SET due_at = 'epoch'
      WHERE user_id IN (
        SELECT user_id FROM user_profile
        WHERE (partner_id, environment) = (${partnerId}::uuid, ${environment}::"Environment")
          AND due_at > 'epoch'
        ORDER BY user_id FOR NO KEY UPDATE)
    )
    SELECT version FROM settings`,
)
