/** Statements that record when keys and sign-ins were used. Another node may have recorded a later use. */

import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returnsNothing, statement } from '../kit/database/statement.ts'

const useRows = inputRows({ id: 'uuid', usedAt: 'timestamptz' })

type Uses = ItemsOf<typeof useRows>

const idsOf = (uses: Uses) => uses.map(({ id }) => id)

export const updateKeyUses = statement(
  'note_key_uses',
  returnsNothing,
  (uses: Uses) => Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM api_key WHERE id = ANY (${idsOf(uses)}::uuid[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE api_key k SET last_used_at = u.used_at
    FROM ${useRows(uses, 'u')} JOIN locked USING (id)
    WHERE k.id = u.id AND k.id = ANY (${idsOf(uses)}::uuid[])
      AND (k.last_used_at IS NULL OR k.last_used_at < u.used_at)`,
)

export const updateSignInUses = statement(
  'note_sign_in_uses',
  returnsNothing,
  (uses: Uses) => Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM sign_in WHERE id = ANY (${idsOf(uses)}::uuid[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE sign_in s SET refreshed_at = u.used_at
    FROM ${useRows(uses, 'u')} JOIN locked USING (id)
    WHERE s.id = u.id AND s.id = ANY (${idsOf(uses)}::uuid[])
      AND (s.refreshed_at IS NULL OR s.refreshed_at < u.used_at)`,
)
