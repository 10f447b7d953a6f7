/**
 * The arithmetic of docs/fair-plays.md. It uses no code of the server that draws plays. The program `verify-play` and the
 * page `/plays/check` share it.
 */
import { chanceOf } from './chance.ts'
import { type Finding, Findings, notUnderstood } from './finding.ts'
import { fromHex, hmacSha256, sha256, toHex } from './sha256.ts'

type Reward = { tier: string; type: string; value: number; label: string }
type Rules = { gameType: string; segments: number; rewards: (Reward & { weight: number })[] }
export type Proof = {
  version: number
  playId: string
  gameType: string
  gameVersion: number
  nonce: number
  clientSeed: string
  commitment: string
  serverSeed: string | null
  digest: string
  rules: string
  outcome: Record<string, unknown>
  reward: Reward
}

/** The blocks of 32 random bytes of a play, by their number. */
const blocksOf = ({ clientSeed, nonce, gameType, gameVersion, rules }: Proof, seed: Uint8Array) => {
  const game = `${gameType} ${gameVersion} ${toHex(sha256(rules))}`
  const text = `tessera-play-v1\n${clientSeed}\n${nonce}\n${game}`
  return (counter: number) => hmacSha256(seed, `${text}\n${counter}`)
}

type Chance = ReturnType<typeof chanceOf>

const drawReward = ({ rewards }: Rules, chance: Chance): Reward | undefined => {
  let left = chance(rewards.reduce((sum, { weight }) => sum + weight, 0))
  return rewards.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

const drawOutcome = ({ gameType, segments }: Rules, tier: string, chance: Chance): object => {
  if (gameType === 'ENIGMA_BOXES') return { boxIndex: chance(segments) }
  const first = chance(segments)
  if (gameType === 'NEON_WHEEL') {
    // Hundredths of a degree, strictly inside of the segment.
    const from = Math.floor((first * 36000) / segments) + 1
    const to = Math.ceil(((first + 1) * 36000) / segments) - 1
    return { winningSegment: first, spinAngle: (from + chance(to - from + 1)) / 100 }
  }
  if (tier !== 'common') return { reels: [first, first, first] }
  // Any triple that starts with this symbol, except three equal ones.
  const pair = chance(segments * segments - 1)
  const other = pair < first * segments + first ? pair : pair + 1
  return { reels: [first, Math.floor(other / segments), other % segments] }
}

/** A text that is the same for the same values, whatever the order of their keys. */
const textOf = (value: object | undefined): string =>
  JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))

const isRules = (value: unknown): value is Rules => {
  const { segments, rewards } = (value ?? {}) as Partial<Rules>
  return (
    Number.isInteger(segments) &&
    Number(segments) > 1 &&
    Array.isArray(rewards) &&
    rewards.every(({ weight }) => Number.isInteger(weight) && weight >= 0) &&
    rewards.some(({ weight }) => weight > 0)
  )
}

/** The rules of a proof; null if it is not what the format says. */
export const rulesOf = ({ version, rules }: Proof): Rules | null => {
  try {
    const read: unknown = JSON.parse(rules)
    return version === 1 && isRules(read) ? read : null
  } catch {
    return null
  }
}

/** What is said of each check. `{nonce}` and the like stand for values. */
export const playTexts = {
  notRevealed: 'The server seed is not revealed yet: the user has to replace it first.',
  seedPromised: 'The server seed is the one that was promised before the play.',
  seedNotPromised:
    'The server seed is NOT the one that was promised: its SHA-256 is not the commitment.',
  bytesFollow:
    'The random bytes follow from both seeds, play {nonce}, and version {version} of the game.',
  bytesDoNot:
    'The random bytes do NOT follow from the seeds, the number of the play, and the version of the game.',
  rewardFollows: 'The reward follows from them: {reward}.',
  rewardDoesNot: 'The reward does NOT follow from them. It should be: {reward}.',
  outcomeFollows: 'What the game showed follows from them, too.',
  outcomeDoesNot: 'What the game showed does NOT follow from them. It should be: {outcome}.',
}

const filled = (text: string, values: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Checks a proof. Returns the result of each check, in English unless there are other texts. */
export const verifyPlay = (proof: Proof, texts: typeof playTexts = playTexts): Finding[] => {
  const rules = rulesOf(proof)
  if (!rules) return notUnderstood
  const { serverSeed, commitment, digest, gameType } = proof
  if (!serverSeed) return [{ ok: false, text: texts.notRevealed }]
  const seed = fromHex(serverSeed)
  const blockOf = blocksOf(proof, seed)
  const found = new Findings()
  found.check(toHex(sha256(seed)) === commitment, texts.seedPromised, texts.seedNotPromised)
  found.check(
    rules.gameType === gameType && toHex(blockOf(0)) === digest,
    filled(texts.bytesFollow, { nonce: proof.nonce, version: proof.gameVersion }),
    texts.bytesDoNot,
  )
  const chance = chanceOf(blockOf)
  const { weight: _, ...reward } = { weight: 0, ...drawReward(rules, chance) }
  found.check(
    textOf(reward) === textOf(proof.reward),
    filled(texts.rewardFollows, { reward: proof.reward?.label }),
    filled(texts.rewardDoesNot, { reward: JSON.stringify(reward) }),
  )
  const outcome = drawOutcome(rules, String((reward as Partial<Reward>).tier), chance)
  found.check(
    textOf(outcome) === textOf(proof.outcome),
    texts.outcomeFollows,
    filled(texts.outcomeDoesNot, { outcome: JSON.stringify(outcome) }),
  )
  return found.all
}
