/** The form values of a campaign, and their conversion to the input of the API. */
import type { UseFormReturnType } from '@mantine/form'
import type { CampaignSetUpFragment, UpdateCampaignInput } from '../generated/types.ts'
import { flagText, numberText, timeText } from '../parts/formats.ts'
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
}
type RuleRow = { key: string; eventType: string; points: number }

export type CampaignValues = {
  name: string
  description: string
  startsAt: string | null
  endsAt: string | null
  maxPlaysPerUser: number | ''
  creditsWallet: boolean
  eventRules: RuleRow[]
  hasInstantWin: boolean
  /** `winRate` in percent. */
  instantWin: { winRate: number; winCodeDays: number; tiers: PrizeRow[] }
  hasReferrals: boolean
  referralRules: { referrerReward: number; refereeReward: number }
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
})

export const newRule = (): RuleRow => ({ key: key(), eventType: '', points: 10 })

/** Percent without floating-point noise: the API keeps six decimals of the rate. */
const percentOf = (share: number) => Math.round(share * 1_000_000) / 10_000

/** Prizes are kept while the instant win is off, so that won prizes can be redeemed. */
const prizesOf = ({ instantWin, instantWinStats }: CampaignSetUpFragment): PrizeRow[] => {
  const { tiers } = instantWinStats
  if (tiers.length === 0 && !instantWin) return [newPrize()]
  return tiers.map(({ name, points, weight, maxWins }) => ({
    key: key(),
    savedName: name,
    name,
    points,
    maxWins,
    weight,
  }))
}

export const valuesOfCampaign = (of: CampaignSetUpFragment): CampaignValues => ({
  name: of.name,
  description: of.description ?? '',
  startsAt: of.startsAt,
  endsAt: of.endsAt,
  maxPlaysPerUser: of.maxPlaysPerUser ?? '',
  creditsWallet: of.creditsWallet,
  eventRules: of.eventRules.map(({ eventType, points }) => ({ key: key(), eventType, points })),
  hasInstantWin: of.instantWin !== null,
  instantWin: {
    winRate: percentOf(of.instantWin?.winRate ?? 0.1),
    winCodeDays: of.instantWin?.winCodeDays ?? 30,
    tiers: prizesOf(of),
  },
  hasReferrals: of.referralRules !== null,
  referralRules: {
    referrerReward: of.referralRules?.referrerReward ?? 100,
    refereeReward: of.referralRules?.refereeReward ?? 50,
  },
})

export const inputOfCampaign = (
  id: string,
  expectedVersion: number,
  { hasInstantWin, instantWin, hasReferrals, referralRules, ...values }: CampaignValues,
): UpdateCampaignInput => ({
  ...values,
  campaign: { id },
  expectedVersion,
  maxPlaysPerUser: values.maxPlaysPerUser === '' ? null : values.maxPlaysPerUser,
  eventRules: values.eventRules.map(({ key: _, ...rule }) => rule),
  instantWin: hasInstantWin
    ? {
        winRate: instantWin.winRate / 100,
        winCodeDays: instantWin.winCodeDays,
        tiers: instantWin.tiers.map(({ key: _, savedName: __, ...tier }) => tier),
      }
    : null,
  referralRules: hasReferrals ? referralRules : null,
})

const instantWinLines = ({
  winRate,
  winCodeDays,
  tiers,
}: CampaignValues['instantWin']): FormLines => [
  [texts.winRate, `${winRate} %`],
  [texts.winCodeDays, numberText(winCodeDays)],
  [texts.prizes, tiers.map(({ name }) => name).join(', ')],
  ...tiers.map(
    ({ name, points, weight, maxWins }) =>
      [name, texts.prizeLine(points, weight, maxWins)] as const,
  ),
]

export const linesOfCampaign = (of: CampaignValues): FormLines => [
  [campaignsTexts.name, of.name],
  [campaignsTexts.descriptionLabel, of.description],
  [campaignsTexts.starts, of.startsAt ? timeText(of.startsAt) : ''],
  [campaignsTexts.ends, of.endsAt ? timeText(of.endsAt) : ''],
  [texts.maxPlays, String(of.maxPlaysPerUser)],
  [texts.creditsWallet, flagText(of.creditsWallet)],
  // The server sorts them.
  ...of.eventRules
    .map(({ eventType, points }) => [eventType, texts.pointsEach(points)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1)),
  [texts.hasInstantWin, flagText(of.hasInstantWin)],
  ...(of.hasInstantWin ? instantWinLines(of.instantWin) : []),
  [texts.hasReferrals, flagText(of.hasReferrals)],
  ...(of.hasReferrals
    ? ([
        [texts.referrerReward, numberText(of.referralRules.referrerReward)],
        [texts.refereeReward, numberText(of.referralRules.refereeReward)],
      ] as const)
    : []),
]
