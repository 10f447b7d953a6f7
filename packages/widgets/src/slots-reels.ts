/** What the reels of the slots show for a reward. */
import type { Play } from './plays.ts'
import { isPrize, isSame, type Prize, prizesOf } from './prizes.ts'

/** The prizes of a game, each of which has the symbol of its index. */
export const symbolPrizesOf = (rewards: readonly Prize[]): Prize[] =>
  prizesOf(rewards).filter(isPrize)

/**
 * The symbols of the reels: three times that of the prize, or the drawn ones for no prize. Three equal ones that were
 * drawn for no prize end with the next symbol.
 * @param symbols the number of symbols
 */
export const reelsOf = (
  { reward, outcome }: Pick<Play, 'reward' | 'outcome'>,
  prizes: readonly Prize[],
  symbols: number,
): number[] => {
  if (isPrize(reward)) {
    const found = prizes.findIndex((prize) => isSame(prize, reward))
    // A prize that the game no longer has gets a symbol that is of no other one.
    return Array(3).fill(found < 0 ? prizes.length : found)
  }
  const [first = 0, second = 0, third = 1] = outcome.reels ?? []
  return [first, second, first === second && second === third ? (third + 1) % symbols : third]
}
