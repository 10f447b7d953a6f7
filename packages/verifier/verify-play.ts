/**
 * Verifies plays of games of chance offline: `node verify-play.ts proof.json …`.
 *
 * This file uses nothing but Node itself, and no code of the server that drew the play. What it checks,
 * and how, is described in docs/fair-plays.md, so that anybody can write their own verifier.
 */
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

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

type Finding = { ok: boolean; text: string }

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/** One block of 32 random bytes of a play. */
const blockOf = (proof: Proof, seed: Uint8Array, counter: number): Buffer => {
  const { clientSeed, nonce, gameType, gameVersion, rules } = proof
  const game = `${gameType} ${gameVersion} ${sha256(rules)}`
  const text = `tessera-play-v1\n${clientSeed}\n${nonce}\n${game}\n${counter}`
  return createHmac('sha256', seed).update(text).digest()
}

/** Whole numbers below a bound, each equally likely, from the blocks of a play. */
const chanceOf = (proof: Proof, seed: Uint8Array) => {
  const words: number[] = []
  let counter = 0
  const word = () => {
    if (words.length === 0) {
      const block = blockOf(proof, seed, counter++)
      for (let i = 0; i < 32; i += 4) words.push(block.readUInt32BE(i))
    }
    return words.shift() as number
  }
  return (bound: number): number => {
    // Words at the top of the range, which would favor small numbers, are skipped.
    const fair = Math.floor(4294967296 / bound) * bound
    for (;;) {
      const found = word()
      if (found < fair) return found % bound
    }
  }
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

/** The rules of a proof that this program understands; null if there are none. */
const rulesOf = ({ version, rules }: Proof): Rules | null => {
  try {
    const read: unknown = JSON.parse(rules)
    return version === 1 && isRules(read) ? read : null
  } catch {
    return null
  }
}

/** The verdict on a proof whose parts are not what the format says. */
const notUnderstood: Finding[] = [
  { ok: false, text: 'This is no proof that this program understands.' },
]

/** Checks a proof. Returns the result of each check. */
export const verifyPlay = (proof: Proof): Finding[] => {
  const rules = rulesOf(proof)
  if (!rules) return notUnderstood
  const { serverSeed, commitment, digest, gameType } = proof
  if (!serverSeed)
    return [
      { ok: false, text: 'The server seed is not revealed yet: the user has to replace it first.' },
    ]
  const seed = Buffer.from(serverSeed, 'hex')
  const findings: Finding[] = []
  const check = (ok: boolean, good: string, bad: string) =>
    findings.push({ ok, text: ok ? good : bad })
  check(
    sha256(seed) === commitment,
    'The server seed is the one that was promised before the play.',
    'The server seed is NOT the one that was promised: its SHA-256 is not the commitment.',
  )
  check(
    rules.gameType === gameType && blockOf(proof, seed, 0).toString('hex') === digest,
    `The random bytes follow from both seeds, play ${proof.nonce}, and version ${proof.gameVersion} of the game.`,
    'The random bytes do NOT follow from the seeds, the number of the play, and the version of the game.',
  )
  const chance = chanceOf(proof, seed)
  const { weight: _, ...reward } = { weight: 0, ...drawReward(rules, chance) }
  check(
    textOf(reward) === textOf(proof.reward),
    `The reward follows from them: ${proof.reward?.label}.`,
    `The reward does NOT follow from them. It should be: ${JSON.stringify(reward)}.`,
  )
  const outcome = drawOutcome(rules, String((reward as Partial<Reward>).tier), chance)
  check(
    textOf(outcome) === textOf(proof.outcome),
    'What the game showed follows from them, too.',
    `What the game showed does NOT follow from them. It should be: ${JSON.stringify(outcome)}.`,
  )
  return findings
}

/** A file that this program cannot verify. The message is one line. */
class UnusableFileError extends Error {}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

const unreadable = (path: string, { code = '', message }: NodeJS.ErrnoException) =>
  new UnusableFileError(`${path} cannot be read: ${reasons[code] ?? message}`)

/** @throws UnusableFileError */
const readProof = (path: string): Proof => {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'))
    // An answer of the API has it in `data`.
    const proof = read?.data ?? read
    if (typeof proof === 'object' && proof !== null && !Array.isArray(proof)) return proof
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(path, error as Error)
    throw new UnusableFileError(`${path} is no proof: it is not JSON`)
  }
  throw new UnusableFileError(`${path} is no proof: it is not a JSON object`)
}

const verifyFile = (path: string): Finding[] => {
  const proof = readProof(path)
  try {
    return verifyPlay(proof)
  } catch {
    return notUnderstood // its parts are not what the format says
  }
}

/** Prints what the checks of proofs find. Returns the exit code. */
export const main = (paths: string[]): number => {
  if (paths.length === 0) {
    console.error('Usage: node verify-play.ts proof.json …')
    return 2
  }
  let isGood = true
  try {
    for (const path of paths) {
      const findings = verifyFile(path)
      if (paths.length > 1) console.log(path)
      for (const { ok, text } of findings) console.log(`${ok ? '✓' : '✗'} ${text}`)
      isGood &&= findings.every(({ ok }) => ok)
    }
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error
    console.error(error.message)
    return 2
  }
  console.log(
    isGood
      ? '\nThe proof holds. What it cannot show is in docs/fair-plays.md.'
      : '\nThe proof does NOT hold.',
  )
  return isGood ? 0 : 1
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
