/** Writes down what profiles have become: stage, tier, history, and what follows from a change. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { integer } from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { classify, defaultRules, type Rules, watch } from './journey.rules.ts'
import { makeOffersByRule } from './offer.ts'
import { findDueProfiles, type Profile } from './profile.ts'
import { recordSegmentMoves } from './segment.ts'

/** Due at no time: nothing but activity changes it. */
const never = new Date('9999-12-31T00:00:00Z')

/**
 * Whether the stage stands on what the server itself wrote. A caller of the public key says when a user
 * was there, which can only make them seem less idle; plays, points and campaigns it could make up.
 */
const isProven = ({ ownActivity, at, rules, classification }: Profile): boolean =>
  ownActivity !== null && classify(ownActivity, at, rules).stage === classification.stage

const writtenOf = (profile: Profile) => {
  const { activity, rules, at, classification, stored, totalPlays } = profile
  const { eventsUntil, playsUntil, dueAt } = watch({ ...activity, totalPlays }, at, rules)
  return {
    user_id: profile.userId,
    partner_id: profile.partnerId,
    environment: profile.environment,
    // The change stands only if the profile is still as it was read.
    read_events: profile.totalEvents,
    read_campaigns: activity.campaignsJoined,
    read_due: stored.dueAt,
    read_stage: stored.stage,
    id: uuid(),
    stage: classification.stage,
    tier: classification.tier,
    reason: classification.reason,
    events_until: eventsUntil,
    plays_until: playsUntil,
    due_at: dueAt ?? never,
  }
}

/**
 * Classifies those of these users whose time has come: stage, tier, the history of stages,
 * `journey.stage_changed` (not for the first stage a user ever has), offers by rule, and moves between
 * segments. A constant number of statements. A profile that changes while it is looked at stays due.
 */
export const classifyUsers = async (work: Work, userIds: string[]): Promise<void> =>
  writeClassifications(work, await findDueProfiles(work, userIds))

/** The same for profiles that were just read. */
export const writeClassifications = async (work: Work, profiles: Profile[]): Promise<void> => {
  const rows = profiles
    .filter(({ stored, at, classification }) =>
      [
        stored.dueAt <= at,
        stored.stage !== classification.stage,
        stored.tier !== classification.tier,
      ].includes(true),
    )
    .map(writtenOf)
  if (rows.length === 0) return
  const changedAt = profiles[0]?.at as Date
  const ids = rows.map(({ user_id }) => user_id)
  await inTransaction(work.tx, async (tx) => {
    const changed = await tx.$queryRaw<{ userId: string; stage: string }[]>`/* classify_users */
      WITH input AS MATERIALIZED (
        SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (user_id uuid,
          partner_id uuid, environment "Environment", read_events int, read_campaigns int,
          read_due timestamptz, read_stage "LifecycleStage", id uuid, stage "LifecycleStage",
          tier "EngagementTier", reason text, events_until int, plays_until int, due_at timestamptz)
      ), held AS MATERIALIZED (
        SELECT p.user_id, p.tier AS read_tier FROM input i JOIN user_profile p USING (user_id)
        WHERE p.user_id = ANY (${ids}::uuid[]) AND p.events = i.read_events AND p.campaigns = i.read_campaigns AND p.due_at = i.read_due
          AND p.stage IS NOT DISTINCT FROM i.read_stage
        ORDER BY p.user_id FOR NO KEY UPDATE OF p
      ), written AS (
        UPDATE user_profile p SET stage = i.stage, tier = i.tier, events_until = i.events_until,
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
        'journey.stage_changed',
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
    if (changed.length === 0) return
    const proven = new Set(profiles.filter(isProven).map(({ userId }) => userId))
    await makeOffersByRule(
      { ...work, tx },
      changed.map((change) => ({ ...change, isProven: proven.has(change.userId) })),
    )
  })
}

const days = () => integer(1, 365).nullish()
const amount = () => integer(1, 1_000_000).nullish()
const weight = () => integer(0, 100).nullish()

export const SetClassificationRules = z
  .object({
    newDays: days().describe('Days since first seen within which a user is NEW; 7.'),
    newMaxEvents: amount().describe('Events up to which a user is NEW; 3.'),
    atRiskDays: days().describe('Idle days from which a user is AT_RISK; 14.'),
    churnedDays: days().describe('Idle days past which a user is CHURNED; 30.'),
    engagedPlays: amount().describe('Plays in 30 days from which a user is ENGAGED; 10.'),
    engagedCampaigns: amount().describe('Campaigns joined that this takes; 1.'),
    powerUserPlays: amount().describe('Plays in 30 days from which a user is a POWER_USER; 30.'),
    powerUserScore: weight().describe('Engagement score that this takes; 70.'),
    regularTierPlays: amount().describe('Plays in 30 days from which the tier is REGULAR; 5.'),
    powerUserTierPlays: amount().describe('… POWER_USER; 15.'),
    whaleTierPlays: amount().describe('… WHALE; 51.'),
    recencyWeight: weight().describe('Percent of the score; 30.'),
    frequencyWeight: weight().describe('Percent of the score; 30.'),
    monetaryWeight: weight().describe('Percent of the score; 20.'),
    breadthWeight: weight().describe('Percent of the score; 20.'),
    recencyDays: days().describe('Idle days after which recency is 0; 30.'),
    frequencyPlays: amount().describe('Plays in 30 days that make frequency 100; 30.'),
    monetaryPoints: amount().describe('Points earned in 30 days that make monetary 100; 1,000.'),
    breadthCampaigns: amount().describe('Campaigns joined that make breadth 100; 5.'),
  })
  .superRefine((given, ctx) => {
    const rules = mergeRules(given)
    const { recencyWeight, frequencyWeight, monetaryWeight, breadthWeight } = rules
    const refuse = (field: keyof Rules, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message })
    if (recencyWeight + frequencyWeight + monetaryWeight + breadthWeight !== 100)
      refuse('recencyWeight', 'and the other weights must add up to 100')
    if (rules.atRiskDays > rules.churnedDays) refuse('atRiskDays', 'must not exceed churnedDays')
    if (rules.regularTierPlays >= rules.powerUserTierPlays)
      refuse('regularTierPlays', 'must be below powerUserTierPlays')
    if (rules.powerUserTierPlays >= rules.whaleTierPlays)
      refuse('powerUserTierPlays', 'must be below whaleTierPlays')
  })
  .describe('The constants of stages, tiers and the score. What is left out has its default.')

export type SetClassificationRules = z.output<typeof SetClassificationRules>

const given = (rules: SetClassificationRules): Partial<Rules> =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value != null))

const mergeRules = (rules: SetClassificationRules): Rules => ({ ...defaultRules, ...given(rules) })

/** The constants that hold for a partner in an environment. */
export const getClassificationRules = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
): Promise<Rules> => {
  const settings = await tx.classificationSettings.findUnique({
    where: { partnerId_environment: tenantOf(tenant) },
  })
  return { ...defaultRules, ...(settings?.rules as Partial<Rules> | undefined) }
}

/** Sets the constants. All users of the environment are classified again, soon. */
export const setClassificationRules = async (
  { tx, clock }: Work,
  tenant: Tenant,
  rules: SetClassificationRules,
): Promise<Rules> => {
  await tx.$executeRaw`
    WITH settings AS (
      INSERT INTO classification_settings (partner_id, environment, rules, updated_at)
      VALUES (${tenant.partnerId}::uuid, ${tenant.environment}::"Environment",
        ${JSON.stringify(given(rules))}::json, ${clock()}::timestamptz)
      ON CONFLICT (partner_id, environment)
      DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at
    )
    UPDATE user_profile SET due_at = 'epoch'
    WHERE user_id IN (
      SELECT user_id FROM user_profile
      WHERE (partner_id, environment) = (${tenant.partnerId}::uuid, ${tenant.environment}::"Environment")
        AND due_at > 'epoch'
      ORDER BY user_id FOR UPDATE)`
  return mergeRules(rules)
}
