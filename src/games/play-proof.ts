/** Proofs, with which a play can be verified: docs/fair-plays.md. */

import type { EndUser, GameMechanicVersion, Play } from '../generated/prisma/client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import { tenantOf } from '../kit/tenant.ts'
import { commitmentOfSeed, digestOfPlay, rulesHash, textOfRules } from './fair-draw.ts'
import { findMechanicVersions } from './mechanic.ts'
import { clientSeedOf, findPastSeeds, serverSeedOf } from './play-seed.ts'

export type PlayOfUser = Play & { user: EndUser }

export type PlayProof = {
  play: PlayOfUser
  gameVersion: GameMechanicVersion
  commitment: string
  /** Null until the seed is replaced. */
  serverSeed: string | null
  clientSeed: string
  nonce: number
  rules: string
  digest: string
}

/** The client seed of a play; null if it was erased. */
const clientSeedOfPlay = async (
  runtime: Pick<Runtime, 'readAll'>,
  { user, seedNo }: { user: EndUser; seedNo: number },
): Promise<string | null> => {
  if (seedNo === user.seedNo) return clientSeedOf(user)
  const past = await load(runtime, findPastSeeds, { userId: user.id, seedNo })
  return past && !past.isErased ? clientSeedOf({ id: user.id, clientSeed: past.clientSeed }) : null
}

/** The proof of a play; null if its client seed was erased. */
export const proofOfPlay = async (
  runtime: Pick<Runtime, 'readAll' | 'keys'>,
  play: PlayOfUser,
): Promise<PlayProof | null> => {
  const { user, seedNo, mechanicVersion: version, gameType, playNo: nonce } = play
  const [clientSeed, gameVersion] = await Promise.all([
    clientSeedOfPlay(runtime, { user, seedNo }),
    load(runtime, findMechanicVersions, { ...tenantOf(play), gameType, version }),
  ])
  if (clientSeed === null) return null
  const seed = serverSeedOf(runtime, user.id, seedNo)
  const rules = textOfRules({ gameType, ...gameVersion })
  const from = { clientSeed, nonce, gameType, version, rulesHash: rulesHash(rules) }
  return {
    play,
    gameVersion,
    clientSeed,
    nonce,
    rules,
    commitment: commitmentOfSeed(seed),
    serverSeed: seedNo < user.seedNo ? seed.toString('hex') : null,
    digest: digestOfPlay(seed, from),
  }
}
