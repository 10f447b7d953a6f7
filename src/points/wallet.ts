/** Moves points between wallets and other accounts. */
import { v7 as uuid } from 'uuid'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { Transaction, Work } from '../core/runtime.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, type UserKey } from '../users/end-user.ts'
import { type EntryRow, writeMovements } from './wallet.sql.ts'

/** The user must exist. */
export type Movement = UserKey & {
  /** Positive into the wallet, negative out of it, never 0. */
  points: number
  /** The event type of the ledger entry. `…_refund` returns spent points, which do not count as earned. */
  eventType: string
  /** Where the points come from or go to: `issuance`, `session:<id>`, … */
  account: string
  /** The id of the cause: a redemption, a session, an offer. */
  sourceId: string
  metadata?: Record<string, unknown> | null
}

/**
 * `user` is the state before the list, `userAfter` the state after it. `entries` is the number of the user's entries,
 * including this one.
 */
export type Moved = {
  ledgerId: string
  user: EndUser
  userAfter: EndUser
  userBalance: number
  entries: number
  createdAt: Date
}

const nameOf = ({ partnerId, environment, externalId }: UserKey) =>
  JSON.stringify([partnerId, environment, externalId])

const isEarned = ({ points, eventType }: Movement) => points > 0 && !eventType.endsWith('_refund')

/**
 * Moves points and writes the ledger, in the order of the list, with three statements for the whole list, in the
 * caller's transaction. It writes neither timelines nor events.
 *
 * The result of a refused movement is USER_NOT_FOUND or INSUFFICIENT_POINTS.
 */
export const movePoints = async (
  work: Work,
  movements: Movement[],
): Promise<(Moved | TesseraError)[]> =>
  movements.length === 0 ? [] : inTransaction(work, (here) => movePointsIn(here, movements))

/** A user as the movements so far leave them. */
type Wallet = { user: EndUser; balance: bigint; entries: number; before: number; earned: number }

const walletOf = (user: EndUser): Wallet => {
  const { balance, entries } = user
  return { user, balance, entries, before: entries, earned: 0 }
}

const userAfter = ({ user, balance, entries, earned }: Wallet, at: Date): EndUser => ({
  ...user,
  ...{ balance, entries, score: user.score + BigInt(earned) },
  lifetimePoints: user.lifetimePoints + BigInt(earned),
  scoreReachedAt: earned > 0 ? at : user.scoreReachedAt,
})

const movePointsIn = async (
  work: Transaction,
  movements: Movement[],
): Promise<(Moved | TesseraError)[]> => {
  const keys = [...new Map(movements.map((movement) => [nameOf(movement), movement])).values()]
  await lockUsers(work, keys)
  const users = await findUsers(work, keys)
  const wallets = new Map(
    users.flatMap((user) => (user ? [[nameOf(user), walletOf(user)] as const] : [])),
  )
  const createdAt = work.clock()
  const entries: EntryRow[] = []
  const results = movements.map((movement) => {
    const wallet = wallets.get(nameOf(movement))
    if (!wallet) return new TesseraError('USER_NOT_FOUND')
    const balance = wallet.balance + BigInt(movement.points)
    if (balance < 0n)
      return new TesseraError('INSUFFICIENT_POINTS', {
        balance: Number(wallet.balance),
        price: -movement.points,
      })
    wallet.balance = balance
    wallet.entries += 1
    if (isEarned(movement)) wallet.earned += movement.points
    const ledgerId = uuid()
    entries.push({
      id: ledgerId,
      partnerId: movement.partnerId,
      environment: movement.environment,
      userId: wallet.user.id,
      entryNo: wallet.entries,
      eventType: movement.eventType,
      points: movement.points,
      balanceAfter: balance,
      account: movement.account,
      sourceId: movement.sourceId,
      metadata: movement.metadata,
    })
    const { user, entries: count } = wallet
    return { ledgerId, user, userBalance: Number(balance), entries: count, createdAt }
  })
  const changed = [...wallets.values()]
    .filter(({ entries, before }) => entries > before)
    .map(({ user: { id }, balance, entries, earned }) => ({ id, balance, entries, earned }))
  if (changed.length > 0) await writeMovements(work.tx, changed, entries, createdAt)
  const after = new Map(
    [...wallets.values()].map((wallet) => [wallet.user.id, userAfter(wallet, createdAt)]),
  )
  return results.map((result) =>
    result instanceof Error
      ? result
      : { ...result, userAfter: after.get(result.user.id) as EndUser },
  )
}
