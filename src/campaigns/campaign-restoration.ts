/** Sets campaigns as they were. */
import { z } from 'zod'
import {
  settingsToRestore,
  versionToRestore,
} from '../accounts/settings-versions/settings-version.ts'
import { CampaignReversal, PageLanguage } from '../generated/prisma/enums.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { CampaignBy, type FullCampaign } from './campaign.ts'
import type { UpdateCampaign } from './campaign-input.ts'
import { million, updateCampaign } from './campaign-management.ts'

export const RestoreCampaign = z
  .object({ campaign: CampaignBy, version: versionToRestore() })
  .describe('A version of a campaign to restore.')

const moment = () =>
  z
    .string()
    .nullable()
    .transform((at) => (at === null ? null : new Date(at)))

/** Versions from before campaigns had a brand have none. */
const brandValue = () => z.string().nullish()

const Settings = z.object({
  name: z.string(),
  description: z.string(),
  starts_at: moment(),
  ends_at: moment(),
  max_plays_per_user: z.number().nullable(),
  credits_wallet: z.boolean(),
  on_reversal: z.enum(CampaignReversal),
  wins_per_million: z.number().nullable(),
  win_code_days: z.number(),
  referrer_reward: z.number().nullable(),
  referee_reward: z.number().nullable(),
  logo_url: brandValue(),
  color: brandValue(),
  image_url: brandValue(),
  promoter: brandValue(),
  terms: brandValue(),
  terms_url: brandValue(),
  language: z.enum(PageLanguage).nullish(),
  event_rules: z.array(z.object({ eventType: z.string(), points: z.number() })),
  prize_tiers: z.array(
    z.object({
      name: z.string(),
      points: z.number(),
      weight: z.number(),
      maxWins: z.number(),
      rewardId: z.string().nullable(),
    }),
  ),
})

type Settings = z.output<typeof Settings>

const instantWinRulesOf = ({ wins_per_million, win_code_days, prize_tiers }: Settings) =>
  wins_per_million === null
    ? null
    : {
        winRate: wins_per_million / million,
        winCodeDays: win_code_days,
        prizeTiers: prize_tiers.map(({ rewardId, ...tier }) => ({
          ...tier,
          reward: rewardId === null ? null : { id: rewardId },
        })),
      }

const brandOf = (kept: Settings) => ({
  logoUrl: kept.logo_url ?? null,
  color: kept.color ?? null,
  imageUrl: kept.image_url ?? null,
  promoter: kept.promoter ?? null,
  terms: kept.terms ?? null,
  termsUrl: kept.terms_url ?? null,
  language: kept.language ?? null,
})

/**
 * Sets a campaign as it was in an earlier version, with its rules and prizes. Its status, results and codes stay, and
 * prizes keep their wins.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; PRIZE_TIER_WON; REWARD_NOT_FOUND; REWARD_ARCHIVED; VALIDATION_FAILED when there
 * is no such version
 */
export const restoreCampaign = async (
  work: Work,
  { id, slug, version, ...tenant }: Tenant & { id: string; slug: string; version: number },
): Promise<FullCampaign> => {
  const kept = await settingsToRestore(work, { objectId: id, version }, Settings)
  const { referrer_reward: referrerPoints, referee_reward: refereePoints } = kept
  const settings: Required<Omit<UpdateCampaign, 'campaign'>> = {
    name: kept.name,
    description: kept.description,
    startsAt: kept.starts_at,
    endsAt: kept.ends_at,
    maxEventsPerUser: kept.max_plays_per_user,
    creditsWallet: kept.credits_wallet,
    onReversal: kept.on_reversal,
    brand: brandOf(kept),
    eventRules: kept.event_rules,
    instantWinRules: instantWinRulesOf(kept),
    referralRules:
      referrerPoints === null || refereePoints === null ? null : { referrerPoints, refereePoints },
  }
  return updateCampaign(work, { ...tenant, slug, ...settings })
}
