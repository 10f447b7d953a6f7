/** Statements on the seeds of users. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'

/** Keeps the client seed of the current server seed if a play was drawn from it. The user must be locked. */
export const keepSeed = statement(
  'keep_play_seed',
  returnsNothing,
  (userId: UserId, revealedAt: Date) => Prisma.sql`
    INSERT INTO play_seed (user_id, seed_no, partner_id, environment, client_seed, revealed_at)
    SELECT u.id, u.seed_no, u.partner_id, u.environment, u.client_seed, ${revealedAt}::timestamptz
    FROM end_user u JOIN play p ON (p.user_id, p.play_no) = (u.id, u.games_played)
    WHERE u.id = ${userId}::uuid AND p.seed_no = u.seed_no`,
)

/** Switches to the next server seed. A client seed that is null stays the same. */
export const replaceSeed = statement(
  'replace_play_seed',
  returnsNothing,
  (userId: UserId, clientSeed: string | null) => Prisma.sql`
    UPDATE end_user SET seed_no = seed_no + 1, client_seed = coalesce(${clientSeed}::text, client_seed)
    WHERE id = ${userId}::uuid`,
)

/** Switches to the next server seed without a client seed, and removes all that were set. */
export const eraseSeeds = statement(
  'erase_play_seeds',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    WITH past AS (
      UPDATE play_seed SET client_seed = NULL, is_erased = true
      WHERE user_id = ${userId}::uuid AND client_seed IS NOT NULL
    )
    UPDATE end_user SET seed_no = seed_no + 1, client_seed = NULL WHERE id = ${userId}::uuid`,
  { isPrepared: false },
)

const keyRows = inputRows({ userId: 'uuid', seedNo: 'int' })

const columns = columnsOf('PlaySeed', 's')

/** Seeds that were replaced, with the index `n` of their key in the list. */
export const selectPastSeeds = statement(
  'find_past_seeds',
  both(returns({ n: 'int' }), returnsModel('PlaySeed')),
  (keys: ItemsOf<typeof keyRows>) => Prisma.sql`
    SELECT k.n, ${columns} FROM ${keyRows(keys, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM play_seed
      WHERE (user_id, seed_no) = (k.user_id, k.seed_no) LIMIT 1) s`,
)
