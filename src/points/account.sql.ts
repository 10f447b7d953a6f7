/** Statements that credit accounts. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

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

const entryRows = inputRows({
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
  (entries: ItemsOf<typeof entryRows>, createdAt: Date) => Prisma.sql`
    INSERT INTO account_entry (id, partner_id, environment, holder, entry_no, event_type, points,
      balance_after, account, source_id, created_at)
    SELECT id, partner_id, environment, holder, entry_no, event_type, points, balance_after, account,
      source_id, ${createdAt}::timestamptz
    FROM ${entryRows(entries, 'e')}`,
)
