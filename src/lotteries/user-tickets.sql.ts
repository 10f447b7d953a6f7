/** Statements about tickets by their holders. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'

const holders = inputRows({
  place: 'int',
  partnerId: 'uuid',
  environment: 'Environment',
  holder: 'text',
  isAddress: 'boolean',
  maxCount: 'int',
})

/** Counts the tickets of each holder, up to a number. */
export const countHeldTickets = statement(
  'count_held_tickets',
  returns({ place: 'int', count: 'int' }),
  (items: ItemsOf<typeof holders>) => Prisma.sql`
    SELECT k.place, t.count FROM ${holders(items, 'k')}
    CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM (SELECT FROM lottery_ticket
      WHERE partner_id = k.partner_id AND environment = k.environment
        AND coalesce(external_user_id, lower(email)) = k.holder
        AND (external_user_id IS NULL) = k.is_address
      LIMIT k.max_count) h) t`,
)
