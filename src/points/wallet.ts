/** Moves points between wallets and other accounts: the earnings of a developer, the points given to an agent. */
import { v7 as uuid } from 'uuid'
import type { EndUser } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { findUsers, lockUsers, nameOf, type UserKey } from '../users/end-user.ts'
import { addCredits, type EntryRow, insertAccountEntries, writeMovements } from './wallet.sql.ts'

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

/** `user` is the state before the list. */
type Step = {
  entry: EntryRow
  user: EndUser
  createdAt: Date
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

/** The lifetime points that a movement adds. A reversal subtracts what its entry added. */
const earnedBy = ({ points, eventType, account }: Movement): number => {
  if (account === reversals) return Math.min(points, 0)
  return eventType.endsWith('_refund') ? 0 : Math.max(points, 0)
}

/** The state of a user after the movements so far. */
type Wallet = { user: EndUser; balance: bigint; entries: number; before: number; earned: number }

const walletOf = (user: EndUser): Wallet => {
  const { balance, entries } = user
  return { user, balance, entries, before: entries, earned: 0 }
}

const userAfter = ({ user, balance, entries, earned }: Wallet, at: Date): EndUser => ({
  ...user,
  balance,
  entries,
  score: user.score + BigInt(earned),
  lifetimePoints: user.lifetimePoints + BigInt(earned),
  scoreReachedAt: earned !== 0 ? at : user.scoreReachedAt,
})

/** Locks wallets until the transaction ends, for movements that take effect in the order of their calls. */
export const openWallets = async (work: Transaction, users: UserKey[]) => {
  const keys = [...new Map(users.map((key) => [nameOf(key), key])).values()]
  await lockUsers(work, keys)
  const wallets = new Map(
    (await findUsers(work, keys)).flatMap((user, n) =>
      user ? [[nameOf(keys[n] as UserKey), walletOf(user)] as const] : [],
    ),
  )
  const createdAt = work.clock()
  const written: EntryRow[] = []

  /** Moves points, to be written later. A refused movement is USER_NOT_FOUND or INSUFFICIENT_POINTS. */
  const move = (movement: Movement): Step | TesseraError => {
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
    wallet.earned += earnedBy(movement)
    const { eventType, points, account, reference, sourceId, metadata } = movement
    const entry: EntryRow = {
      id: uuid(),
      ...tenantOf(movement),
      userId: wallet.user.id,
      entryNo: wallet.entries,
      eventType,
      points,
      balanceAfter: balance,
      account,
      reference,
      sourceId,
      metadata,
    }
    written.push(entry)
    return { entry, user: wallet.user, createdAt }
  }

  /** Writes the movements. Returns the users after them, by id. */
  const write = async (): Promise<ReadonlyMap<string, EndUser>> => {
    const all = [...wallets.values()]
    const changed = all
      .filter(({ entries, before }) => entries > before)
      .map(({ user: { id }, balance, entries, earned }) => ({ id, balance, entries, earned }))
    if (changed.length > 0) await writeMovements(work.tx, changed, written, createdAt)
    return new Map(all.map((wallet) => [wallet.user.id, userAfter(wallet, createdAt)]))
  }

  return { move, write }
}

/**
 * Moves points and writes the ledger, in the order of the list, with three statements for the whole list, in the
 * caller's transaction. It writes neither timelines nor events.
 *
 * The result of a refused movement is USER_NOT_FOUND or INSUFFICIENT_POINTS.
 */
export const movePoints = async (
  work: Work,
  movements: Movement[],
): Promise<(Moved | TesseraError)[]> => {
  if (movements.length === 0) return []
  return inTransaction(work, async (here) => {
    const wallets = await openWallets(here, movements)
    const steps = movements.map(wallets.move)
    const after = await wallets.write()
    return steps.map((step) => (step instanceof Error ? step : movedBy(step, after)))
  })
}

const movedBy = ({ entry, user, createdAt }: Step, after: ReadonlyMap<string, EndUser>): Moved => ({
  ledgerId: entry.id,
  user,
  userAfter: after.get(user.id) as EndUser,
  userBalance: Number(entry.balanceAfter),
  entries: entry.entryNo,
  createdAt,
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
  if (credits.length > 0) await inTransaction(work, (here) => creditAccountsIn(here, credits))
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
