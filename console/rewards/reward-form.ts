/** The form values of a reward, and their conversion to the input of the API. */
import type { UseFormReturnType } from '@mantine/form'
import type { GameType, LimitWindow, RewardKind, RewardRowFragment } from '../generated/types.ts'
import { flagText, numberText, timeText } from '../parts/formats.ts'
import type { Choice } from '../parts/found-select.tsx'
import { faultOfPast } from '../parts/past.ts'
import type { FormLines } from '../parts/use-versions.ts'
import { gameNames } from '../texts/games-texts.ts'
import { rewardsTexts, rewardFormTexts as texts } from '../texts/rewards-texts.ts'

export const valuesOfReward = (of?: RewardRowFragment) => ({
  kind: of?.kind ?? ('POINTS' as RewardKind),
  name: of?.name ?? '',
  slug: of?.slug ?? '',
  description: of?.description ?? '',
  imageUrl: of?.imageUrl ?? '',
  points: of?.points ?? 100,
  freePlays: {
    gameType: of?.freePlays?.gameType ?? ('NEON_WHEEL' as GameType),
    count: of?.freePlays?.count ?? 1,
    validDays: (of?.freePlays?.validDays ?? '') as number | '',
  },
  stock: of?.stock ?? ('' as number | ''),
  isForSale: of !== undefined && of.price !== null,
  price: of?.price ?? ('' as number | ''),
  limit: {
    max: of?.limit?.max ?? ('' as number | ''),
    window: of?.limit?.window ?? ('EVER' as LimitWindow),
  },
  segment: (of?.segment && { value: of.segment.id, label: of.segment.name }) as Choice | null,
  startsAt: of?.startsAt ?? null,
  endsAt: of?.endsAt ?? null,
  position: of?.position ?? 0,
})

export type RewardValues = ReturnType<typeof valuesOfReward>

export type RewardForm = UseFormReturnType<RewardValues>

/** Points cannot be sold for points. */
export const canBeSold = ({ kind }: Pick<RewardValues, 'kind'>) => kind !== 'POINTS'

/** The faults that the form finds before it is sent. */
export const validateReward = (of?: Pick<RewardRowFragment, 'endsAt'>) => ({
  endsAt: (endsAt: string | null, { startsAt }: RewardValues) =>
    startsAt && endsAt && Date.parse(endsAt) <= Date.parse(startsAt)
      ? texts.endsTooEarly
      : faultOfPast(endsAt, of?.endsAt),
})

const orNull = <Value>(value: Value | ''): Value | null => (value === '' ? null : value)

/** What a reward that is not for sale had as its limit, its segment and its times stays for later. */
const saleOf = ({ isForSale, price, limit, segment, startsAt, endsAt }: RewardValues) => ({
  price: isForSale ? orNull(price) : null,
  limit: limit.max === '' ? null : { ...limit, max: limit.max },
  segmentId: segment?.value ?? null,
  ...{ startsAt, endsAt },
})

export const inputOfReward = (values: RewardValues) => {
  const { kind, name, slug, description, imageUrl, points, freePlays, stock, position } = values
  return {
    ...{ name, slug, position },
    description: orNull(description),
    imageUrl: orNull(imageUrl),
    ...(kind === 'POINTS' && { points }),
    ...(kind === 'FREE_PLAYS' && {
      freePlays: { ...freePlays, validDays: orNull(freePlays.validDays) },
    }),
    ...(kind !== 'CODE' && { stock: orNull(stock) }),
    ...(canBeSold(values) && saleOf(values)),
  }
}

/** The field of the form that holds a field of the input. */
export const rewardFieldOf = (path: string) => path.replace('segmentId', 'segment')

const numberOf = (value: number | '') => (value === '' ? '' : numberText(value))

const momentText = (at: string | null) => (at ? timeText(at) : '')

const linesOfSale = (of: RewardValues): FormLines => [
  [texts.isForSale, flagText(of.isForSale)],
  [texts.price, numberOf(of.price)],
  [texts.limit, numberOf(of.limit.max)],
  [texts.window, of.limit.max === '' ? '' : texts.windows[of.limit.window]],
  [texts.segment, of.segment?.label ?? ''],
  [texts.starts, momentText(of.startsAt)],
  [texts.ends, momentText(of.endsAt)],
  [texts.position, String(of.position)],
]

const linesOfPlays = ({ gameType, count, validDays }: RewardValues['freePlays']): FormLines => [
  [texts.game, gameNames[gameType]],
  [texts.playCount, numberText(count)],
  [texts.validDays, numberOf(validDays)],
]

export const linesOfReward = (of: RewardValues): FormLines => [
  [texts.name, of.name],
  [texts.slug, of.slug],
  [texts.description, of.description],
  [texts.image, of.imageUrl],
  ...(of.kind === 'POINTS' ? [[texts.points, numberText(of.points)] as const] : []),
  ...(of.kind === 'FREE_PLAYS' ? linesOfPlays(of.freePlays) : []),
  [texts.stock, of.stock === '' ? rewardsTexts.noLimit : numberText(of.stock)],
  ...(canBeSold(of) ? linesOfSale(of) : []),
]
