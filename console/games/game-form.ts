/** The form values of a game, and their conversion to the input of the API. */
import type { GameSetUpFragment, GameVersionRowFragment, SetGameInput } from '../generated/types.ts'
import { humanized, numberText } from '../parts/formats.ts'
import type { FormLines } from '../parts/use-versions.ts'
import { gameNames, gamesTexts as texts } from '../texts/games-texts.ts'

export type RewardRow = SetGameInput['rewards'][number] & { key: string }

export type GameForm = {
  name: string
  description: string
  price: number
  segments: number
  imageUrl: string
  rewards: RewardRow[]
}

const firstRewards = [
  { label: '10 points', tier: 'COMMON', type: 'POINTS', value: 10, weight: 70 },
  { label: '50 points', tier: 'RARE', type: 'POINTS', value: 50, weight: 25 },
  { label: '200 points', tier: 'EPIC', type: 'POINTS', value: 200, weight: 5 },
] as const

/** Whether a reward is worth what the partner says, and not its number of points. */
export const hasOwnWorth = ({ type, value }: Pick<RewardRow, 'type' | 'value'>): boolean =>
  type !== 'POINTS' && Number(value) > 0

const rowsOf = (rewards: readonly SetGameInput['rewards'][number][]): RewardRow[] =>
  rewards.map(({ label, tier, type, value, weight, worthPoints }) => ({
    label,
    tier,
    type,
    value,
    weight,
    // That of points is their number, which must not stay when the type changes.
    worthPoints: hasOwnWorth({ type, value }) ? (worthPoints ?? null) : null,
    key: crypto.randomUUID(),
  }))

export const newReward = (): RewardRow => ({
  label: '',
  tier: 'COMMON',
  type: 'POINTS',
  value: 10,
  weight: 1,
  worthPoints: null,
  key: crypto.randomUUID(),
})

/** A game that is not set up yet begins with some rewards. */
export const newGameOf = (gameType: SetGameInput['gameType']): GameForm => ({
  name: gameNames[gameType],
  description: '',
  price: 50,
  segments: 8,
  imageUrl: '',
  rewards: rowsOf(firstRewards),
})

/** A game, or a version of it, in the form. */
export const valuesOfGame = (of: GameSetUpFragment | GameVersionRowFragment): GameForm => ({
  name: of.name,
  description: of.description,
  price: of.price,
  segments: of.config.segments,
  imageUrl: of.imageUrl ?? '',
  rewards: rowsOf(of.config.rewards),
})

export const inputOfGame = (
  gameType: SetGameInput['gameType'],
  expectedVersion: number,
  { rewards, imageUrl, ...values }: GameForm,
): SetGameInput => ({
  ...values,
  gameType,
  expectedVersion,
  imageUrl: imageUrl || null,
  rewards: rewards.map(({ key: _, ...reward }) => ({
    ...reward,
    worthPoints: hasOwnWorth(reward) ? reward.worthPoints : null,
  })),
})

/** XP is an abbreviation. */
export const rewardTypeText = (type: string) => (type === 'XP' ? type : humanized(type))

const rewardLine = ({ tier, type, value, weight, worthPoints }: RewardRow) => {
  const line = texts.rewardLine(humanized(tier), rewardTypeText(type), value, weight)
  const isWorth = hasOwnWorth({ type, value }) && worthPoints != null
  return isWorth ? `${line}, ${texts.worthLine(numberText(worthPoints))}` : line
}

export const linesOfGame = ({ rewards, ...of }: GameForm): FormLines => [
  [texts.name, of.name],
  [texts.gameDescription, of.description],
  [texts.price, numberText(of.price)],
  [texts.segments, numberText(of.segments)],
  [texts.imageUrl, of.imageUrl],
  [texts.rewardNames, rewards.map(({ label }) => label).join(', ')],
  ...rewards.map((reward) => [reward.label, rewardLine(reward)] as const),
]
