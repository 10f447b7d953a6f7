/** Statements that advance a draw. Each requires the status that it starts from, so it is idempotent. */

import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, returnsNothing, statement } from '../kit/database/statement.ts'

/** Locks a draw that is still open; returns nothing when it is not. */
export const lockDrawIfOpen = lockStatement(
  'lock_open_draw',
  returns({ id: 'uuid' }),
  (id: string, now: Date) => Prisma.sql`
    SELECT id FROM lottery_draw
    WHERE id = ${id}::uuid AND status = 'OPEN' AND closes_at > ${now}::timestamptz
    FOR NO KEY UPDATE`,
)

/** Locks a draw in any state. */
export const lockDraw = lockStatement(
  'lock_draw',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`
    SELECT id FROM lottery_draw WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/**
 * Closes an open draw that is due. `early` closes it now and makes it due, so that a job draws it even after a crash.
 */
export const markDrawClosed = statement(
  'close_draw',
  returnsNothing,
  (id: string, now: Date, early: boolean) => Prisma.sql`
    UPDATE lottery_draw SET status = 'CLOSED', closed_at = ${now}::timestamptz,
      closes_at = CASE WHEN ${early}::boolean
        THEN least(closes_at, greatest(${now}::timestamptz, opens_at + interval '1 ms'))
        ELSE closes_at END,
      draws_at = CASE WHEN ${early}::boolean
        THEN least(closes_at, greatest(${now}::timestamptz, opens_at + interval '1 ms'))
        ELSE draws_at END
    WHERE id = ${id}::uuid AND status = 'OPEN'
      AND (${early}::boolean OR closes_at <= ${now}::timestamptz)`,
)

export const markDrawCancelled = statement(
  'cancel_draw',
  returnsNothing,
  (id: string) => Prisma.sql`
    UPDATE lottery_draw SET status = 'CANCELLED'
    WHERE id = ${id}::uuid AND status IN ('SCHEDULED', 'OPEN')`,
)

export const writeRoot = statement(
  'publish_root',
  returnsNothing,
  (id: string, root: Uint8Array) => Prisma.sql`
    UPDATE lottery_draw SET root = ${root}
    WHERE id = ${id}::uuid AND status = 'CLOSED' AND root IS NULL`,
)

type Drawn = { seed: Uint8Array; main: number[]; bonus: number[] }

/** Writes the seed and the numbers of a draw whose root is published. */
export const writeNumbers = statement(
  'reveal_seed',
  returnsNothing,
  (id: string, { seed, main, bonus }: Drawn, now: Date) => Prisma.sql`
    UPDATE lottery_draw SET status = 'DRAWING', seed = ${seed}, main = ${main}::int[],
      bonus = ${bonus}::int[], drawn_at = ${now}::timestamptz
    WHERE id = ${id}::uuid AND status = 'CLOSED' AND root IS NOT NULL`,
)

/** Writes the progress of settling a draw, unless another node has progressed further. */
export const writeSettled = statement(
  'note_settled',
  returnsNothing,
  (id: string, from: number, to: number) => Prisma.sql`
    UPDATE lottery_draw SET settled = ${to}::int
    WHERE id = ${id}::uuid AND status = 'DRAWING' AND settled = ${from}::int`,
)
