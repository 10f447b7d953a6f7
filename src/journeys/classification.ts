/** Classifies users: stage, tier, history, and the effects of a change. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer } from '../kit/validation.ts'
import {
  type ClassificationRow,
  updateClassifications,
  writeClassificationRules,
} from './classification.sql.ts'
import { classify, defaultRules, type Rules, watch } from './journey.rules.ts'
import { makeOffersByRule } from './offer.ts'
import { findDueProfiles, type Profile } from './profile.ts'

/** Never due by time, only by activity. */
const never = new Date('9999-12-31T00:00:00Z')

/**
 * Whether records of the server alone give the same stage, or tier. A caller with a public key could invent plays, points and
 * campaigns. The times of activity that it sends can only make a user seem less idle.
 */
const isProven = (
  { ownActivity, at, rules, classification }: Profile,
  field: 'stage' | 'tier',
): boolean =>
  ownActivity !== null && classify(ownActivity, at, rules)[field] === classification[field]

const rowOf = (profile: Profile): ClassificationRow => {
  const { activity, rules, at, classification, stored, totalPlays } = profile
  const { eventsUntil, playsUntil, dueAt } = watch({ ...activity, totalPlays }, at, rules)
  return {
    id: uuid(),
    userId: profile.userId,
    ...tenantOf(profile),
    readEvents: profile.totalEvents,
    readCampaigns: activity.campaignsJoined,
    readDue: stored.dueAt,
    readStage: stored.stage,
    stage: classification.stage,
    tier: classification.tier,
    stageIsProven: isProven(profile, 'stage'),
    tierIsProven: isProven(profile, 'tier'),
    reason: classification.reason,
    eventsUntil,
    playsUntil,
    dueAt: dueAt ?? never,
  }
}

/**
 * Classifies the users who are due, with a constant number of statements. Writes stage, tier, the history of stages,
 * `journey.stage_changed` (except for the first stage of a user), offers by rule, and moves between segments. A
 * profile that changes in the meantime stays due.
 */
export const classifyUsers = async (work: Work, userIds: UserId[]): Promise<void> =>
  writeClassifications(work, await findDueProfiles(work, userIds))

/** The same for profiles that are already read. */
export const writeClassifications = async (work: Work, profiles: Profile[]): Promise<void> => {
  const rows = profiles
    .filter(({ stored, at, classification }) =>
      [
        stored.dueAt <= at,
        stored.stage !== classification.stage,
        stored.tier !== classification.tier,
      ].includes(true),
    )
    .map(rowOf)
  if (rows.length === 0) return
  const changedAt = profiles[0]?.at as Date
  await inTransaction(work, async (txWork) => {
    const changed = await updateClassifications(txWork.tx, rows, changedAt)
    if (changed.length === 0) return
    const proven = new Set(
      profiles.filter((profile) => isProven(profile, 'stage')).map(({ userId }) => userId),
    )
    await makeOffersByRule(
      txWork,
      changed.map((change) => ({ ...change, isProven: proven.has(change.userId) })),
    )
  })
}

const days = () => integer(1, 365).nullish()
const amount = () => integer(1, 1_000_000).nullish()
const weight = () => integer(0, 100).nullish()

export const SetClassificationRules = z
  .object({
    newDays: days().describe('Days since first seen within which a user is NEW. Default: 7.'),
    newMaxEvents: amount().describe('Events up to which a user is NEW. Default: 3.'),
    atRiskDays: days().describe('Idle days from which a user is AT_RISK. Default: 14.'),
    churnedDays: days().describe('More idle days than this make a user CHURNED. Default: 30.'),
    engagedPlays: amount().describe('Plays in 30 days from which a user is ENGAGED. Default: 10.'),
    engagedCampaigns: amount().describe('Campaigns joined that ENGAGED requires. Default: 1.'),
    powerUserPlays: amount().describe(
      'Plays in 30 days from which a user is a POWER_USER. Default: 30.',
    ),
    powerUserScore: weight().describe('Engagement score that POWER_USER requires. Default: 70.'),
    regularTierPlays: amount().describe(
      'Plays in 30 days from which the tier is REGULAR. Default: 5.',
    ),
    powerUserTierPlays: amount().describe(
      'Plays in 30 days from which the tier is POWER_USER. Default: 15.',
    ),
    whaleTierPlays: amount().describe(
      'Plays in 30 days from which the tier is WHALE. Default: 51.',
    ),
    recencyWeight: weight().describe('Percentage of the score. Default: 30.'),
    frequencyWeight: weight().describe('Percentage of the score. Default: 30.'),
    monetaryWeight: weight().describe('Percentage of the score. Default: 20.'),
    breadthWeight: weight().describe('Percentage of the score. Default: 20.'),
    recencyDays: days().describe('Idle days after which recency is 0. Default: 30.'),
    frequencyPlays: amount().describe('Plays in 30 days for a frequency of 100. Default: 30.'),
    monetaryPoints: amount().describe(
      'Points earned in 30 days for a monetary of 100. Default: 1,000.',
    ),
    breadthCampaigns: amount().describe('Campaigns joined for a breadth of 100. Default: 5.'),
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
  .describe(
    'The thresholds and weights of stages, tiers and the engagement score. Omitted fields return to their defaults.',
  )

export type SetClassificationRules = z.output<typeof SetClassificationRules>

/** The rules that differ from the defaults. Only these are stored, so that a later default reaches everybody else. */
const given = (rules: SetClassificationRules): Partial<Rules> =>
  Object.fromEntries(
    Object.entries(rules).filter(
      ([name, value]) => value != null && value !== defaultRules[name as keyof Rules],
    ),
  )

const mergeRules = (rules: SetClassificationRules): Rules => ({ ...defaultRules, ...given(rules) })

/** Rules, and how often they were set. */
export type VersionedRules = Rules & { version: number }

/** The classification rules of a tenant. */
export const getClassificationRules = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
): Promise<VersionedRules> => {
  const settings = await ofTenant(tx, tenant).classificationSettings.findFirst()
  const rules = settings?.rules as Partial<Rules> | undefined
  return { ...defaultRules, ...rules, version: settings?.version ?? 0 }
}

/** Sets the classification rules. A job soon classifies all users of the tenant again. */
export const setClassificationRules = async (
  { tx, clock }: Work,
  { partnerId, environment, ...rules }: Tenant & SetClassificationRules,
): Promise<VersionedRules> => {
  const [written] = await writeClassificationRules(
    tx,
    { partnerId, environment },
    given(rules),
    clock(),
  )
  return { ...mergeRules(rules), version: written?.version as number }
}
