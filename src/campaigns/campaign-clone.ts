/** Copies campaigns within an environment and from one to the other. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { Environment } from '../generated/prisma/enums.ts'
import type { Caller } from '../kit/access/context.ts'
import { inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { oneOf, text } from '../kit/validation.ts'
import { idsOfSomeRewards } from '../programme/goal-references.ts'
import { findRewards } from '../programme/reward.ts'
import { upsertEventRules, upsertPrizeTiers } from './campaign.sql.ts'
import { CampaignBy, type FullCampaign, withMechanics } from './campaign.ts'
import { newSlug } from './campaign-input.ts'

export const CloneCampaign = z
  .object({
    campaign: CampaignBy,
    slug: newSlug().describe('Used in URLs. Cannot be changed.'),
    name: text(255).nullish().describe('Display name. Defaults to that of the other campaign.'),
    toEnvironment: oneOf('Environment', Environment)
      .nullish()
      .describe(
        'Where the copy is made. Defaults to where the campaign is. Only a member can name the other one, because each key belongs to one.',
      ),
  })
  .meta({ graphql: 'CloneCampaignInput' })
  .describe('A copy of a campaign, as a draft.')

type CloneCampaign = Omit<z.output<typeof CloneCampaign>, 'campaign' | 'toEnvironment'>

/**
 * The tenant of a copy.
 * @throws TesseraError VALIDATION_FAILED when a key names the other environment
 */
export const tenantOfClone = (caller: Caller, to: Environment | null | undefined): Tenant => {
  const environment = to ?? caller.environment
  if (environment !== caller.environment && caller.kind !== 'member')
    throw refused('toEnvironment', 'must be the environment of the key')
  return { partnerId: caller.partnerId, environment }
}

/** The prizes of a copy: in full stock, with the rewards of the same slugs in the tenant of the copy. */
const tiersFor = async (work: Work, to: Tenant, { tiers }: FullCampaign) => {
  const rewards = await findRewards(
    work,
    tiers.flatMap(({ rewardId }) => rewardId ?? []),
  )
  const slugs = new Map(rewards.map((reward) => [reward?.id, reward?.slug]))
  const ids = await idsOfSomeRewards(
    work,
    to,
    tiers.map(({ rewardId }) => (rewardId ? { slug: slugs.get(rewardId) as string } : null)),
  )
  return tiers.map(({ name, points, weight, maxWins, position }, n) => ({
    ...{ id: uuid(), name, points, weight, maxWins, position },
    rewardId: ids[n] ?? null,
  }))
}

/** A date of a copy: one that is over is left out. */
const ifAhead = (date: Date | null, now: Date) => (date && date > now ? date : null)

/**
 * Copies a campaign as a draft: all of its settings, with full stock, without participants, codes and results. Dates
 * that are over are left out.
 * @throws TesseraError CAMPAIGN_SLUG_TAKEN; REWARD_NOT_FOUND when a prize has a reward whose slug `to` does not have;
 * REWARD_ARCHIVED
 */
export const cloneCampaign = (
  work: Work,
  original: FullCampaign,
  to: Tenant,
  { slug, name }: CloneCampaign,
): Promise<FullCampaign> =>
  inTransaction(work, async (txWork) => {
    const { eventRules, tiers: _, version: _v, endedAt: _e, ...settings } = original
    const now = txWork.clock()
    const id = uuid()
    const own = ofTenant(txWork.tx, to).campaign
    const { count } = await own.createMany({
      skipDuplicates: true,
      data: {
        ...settings,
        ...tenantOf(to),
        id,
        slug,
        name: name ?? original.name,
        status: 'DRAFT',
        startsAt: ifAhead(original.startsAt, now),
        endsAt: ifAhead(original.endsAt, now),
        createdAt: now,
        updatedAt: now,
      },
    })
    if (count === 0) throw new TesseraError('CAMPAIGN_SLUG_TAKEN', { field: 'slug', value: slug })
    const key = { id, ...tenantOf(to) }
    await upsertEventRules(
      txWork.tx,
      key,
      eventRules.map(({ eventType, points }) => ({ id: uuid(), eventType, points })),
    )
    await upsertPrizeTiers(txWork.tx, key, await tiersFor(txWork, to, original))
    return own.findUniqueOrThrow({ where: { id }, include: withMechanics })
  })
