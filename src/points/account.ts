/** Accounts that hold points and are no wallets: a developer's earnings, what an agent was given. */
import { v7 as uuid } from 'uuid'
import { inTransaction } from '../core/db/db.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { addCredits, insertAccountEntries } from './account.sql.ts'

export type Credit = Tenant & {
  /** The account that receives: `developer:<partnerId>`, `agent:<id>`. Made by its first credit. */
  holder: string
  /** Above 0. */
  points: number
  eventType: string
  /** Where the points come from: `session:<id>`, … */
  account: string
  /** What causes it. The same cause cannot credit the holder a second time: the database refuses it. */
  sourceId: string
}

/**
 * Credits accounts and writes their entries: in the order of the list, two statements for all of it, in
 * the caller's transaction. Together with the entries of wallets that name the same `account`, the points
 * of that account add up to zero.
 */
export const creditAccounts = async (work: Work, credits: Credit[]): Promise<void> => {
  if (credits.length > 0)
    await inTransaction(work.tx, (tx) => creditAccountsIn({ ...work, tx }, credits))
}

const creditAccountsIn = async ({ tx, clock }: Work, credits: Credit[]) => {
  const accounts = await addCredits(tx, credits)
  // Backwards from where each account stands now.
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
