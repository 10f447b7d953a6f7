/** The form values of a campaign, and their conversion to the input of the API. */
import type { UseFormReturnType } from '@mantine/form'
import { type BrandForm, inputOfBrand, linesOfBrand, valuesOfBrand } from '../brand/brand-form.ts'
import type { CampaignSetUpFragment, UpdateCampaignInput } from '../generated/types.ts'
import { flagText, numberText, timeText } from '../parts/formats.ts'
import { type Choice, choiceOf } from '../parts/found-select.tsx'
import type { FormLines } from '../parts/use-versions.ts'
import { campaignsTexts, campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'

export type PrizeRow = {
  key: string
  /** The name that the server has; null for a new prize. */
  savedName: string | null
  name: string
  points: number
  weight: number
  maxWins: number
  /** The reward that winning it gives at once, besides its points. */
  reward: Choice | null
}
type RuleRow = { key: string; eventType: string; points: number }

export type CampaignValues = {
  name: string
  description: string
  startsAt: string | null
  endsAt: string | null
  maxEventsPerUser: number | ''
  creditsWallet: boolean
  revokesPoints: boolean
  eventRules: RuleRow[]
  hasInstantWin: boolean
  /** `winRate` in percent. */
  instantWinRules: { winRate: number; winCodeDays: number; prizeTiers: PrizeRow[] }
  hasReferrals: boolean
  referralRules: { referrerPoints: number; refereePoints: number }
  brand: BrandForm
}

export type CampaignForm = UseFormReturnType<CampaignValues>

const key = () => crypto.randomUUID()

export const newPrize = (): PrizeRow => ({
  key: key(),
  savedName: null,
  name: '',
  points: 100,
  weight: 1,
  maxWins: 100,
  reward: null,
})

export const newRule = (): RuleRow => ({ key: key(), eventType: '', points: 10 })

/** Percent without floating-point noise: the API keeps six decimals of the rate. */
const percentOf = (share: number) => Math.round(share * 1_000_000) / 10_000

/** Prizes are kept while the instant win is off, so that won prizes can be redeemed. */
const prizesOf = ({ instantWinRules, instantWinStats }: CampaignSetUpFragment): PrizeRow[] => {
  const { prizeTiers } = instantWinStats
  if (prizeTiers.length === 0 && !instantWinRules) return [newPrize()]
  return prizeTiers.map(({ name, points, weight, maxWins, reward }) => ({
    key: key(),
    savedName: name,
    name,
    points,
    maxWins,
    weight,
    reward: reward && choiceOf(reward),
  }))
}

export const valuesOfCampaign = (of: CampaignSetUpFragment): CampaignValues => ({
  name: of.name,
  description: of.description ?? '',
  startsAt: of.startsAt,
  endsAt: of.endsAt,
  maxEventsPerUser: of.maxEventsPerUser ?? '',
  creditsWallet: of.creditsWallet,
  revokesPoints: of.onReversal === 'REVOKE',
  eventRules: of.eventRules.map(({ eventType, points }) => ({ key: key(), eventType, points })),
  hasInstantWin: of.instantWinRules !== null,
  instantWinRules: {
    winRate: percentOf(of.instantWinRules?.winRate ?? 0.1),
    winCodeDays: of.instantWinRules?.winCodeDays ?? 30,
    prizeTiers: prizesOf(of),
  },
  hasReferrals: of.referralRules !== null,
  referralRules: {
    referrerPoints: of.referralRules?.referrerPoints ?? 100,
    refereePoints: of.referralRules?.refereePoints ?? 50,
  },
  brand: valuesOfBrand(of.ownBrand),
})

export const inputOfCampaign = (
  id: string,
  expectedVersion: number,
  {
    hasInstantWin,
    instantWinRules,
    hasReferrals,
    referralRules,
    revokesPoints,
    ...values
  }: CampaignValues,
): UpdateCampaignInput => ({
  ...values,
  campaign: { id },
  expectedVersion,
  brand: inputOfBrand(values.brand),
  onReversal: revokesPoints ? 'REVOKE' : 'KEEP',
  maxEventsPerUser: values.maxEventsPerUser === '' ? null : values.maxEventsPerUser,
  eventRules: values.eventRules.map(({ key: _, ...rule }) => rule),
  instantWinRules: hasInstantWin
    ? {
        winRate: instantWinRules.winRate / 100,
        winCodeDays: instantWinRules.winCodeDays,
        prizeTiers: instantWinRules.prizeTiers.map(
          ({ key: _, savedName: __, reward, ...tier }) => ({
            ...tier,
            reward: reward && { id: reward.value },
          }),
        ),
      }
    : null,
  referralRules: hasReferrals ? referralRules : null,
})

const instantWinLines = ({
  winRate,
  winCodeDays,
  prizeTiers,
}: CampaignValues['instantWinRules']): FormLines => [
  [texts.winRate, `${winRate} %`],
  [texts.winCodeDays, numberText(winCodeDays)],
  [texts.prizes, prizeTiers.map(({ name }) => name).join(', ')],
  ...prizeTiers.map(
    ({ name, points, weight, maxWins, reward }) =>
      [name, texts.prizeLine(points, weight, maxWins, reward?.label)] as const,
  ),
]

export const linesOfCampaign = (of: CampaignValues): FormLines => [
  [campaignsTexts.name, of.name],
  [campaignsTexts.descriptionLabel, of.description],
  [campaignsTexts.starts, of.startsAt ? timeText(of.startsAt) : ''],
  [campaignsTexts.ends, of.endsAt ? timeText(of.endsAt) : ''],
  [texts.maxPlays, String(of.maxEventsPerUser)],
  [texts.creditsWallet, flagText(of.creditsWallet)],
  [texts.revokesPoints, flagText(of.revokesPoints)],
  // The server sorts them.
  ...of.eventRules
    .map(({ eventType, points }) => [eventType, texts.pointsEach(points)] as const)
    .sort(([first], [other]) => (first < other ? -1 : 1)),
  [texts.hasInstantWin, flagText(of.hasInstantWin)],
  ...(of.hasInstantWin ? instantWinLines(of.instantWinRules) : []),
  [texts.hasReferrals, flagText(of.hasReferrals)],
  ...(of.hasReferrals
    ? ([
        [texts.referrerReward, numberText(of.referralRules.referrerPoints)],
        [texts.refereeReward, numberText(of.referralRules.refereePoints)],
      ] as const)
    : []),
  ...linesOfBrand(of.brand),
]
