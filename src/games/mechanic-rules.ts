/** The rules of versions of games as texts, with their hashes. Versions never change, so they are made once. */
import { LRUCache } from 'lru-cache'
import type { GameMechanic } from '../generated/prisma/client.ts'
import { rulesHash, rulesText } from './fair-draw.ts'
import type { WeightedReward } from './game.rules.ts'

type Ruled = Pick<GameMechanic, 'gameType' | 'segments' | 'rewards'>

/** The text that a proof shows. */
export const textOfRules = ({ gameType, segments, rewards }: Ruled): string =>
  rulesText({ gameType, segments, rewards: rewards as WeightedReward[] })

const hashes = new LRUCache<string, string>({ max: 5_000 })

/** The hash of the rules of a mechanic in the version that it has. */
export const hashOfRules = (mechanic: Ruled & Pick<GameMechanic, 'id' | 'version'>): string => {
  const name = `${mechanic.id} ${mechanic.version}`
  let found = hashes.get(name)
  if (!found) {
    found = rulesHash(textOfRules(mechanic))
    hashes.set(name, found)
  }
  return found
}
