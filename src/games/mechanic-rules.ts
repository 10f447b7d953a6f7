/** The rules of versions of games as texts, with their hashes. */
import type { GameMechanic } from '../generated/prisma/client.ts'
import { rulesHash, rulesText } from './fair-draw.ts'
import type { WeightedReward } from './game.rules.ts'

type Ruled = Pick<GameMechanic, 'gameType' | 'segments' | 'rewards'>

/** The text that a proof shows. */
export const textOfRules = ({ gameType, segments, rewards }: Ruled): string =>
  rulesText({ gameType, segments, rewards: rewards as WeightedReward[] })

const hashes = new WeakMap<Ruled, string>()

/** The hash of the rules of a mechanic. Calculated once for each mechanic in memory. */
export const hashOfRules = (mechanic: Ruled): string => {
  let found = hashes.get(mechanic)
  if (!found) {
    found = rulesHash(textOfRules(mechanic))
    hashes.set(mechanic, found)
  }
  return found
}
