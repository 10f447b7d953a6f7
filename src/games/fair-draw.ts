/**
 * Draws a play as a pure function of server seed, client seed, nonce and the version of the game. docs/fair-plays.md
 * describes it; `packages/verifier` calculates the same and shares no code with this file.
 */
import { hash } from 'node:crypto'
import type { GameMechanic } from '../generated/prisma/client.ts'
import type { GameType } from '../generated/prisma/enums.ts'
import type { Random } from '../kit/random.ts'
import {
  drawOutcome,
  drawReward,
  type PlayOutcome,
  type Reward,
  type WeightedReward,
} from './game.rules.ts'

/** The rules of a game version that decide a draw. */
type DrawRules = { gameType: GameType; segments: number; rewards: WeightedReward[] }

/** The text of the rules that is hashed. The order of its keys is part of the format. */
export const rulesText = ({ gameType, segments, rewards }: DrawRules): string =>
  JSON.stringify({
    gameType,
    segments,
    rewards: rewards.map(({ tier, type, value, label, weight }) => ({
      tier,
      type,
      value,
      label,
      weight,
    })),
  })

export const rulesHash = (text: string): string => hash('sha256', text)

/** The commitment to a server seed, which is published before the seed is used. */
export const commitmentOfSeed = (seed: Uint8Array): string => hash('sha256', seed)

export type DrawnFrom = {
  clientSeed: string
  /** The number of the play among all plays of its user. */
  nonce: number
  gameType: GameType
  /** The version of the game. */
  version: number
  /** SHA-256 of the text of its rules. */
  rulesHash: string
}

/** The block size of HMAC-SHA256 in bytes (RFC 2104). */
const hashBlock = 64
const hashBytes = 32
/** Longer than any text of a draw. */
const longestText = 1_024
const inner = Buffer.alloc(hashBlock + longestText)
const outer = Buffer.alloc(hashBlock + hashBytes)

/**
 * HMAC-SHA256 of a text, with each byte as a character. Implemented here because `createHmac` takes ten times as long
 * as two hashes, and each play waits for it.
 */
const hmacSha256 = (key: Uint8Array, text: string): string => {
  if (key.length > hashBlock || text.length * 3 > longestText)
    throw new Error('the key or the text of a draw is too long')
  inner.fill(0x36, 0, hashBlock)
  outer.fill(0x5c, 0, hashBlock)
  for (let i = 0; i < key.length; i++) {
    inner[i] = 0x36 ^ Number(key[i])
    outer[i] = 0x5c ^ Number(key[i])
  }
  const end = hashBlock + inner.write(text, hashBlock)
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), hashBlock, 'binary')
  return hash('sha256', outer, 'binary')
}

/** One of the blocks of random bytes of a play, with each byte as a character. */
const drawBlock = (
  seed: Uint8Array,
  { clientSeed, nonce, gameType, version, rulesHash }: DrawnFrom,
  counter: number,
): string =>
  hmacSha256(
    seed,
    `tessera-play-v1\n${clientSeed}\n${nonce}\n${gameType} ${version} ${rulesHash}\n${counter}`,
  )

/** The first block, in hexadecimal. */
export const digestOfPlay = (seed: Uint8Array, from: DrawnFrom): string =>
  Buffer.from(drawBlock(seed, from, 0), 'binary').toString('hex')

/** Unbiased numbers from the blocks, by rejection sampling of 32-bit numbers. */
const chanceOf = (seed: Uint8Array, from: DrawnFrom): Random => {
  let block = drawBlock(seed, from, 0)
  let counter = 0
  let at = 0
  const word = (): number => {
    if (at === hashBytes) {
      block = drawBlock(seed, from, ++counter)
      at = 0
    }
    let number = 0
    for (const end = at + 4; at < end; at++) number = number * 256 + block.charCodeAt(at)
    return number
  }
  return {
    int: (bound) => {
      const limit = 2 ** 32 - (2 ** 32 % bound)
      for (;;) {
        const found = word()
        if (found < limit) return found % bound
      }
    },
  }
}

/** Draws a play: the reward first, then what the game shows. */
export const drawFairly = (
  seed: Uint8Array,
  from: DrawnFrom,
  { segments, rewards }: Pick<DrawRules, 'segments' | 'rewards'>,
): { reward: Reward; outcome: PlayOutcome } => {
  const chance = chanceOf(seed, from)
  const reward = drawReward(rewards, chance)
  return { reward, outcome: drawOutcome(from.gameType, segments, reward, chance) }
}

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
