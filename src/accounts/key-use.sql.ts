/** The statement that records when keys were used. */
import { type ItemsOf, inputRows, returnsNothing, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

const useRows = inputRows({ id: 'uuid', usedAt: 'timestamptz' })

/** Records the last uses of keys. Another node may have recorded a later one. */
export const updateLastUses = statement(
  'note_key_uses',
  returnsNothing,
  (uses: ItemsOf<typeof useRows>) => Prisma.sql`
    UPDATE api_key k SET last_used_at = u.used_at
    FROM ${useRows(uses, 'u')}
    WHERE k.id = u.id AND k.id = ANY (${uses.map(({ id }) => id)}::uuid[])
      AND (k.last_used_at IS NULL OR k.last_used_at < u.used_at)`,
)
