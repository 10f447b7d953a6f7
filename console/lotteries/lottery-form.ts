/**
 * The form values of a lottery, and their conversion to the input of the API. Money is in whole units in the form,
 * in cents in the API.
 */
import type { UseFormReturnType } from '@mantine/form'
import type { LotterySetUpFragment, UpdateLotteryInput } from '../generated/types.ts'
import { flagText, moneyText, numberText, timeText } from '../parts/formats.ts'
import type { FormLines } from '../parts/use-versions.ts'
import { lotteriesTexts, lotteryEditorTexts as texts } from '../texts/lotteries-texts.ts'

type TierRow = {
  key: string
  name: string
  mainMatches: number
  bonusMatches: number
  kind: 'amount' | 'share'
  /** Units of money, or percent of the pot. */
  value: number
}

type Range = { count: number; min: number; max: number }

export type LotteryValues = {
  name: string
  description: string
  endsAt: string | null
  drawDelaySeconds: number
  primaryColor: string
  logoUrl: string
  hasBonus: boolean
  rules: {
    mainRange: Range
    bonusRange: Range
    maxTicketsPerUser: number
    potBase: number
    potPerTicket: number
    tiers: TierRow[]
  }
}

export type LotteryForm = UseFormReturnType<LotteryValues>

export const newTier = (): TierRow => ({
  key: crypto.randomUUID(),
  name: '',
  mainMatches: 2,
  bonusMatches: 0,
  kind: 'amount',
  value: 1,
})

const rangeOf = ({ count, min, max }: Range): Range => ({ count, min, max })

export const valuesOfLottery = ({ rules, ...of }: LotterySetUpFragment): LotteryValues => ({
  name: of.name,
  description: of.description,
  endsAt: of.endsAt,
  drawDelaySeconds: of.drawDelaySeconds,
  primaryColor: of.primaryColor ?? '',
  logoUrl: of.logoUrl ?? '',
  hasBonus: rules.bonusRange !== null,
  rules: {
    mainRange: rangeOf(rules.mainRange),
    bonusRange: rangeOf(rules.bonusRange ?? { count: 1, min: 1, max: 10 }),
    maxTicketsPerUser: rules.maxTicketsPerUser,
    potBase: rules.potBase.amountCents / 100,
    potPerTicket: rules.potPerTicket.amountCents / 100,
    tiers: rules.tiers.map(({ name, mainMatches, bonusMatches, amount, potShareBasisPoints }) => ({
      key: crypto.randomUUID(),
      name,
      mainMatches,
      bonusMatches,
      kind: amount === null ? 'share' : 'amount',
      value: (amount?.amountCents ?? potShareBasisPoints ?? 0) / 100,
    })),
  },
})

/** Formats an amount in whole units as US dollars. */
export const dollars = (value: number) => moneyText(moneyOf(value))

const hundredths = (value: number) => Math.round(value * 100)

const moneyOf = (value: number) => ({ amountCents: hundredths(value), currency: 'USD' })

export const inputOfLottery = (
  id: string,
  expectedVersion: number,
  { hasBonus, rules, ...values }: LotteryValues,
): UpdateLotteryInput => ({
  ...values,
  lottery: { id },
  expectedVersion,
  primaryColor: values.primaryColor || null,
  logoUrl: values.logoUrl || null,
  description: values.description || null,
  rules: {
    mainRange: rules.mainRange,
    bonusRange: hasBonus ? rules.bonusRange : null,
    maxTicketsPerUser: rules.maxTicketsPerUser,
    potBase: moneyOf(rules.potBase),
    potPerTicket: moneyOf(rules.potPerTicket),
    tiers: rules.tiers.map(({ name, mainMatches, bonusMatches, kind, value }) => ({
      name,
      mainMatches,
      bonusMatches: hasBonus ? bonusMatches : 0,
      prize:
        kind === 'amount' ? { amount: moneyOf(value) } : { potShareBasisPoints: hundredths(value) },
    })),
  },
})

/** The field of the form that holds a field of the input. */
export const lotteryFieldOf = (path: string) =>
  path.replace(/\.(pot(?:Base|PerTicket))\.\w+$/, '.$1').replace(/\.prize(?:\.\w+){0,2}$/, '.value')

const rangeText = ({ count, min, max }: Range) => texts.rangeLine(count, min, max)

const worthText = ({ kind, value }: TierRow) =>
  kind === 'amount' ? dollars(value) : texts.shareLine(value)

export const linesOfLottery = ({ hasBonus, rules, ...of }: LotteryValues): FormLines => [
  [lotteriesTexts.name, of.name],
  [texts.descriptionLabel, of.description],
  [lotteriesTexts.ends, of.endsAt ? timeText(of.endsAt) : ''],
  [texts.delay, numberText(of.drawDelaySeconds)],
  [texts.color, of.primaryColor],
  [texts.logo, of.logoUrl],
  [texts.mainCount, rangeText(rules.mainRange)],
  [texts.hasBonus, flagText(hasBonus)],
  ...(hasBonus ? [[texts.bonusCount, rangeText(rules.bonusRange)] as const] : []),
  [texts.maxTickets, numberText(rules.maxTicketsPerUser)],
  [texts.potBase, dollars(rules.potBase)],
  [texts.potPerTicket, dollars(rules.potPerTicket)],
  [texts.prizes, rules.tiers.map(({ name }) => name).join(', ')],
  ...rules.tiers.map(
    (tier) =>
      [tier.name, texts.tierLine(tier.mainMatches, tier.bonusMatches, worthText(tier))] as const,
  ),
]
