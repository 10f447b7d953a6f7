/** Accounts other than wallets: the earnings of a developer, the points given to an agent. */
import { v7 as uuid } from 'uuid'
import { inTransaction } from '../kit/database/db.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { addCredits, insertAccountEntries } from './account.sql.ts'

export type AccountCredit = Tenant & {
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
