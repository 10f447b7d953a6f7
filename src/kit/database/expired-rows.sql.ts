/** Statements that delete old rows in batches. */
import { Prisma } from '../../generated/prisma/client.ts'
import type { Queries } from './db.ts'
import { type ModelRow, returnsNothing, snake, statement, tableOf } from './statement.ts'

/** Deletes up to `most` rows of `before` or earlier, the oldest first. Returns how many it deleted. */
export type DeleteExpired = (tx: Queries, before: Date, most: number) => Promise<number>

/** Planned each time: a plan from when the tables were empty would scan large ones in full. */
export const planned = { isPrepared: false }

/**
 * The statement that deletes the rows of a table by a time column, which needs an index. Rows locked by others stay for
 * the next run.
 * @param name the partition to delete from; the whole table by default
 */
export const deleteExpiredBy = <M extends Prisma.ModelName>(
  model: M,
  field: keyof ModelRow<M> & string,
  name = tableOf(model),
): DeleteExpired => {
  const table = Prisma.raw(name)
  const column = Prisma.raw(snake(field))
  return statement(
    `forget_${name}`,
    returnsNothing,
    (before: Date, most: number) => Prisma.sql`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${column} <= ${before}::timestamptz
        ORDER BY ${column} LIMIT ${most}::int FOR UPDATE SKIP LOCKED))`,
    planned,
  )
}
