import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { usersByKey } from '../users/end-user.sql.ts'

/** The new balances and lifetime points of wallets. */
const walletRows = inputRows({ id: 'uuid', balance: 'bigint', entries: 'int', earned: 'bigint' })

const entryRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  userId: 'uuid',
  entryNo: 'int',
  eventType: 'text',
  points: 'int',
  balanceAfter: 'bigint',
  account: 'text',
  reference: 'text?',
  sourceId: 'text?',
  metadata: 'json?',
})

/** An entry of the ledger to write. */
export type EntryRow = ItemsOf<typeof entryRows>[number]

/** Writes wallets, which are locked, and their ledger entries. */
export const writeMovements = statement(
  'move_points',
  returnsNothing,
  (wallets: ItemsOf<typeof walletRows>, entries: EntryRow[], createdAt: Date) => Prisma.sql`
    WITH wallet AS (
      UPDATE end_user u SET balance = c.balance, entries = c.entries,
        lifetime_points = u.lifetime_points + c.earned,
        score_reached_at = CASE WHEN c.earned <> 0 THEN ${createdAt}::timestamptz
          ELSE u.score_reached_at END
      FROM ${walletRows(wallets, 'c')}
      WHERE u.id = c.id AND u.id = ANY (${wallets.map(({ id }) => id)}::uuid[]) AND ${usersByKey}
    )
    INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
      balance_after, account, reference, source_id, metadata, created_at)
    SELECT id, partner_id, environment, user_id, entry_no, event_type, points, balance_after,
      account, reference, source_id, metadata, ${createdAt}::timestamptz
    FROM ${entryRows(entries, 'e')}`,
)

const creditRows = inputRows({
  holder: 'text',
  partnerId: 'uuid',
  environment: 'Environment',
  points: 'int',
})

/** Adds credits to accounts, and creates accounts that do not exist. Returns each account afterwards. */
export const addCredits = statement(
  'credit_accounts',
  returns({ name: 'text', balance: 'bigint', entries: 'int' }),
  (credits: ItemsOf<typeof creditRows>) => Prisma.sql`
    INSERT INTO point_account AS a (name, partner_id, environment, balance, entries)
    SELECT holder, partner_id, environment, sum(points), count(*) FROM ${creditRows(credits, 'c')}
    GROUP BY holder, partner_id, environment ORDER BY holder
    ON CONFLICT (name) DO UPDATE SET balance = a.balance + excluded.balance,
      entries = a.entries + excluded.entries
    RETURNING name, balance, entries`,
)

const accountEntryRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  holder: 'text',
  entryNo: 'int',
  eventType: 'text',
  points: 'int',
  balanceAfter: 'bigint',
  account: 'text',
  sourceId: 'text',
})

export const insertAccountEntries = statement(
  'write_account_entries',
  returnsNothing,
  (entries: ItemsOf<typeof accountEntryRows>, createdAt: Date) => Prisma.sql`
    INSERT INTO account_entry (id, partner_id, environment, holder, entry_no, event_type, points,
      balance_after, account, source_id, created_at)
    SELECT id, partner_id, environment, holder, entry_no, event_type, points, balance_after, account,
      source_id, ${createdAt}::timestamptz
    FROM ${accountEntryRows(entries, 'e')}`,
)
