/** The proofs of plays, as the verifier takes them. */
import type { Proof } from '../../packages/verifier/play.ts'

/** What a query selects of a play for its proof. */
export const proofFields = `uuid gameType
  outcome { ... on WheelOutcome { winningSegment spinAngle } ... on SlotsOutcome { reels }
    ... on BoxesOutcome { boxIndex } }
  reward { tier type value label }
  proof { version nonce clientSeed commitment serverSeed digest rules gameVersion { version } }`

/** Converts a play in GraphQL to its proof in REST. */
export const proofOf = ({
  uuid,
  proof: { gameVersion, ...proof },
  reward,
  ...play
  // biome-ignore lint/suspicious/noExplicitAny: an answer
}: any): Proof => ({
  ...play,
  ...proof,
  playId: uuid,
  gameVersion: gameVersion.version,
  reward: { ...reward, tier: reward.tier.toLowerCase(), type: reward.type.toLowerCase() },
})
