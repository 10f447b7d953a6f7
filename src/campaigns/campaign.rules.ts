/** The rules of campaigns, as pure functions of the configuration and a `Random`. */
import type { Random } from '../kit/random.ts'

/** Whether a user can play again. */
export const hasPlaysLeft = (plays: number, maxPlaysPerUser: number | null): boolean =>
  maxPlaysPerUser === null || plays < maxPlaysPerUser

const million = 1_000_000

/** Whether an event draws a prize. */
export const isLucky = (winsPerMillion: number, random: Random): boolean =>
  random.int(million) < winsPerMillion

/** A prize tier for a draw. */
type Stock = { weight: number; wins: number; maxWins: number }

const isInStock = ({ wins, maxWins }: Stock) => wins < maxWins

/** Draws among the tiers that are in stock, each with probability weight / sum of those weights. */
export const drawTier = <T extends Stock>(tiers: T[], random: Random): T | null => {
  const left = tiers.filter(isInStock)
  const total = left.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return null
  let place = random.int(total)
  for (const tier of left) {
    if (place < tier.weight) return tier
    place -= tier.weight
  }
  return null
}

/** The chance of each tier, 0 to 1, with the current stock. */
export const chancesOf = (winsPerMillion: number, tiers: Stock[]): number[] => {
  const total = tiers.filter(isInStock).reduce((sum, { weight }) => sum + weight, 0)
  return tiers.map((tier) =>
    isInStock(tier) ? (winsPerMillion / million) * (tier.weight / total) : 0,
  )
}

/**
 * A public name: the display name unless it looks like an e-mail address. Otherwise the first two characters (one of
 * at most three) of the name, or of the id if there is no name. The whole id is never shown: it may be an address or a
 * credential.
 */
export const publicName = (displayName: string | null, userId: string): string => {
  const name = displayName?.trim()
  if (name && !name.includes('@')) return name
  const characters = [...(name || userId)]
  return `${characters.slice(0, characters.length > 3 ? 2 : 1).join('')}•••`
}
