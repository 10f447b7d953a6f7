/** Accounts that hold points and are no wallets: a developer's earnings, what an agent was given. */
import { v7 as uuid } from 'uuid'
import { inTransaction } from '../core/db/db.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'

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

type Row = { name: string; balance: bigint; entries: number }

const creditAccountsIn = async ({ tx, clock }: Work, credits: Credit[]) => {
  const rows = credits.map((credit) => ({
    name: credit.holder,
    partner_id: credit.partnerId,
    environment: credit.environment,
    points: credit.points,
  }))
  const accounts = await tx.$queryRaw<Row[]>`/* credit_accounts */
    INSERT INTO point_account AS a (name, partner_id, environment, balance, entries)
    SELECT name, partner_id, environment, sum(points), count(*)
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS c (name text, partner_id uuid, environment "Environment", points int)
    GROUP BY name, partner_id, environment ORDER BY name
    ON CONFLICT (name) DO UPDATE SET balance = a.balance + excluded.balance,
      entries = a.entries + excluded.entries
    RETURNING name, balance, entries`
  // Backwards from where each account stands now.
  const after = new Map(
    accounts.map(({ name, balance, entries }) => [name, { balance: Number(balance), entries }]),
  )
  const entries = credits.toReversed().map((credit) => {
    const state = after.get(credit.holder) as { balance: number; entries: number }
    const entry = {
      id: uuid(),
      partner_id: credit.partnerId,
      environment: credit.environment,
      holder: credit.holder,
      entry_no: state.entries,
      event_type: credit.eventType,
      points: credit.points,
      balance_after: state.balance,
      account: credit.account,
      source_id: credit.sourceId,
    }
    state.entries -= 1
    state.balance -= credit.points
    return entry
  })
  await tx.$executeRaw`/* write_account_entries */
    INSERT INTO account_entry (id, partner_id, environment, holder, entry_no, event_type, points,
      balance_after, account, source_id, created_at)
    SELECT e.*, ${clock()}::timestamptz
    FROM json_to_recordset(${JSON.stringify(entries)}::json) AS e (id uuid, partner_id uuid,
      environment "Environment", holder text, entry_no int, event_type text, points int,
      balance_after bigint, account text, source_id text)`
}
