/** The prizes of a game as its picture shows them. */
import type { Reward } from './plays.ts'

/** A prize that a play can draw. */
export type Prize = Reward & {
  /** 0 to 1. */
  probability: number
}

/** Whether a reward gives something. A value of 0 means no reward. */
export const isPrize = ({ value }: Pick<Reward, 'value'>): boolean => value > 0

/** Whether two rewards look the same to the user. */
export const isSame = (first: Reward, other: Reward): boolean =>
  first.label === other.label &&
  first.type === other.type &&
  first.value === other.value &&
  first.tier === other.tier

/** What can be drawn, in the order of the table. Rewards that look the same are one, with their probabilities added up. */
export const prizesOf = (rewards: readonly Prize[]): Prize[] => {
  const prizes: Prize[] = []
  for (const reward of rewards) {
    const known = prizes.find((prize) => isSame(prize, reward))
    if (known) known.probability += reward.probability
    else prizes.push({ ...reward })
  }
  return prizes.filter(({ probability }) => probability > 0)
}
