/** The seeds of users: commitments, rotation and erasure (docs/decisions/plays-are-derived-from-committed-seeds.md). */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { EndUser, PlaySeed } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { macOf } from '../kit/security/seal.ts'
import { singleton } from '../kit/singleton.ts'
import type { UserId } from '../kit/user-id.ts'
import { text } from '../kit/validation.ts'
import { findUsers, lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { commitmentOfSeed } from './fair-draw.ts'
import { eraseSeeds, keepSeed, replaceSeed, selectPastSeeds } from './play.sql.ts'

export const RotatePlaySeed = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    clientSeed: text(64)
      .regex(/^\P{Cc}*$/u, 'must not contain control characters')
      .nullish()
      .describe('The new client seed: anything that you choose. Omitted, it stays the same.'),
  })
  .describe('The user whose seeds are replaced, and a new client seed.')

type Keys = Pick<Work, 'keys'>
type Seeded = Pick<EndUser, 'id' | 'seedNo' | 'clientSeed'>

/** The cache of the current server seeds of users. */
const memoryOf = singleton(
  'play seeds',
  () => new LRUCache<UserId, { seedNo: number; seed: Buffer }>({ max: 20_000 }),
)

/**
 * A server seed of a user. It is not stored but derived from the secret of the database, which is sealed under the
 * master key and never changes, so that no seed can be exchanged after its commitment was shown.
 */
export const serverSeedOf = ({ keys }: Keys, userId: UserId, seedNo: number): Buffer =>
  macOf(keys.pepper, 'play-seed', `${userId} ${seedNo}`)

/** The server seed of the next play of a user, from memory if they have played before. */
export const currentSeedOf = (
  work: Keys & Pick<Work, 'singletons'>,
  { id, seedNo }: Seeded,
): Buffer => {
  const memory = memoryOf(work)
  const known = memory.get(id)
  if (known?.seedNo === seedNo) return known.seed
  const seed = serverSeedOf(work, id, seedNo)
  memory.set(id, { seedNo, seed })
  return seed
}

/** The client seed of the plays of a user. Until they set one, it is their id. */
export const clientSeedOf = ({ id, clientSeed }: Pick<EndUser, 'id' | 'clientSeed'>): string =>
  clientSeed ?? id

/** The seed data that is public before a play. */
export type PlaySeeds = {
  /** Of the current server seed, and of the one after it. */
  commitment: string
  nextCommitment: string
  clientSeed: string
  nextNonce: number
}

export const playSeedsOf = (
  work: Keys,
  user: Seeded & Pick<EndUser, 'gamesPlayed'>,
): PlaySeeds => ({
  commitment: commitmentOfSeed(serverSeedOf(work, user.id, user.seedNo)),
  nextCommitment: commitmentOfSeed(serverSeedOf(work, user.id, user.seedNo + 1)),
  clientSeed: clientSeedOf(user),
  nextNonce: user.gamesPlayed + 1,
})

/** A server seed that is no longer used. */
export type RevealedSeed = { serverSeed: string; commitment: string; clientSeed: string }

/**
 * Replaces the server seed of a user with the next one, whose commitment was shown before, and the client seed if there
 * is a new one. The old server seed is revealed; a play that was drawn from it and not yet written is drawn again.
 * @throws TesseraError USER_NOT_FOUND
 */
export const rotatePlaySeed = (
  work: Work,
  key: UserKey,
  clientSeed: string | null,
): Promise<{ user: EndUser; revealed: RevealedSeed }> =>
  inTransaction(work, async (txWork) => {
    const [before] = await lockUsers(txWork, [key])
    if (!before) throw new TesseraError('USER_NOT_FOUND')
    await keepSeed(txWork.tx, before.id, txWork.clock())
    await replaceSeed(txWork.tx, before.id, clientSeed)
    const [user] = await findUsers(txWork, [key])
    const seed = serverSeedOf(txWork, before.id, before.seedNo)
    const revealed = {
      serverSeed: seed.toString('hex'),
      commitment: commitmentOfSeed(seed),
      clientSeed: clientSeedOf(before),
    }
    return { user: user as EndUser, revealed }
  })

/** Removes the client seeds of a user, which may contain a name. The user must be locked. */
export const eraseClientSeeds = async (
  { tx, clock }: Transaction,
  userId: UserId,
): Promise<void> => {
  await keepSeed(tx, userId, clock())
  await eraseSeeds(tx, userId)
}

/** Reads seeds that were replaced, in one statement; null for those without plays. */
export const findPastSeeds = async (
  { tx }: Work,
  keys: { userId: UserId; seedNo: number }[],
): Promise<(PlaySeed | null)[]> => {
  const found = new Map(
    (await selectPastSeeds(tx, keys)).map(({ n, ...seed }) => [n, seed as PlaySeed]),
  )
  return keys.map((_, n) => found.get(n) ?? null)
}
