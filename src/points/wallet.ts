/** Moves points between wallets and other accounts: the earnings of a developer, the points given to an agent. */
import { v7 as uuid } from 'uuid'
import type { EndUser } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, nameOf, type UserKey } from '../users/end-user.ts'
import { addCredits, insertAccountEntries, insertMovements } from './wallet.sql.ts'

/** The account of reversals. */
export const reversals = 'reversals'

/** The user must exist. */
export type Movement = UserKey & {
  /** Positive into the wallet, negative out of it, never 0. */
  points: number
  /** The event type of the ledger entry. `…_refund` returns spent points, which do not count as earned. */
  eventType: string
  /** Where the points come from or go to: `issuance`, `session:<id>`, … */
  account: string
  /** The id of the cause: a redemption, a session, an offer. */
  sourceId?: string
  /** Unique for its event type. The caller checks that no entry has it. */
  reference?: string | null | undefined
  metadata?: Record<string, unknown> | null
}

/** An entry that was written. `user` is the user after the list. */
export type Moved = {
  ledgerId: string
  user: EndUser
  userBalance: number
  /** The number of the user's entries, including this one. */
  entries: number
}

type Wallet = { user: EndUser; balance: bigint }

/** The fields of a user that entries change. */
export type WalletState = Pick<
  EndUser,
  | 'balance'
  | 'lifetimePoints'
  | 'gamesPlayed'
  | 'rewardsWon'
  | 'entries'
  | 'score'
  | 'scoreReachedAt'
>

/** A user with the wallet that a statement has returned. */
export const userAfter = (
  user: EndUser,
  { balance, lifetimePoints, gamesPlayed, rewardsWon, entries, ...state }: WalletState,
): EndUser => ({
  ...user,
  balance,
  lifetimePoints,
  gamesPlayed,
  rewardsWon,
  entries,
  score: state.score,
  scoreReachedAt: state.scoreReachedAt,
})

/** Locks wallets until the transaction ends, and decides what they can pay. */
export const openWallets = async (work: Transaction, users: UserKey[]) => {
  const wallets = new Map<string, Wallet>()
  for (const user of await lockUsers(work, users))
    if (user) wallets.set(nameOf(user), { user, balance: user.balance })

  /**
   * The user of a movement, which counts for the movements after it. A refused movement is USER_NOT_FOUND or
   * INSUFFICIENT_POINTS.
   */
  const pay = ({ points, ...owner }: UserKey & { points: number }): EndUser | TesseraError => {
    const wallet = wallets.get(nameOf(owner))
    if (!wallet) return new TesseraError('USER_NOT_FOUND')
    const { user, balance } = wallet
    if (balance + BigInt(points) < 0n)
      return new TesseraError('INSUFFICIENT_POINTS', { balance: Number(balance), price: -points })
    wallet.balance += BigInt(points)
    return user
  }
  /** How many of the points that a movement takes are missing. */
  const missing = ({ points, ...owner }: UserKey & { points: number }): number => {
    const after = (wallets.get(nameOf(owner))?.balance ?? 0n) + BigInt(points)
    return after < 0n ? Number(-after) : 0
  }
  return Object.assign(pay, { missing })
}

/**
 * Moves points and writes the ledger, in the order of the list, in one statement. The users exist, are locked, and can
 * pay. It writes neither timelines nor events.
 */
export const postMovements = async ({ tx, clock }: Transaction, movements: Movement[]) => {
  if (movements.length === 0) return []
  const rows = movements.map((movement) => ({ ...movement, id: uuid() }))
  const posted = await insertMovements(tx, rows, clock())
  return posted.map((entry) => ({ ...entry, ledgerId: rows[entry.n]?.id as string }))
}

/**
 * The same for users who are not locked yet, and for movements that may be refused. The result of a refused movement is
 * USER_NOT_FOUND, USER_BLOCKED or INSUFFICIENT_POINTS.
 */
export const movePoints = (work: Work, movements: Movement[]): Promise<(Moved | TesseraError)[]> =>
  inTransaction(work, async (txWork) => {
    const pay = await openWallets(txWork, movements)
    const users = movements.map((movement) => {
      const user = pay({ ...movement, points: 0 })
      if (user instanceof Error) return user
      return isBlocked(user, txWork.clock()) ? userBlocked() : pay(movement)
    })
    const places = [...users.keys()].filter((n) => !(users[n] instanceof Error))
    const results = [...users] as (Moved | TesseraError)[]
    const posted = await postMovements(
      txWork,
      places.map((n) => movements[n] as Movement),
    )
    for (const { n, ledgerId, entryNo, balanceAfter, ...wallet } of posted) {
      const place = places[n] as number
      const user = userAfter(users[place] as EndUser, wallet)
      results[place] = { ledgerId, user, userBalance: Number(balanceAfter), entries: entryNo }
    }
    return results
  })

type AccountCredit = Tenant & {
  /** The account that receives: `developer:<partnerId>`, `agent:<id>`. The first credit creates it. */
  holder: string
  /** Above 0. */
  points: number
  eventType: string
  /** Where the points come from: `session:<id>`, … */
  account: string
  /** The id of the cause. The database rejects a second credit of a holder for the same cause. */
  sourceId: string
}

/**
 * Credits accounts and writes their entries, in the order of the list, with two statements for the whole list, in the
 * caller's transaction. Together with the entries of wallets that name the same `account`, the points of that account
 * add up to zero.
 */
export const creditAccounts = async (work: Work, credits: AccountCredit[]): Promise<void> => {
  if (credits.length > 0) await inTransaction(work, (txWork) => creditAccountsIn(txWork, credits))
}

const creditAccountsIn = async ({ tx, clock }: Transaction, credits: AccountCredit[]) => {
  const accounts = await addCredits(tx, credits)
  // The statement returns the last state: subtract the credits from the last to the first.
  const after = new Map(
    accounts.map(({ name, balance, entries }) => [name, { balance: Number(balance), entries }]),
  )
  const entries = credits.toReversed().map((credit) => {
    const state = after.get(credit.holder) as { balance: number; entries: number }
    const { balance: balanceAfter, entries: entryNo } = state
    state.entries -= 1
    state.balance -= credit.points
    return { ...credit, id: uuid(), entryNo, balanceAfter }
  })
  await insertAccountEntries(tx, entries, clock())
}
