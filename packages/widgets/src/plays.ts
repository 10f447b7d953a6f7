/** Games of chance and what the API says of them. */

export type GameType = 'NEON_WHEEL' | 'COSMIC_SLOTS' | 'ENIGMA_BOXES'

type Tier = 'EPIC' | 'RARE' | 'COMMON'

export type Reward = { tier: Tier; type: string; value: number; label: string }

type Outcome = {
  winningSegment?: number
  /** Degrees clockwise, within the segment. */
  spinAngle?: number
  reels?: number[]
  boxIndex?: number
}

export type Play = {
  uuid: string
  gameType: GameType
  /** The version of the game that it was drawn from. Only the answer of a play has it. */
  gameVersionNumber?: number
  /** 0 for a free play. */
  pointsSpent: number
  playedAt: string
  outcome: Outcome
  reward: Reward
}

/** Plays of a game that cost nothing. */
export type FreePlays = {
  gameType: GameType
  count: number
  /** Until when the next one can be used; null for no end. */
  nextEndsAt: string | null
}

/** What a user can play with. */
export type Wallet = { balance: number; freePlays: FreePlays[] }
