/** Draws rewards and what games show for them, as pure functions of a configuration and a `Random`. */
import { z } from 'zod'
import { type GameType, RewardTier, RewardType } from '../generated/prisma/enums.ts'
import type { Random } from '../kit/random.ts'
import { integer, maxPoints, oneOf, text } from '../kit/validation.ts'

/** A row of a reward table. Weights are relative. A weight of 0 is never drawn. */
export const WeightedReward = z
  .object({
    tier: oneOf('RewardTier', RewardTier).describe('How rare it is.'),
    type: oneOf('RewardType', RewardType).describe(
      'The type of the reward; `points` are credited at once.',
    ),
    value: integer(0, maxPoints).describe('Amount in units of its type.'),
    label: text(255).describe('Display name of the reward.'),
    weight: integer(0, 1_000_000).describe(
      'Relative to the other weights. A weight of 0 is never drawn.',
    ),
    worthPoints: integer(0, maxPoints)
      .nullish()
      .describe(
        'What the reward is worth to you, in points. Only `expectedWorth` uses it, and users never see it. A reward of type POINTS is worth its `value`.',
      ),
  })
  .meta({ graphql: 'WeightedRewardInput' })
  .describe('A row of a reward table.')

export type WeightedReward = z.output<typeof WeightedReward>
export type Reward = Omit<WeightedReward, 'weight' | 'worthPoints'>

/** A row of a reward table with the probability that a play draws it. */
export type RewardChance = WeightedReward & { probability: number }

const totalWeight = (rewards: WeightedReward[]): number =>
  rewards.reduce((sum, { weight }) => sum + weight, 0)

export const probabilitiesOf = (rewards: WeightedReward[]): RewardChance[] => {
  const total = totalWeight(rewards)
  return rewards.map((reward) => ({ ...reward, probability: reward.weight / total }))
}

/** The points that a play wins on average. */
export const expectedPayoutOf = (rewards: WeightedReward[]): number =>
  rewards.reduce(
    (sum, { type, value, weight }) => sum + (type === 'points' ? value * weight : 0),
    0,
  ) / totalWeight(rewards)

/** What a reward is worth in points; null if nobody has said. No reward is worth nothing. */
export const worthOf = ({ type, value, worthPoints }: WeightedReward): number | null =>
  type === 'points' || value === 0 ? value : (worthPoints ?? null)

/** What the rewards of a play are worth on average, in points. Those whose worth is not known count as 0. */
export const expectedWorthOf = (rewards: WeightedReward[]): number =>
  rewards.reduce((sum, reward) => sum + (worthOf(reward) ?? 0) * reward.weight, 0) /
  totalWeight(rewards)

/** The most that a play can win, in points, and how likely it wins that; zeros if no reward is worth anything. */
export const largestWorthOf = (rewards: WeightedReward[]): { worth: number; rate: number } => {
  const drawn = rewards.filter(({ weight }) => weight > 0)
  const worth = Math.max(0, ...drawn.map((reward) => worthOf(reward) ?? 0))
  const largest = worth > 0 ? drawn.filter((reward) => worthOf(reward) === worth) : []
  return { worth, rate: totalWeight(largest) / totalWeight(rewards) }
}

/** The rewards that a play can win and whose worth is not known. */
export const unknownWorthOf = (rewards: WeightedReward[]): WeightedReward[] =>
  rewards.filter((reward) => reward.weight > 0 && worthOf(reward) === null)

/** Draws a reward, each with probability weight / sum of weights. */
export const drawReward = (rewards: WeightedReward[], random: Random): Reward => {
  let left = random.int(totalWeight(rewards))
  for (const { weight, worthPoints: _, ...reward } of rewards) {
    if (left < weight) return reward
    left -= weight
  }
  throw new Error('a reward table needs a weight above 0')
}

/** Where the wheel stops: a segment, and an angle in hundredths of a degree strictly inside it. */
const spinWheel = (segments: number, random: Random) => {
  const winningSegment = random.int(segments)
  // Each bound is one division, so a bound that is a whole number stays exact.
  const first = Math.floor((winningSegment * 36_000) / segments) + 1
  const last = Math.ceil(((winningSegment + 1) * 36_000) / segments) - 1
  return { winningSegment, spinAngle: (first + random.int(last - first + 1)) / 100 }
}

/** Three equal symbols exactly for epic and rare rewards. */
const spinReels = (symbols: number, isWin: boolean, random: Random) => {
  const first = random.int(symbols)
  if (isWin) return { reels: [first, first, first] }
  // All triples except equal ones are equally likely: a number below symbols² − 1 that skips the equal ones.
  const pair = random.int(symbols * symbols - 1)
  const code = pair >= first * symbols + first ? pair + 1 : pair
  return { reels: [first, Math.floor(code / symbols), code % symbols] }
}

export type WheelOutcome = { winningSegment: number; spinAngle: number }
export type SlotsOutcome = { reels: number[] }
export type BoxesOutcome = { boxIndex: number }
export type PlayOutcome = WheelOutcome | SlotsOutcome | BoxesOutcome

/** Draws the outcome that the game shows for a reward. */
export const drawOutcome = (
  gameType: GameType,
  segments: number,
  { tier }: Reward,
  random: Random,
): PlayOutcome => {
  switch (gameType) {
    case 'NEON_WHEEL':
      return spinWheel(segments, random)
    case 'COSMIC_SLOTS':
      return spinReels(segments, tier !== 'common', random)
    case 'ENIGMA_BOXES':
      return { boxIndex: random.int(segments) }
  }
}
