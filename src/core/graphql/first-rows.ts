/** The beginnings of the lists of many parents, read together. */
import { Prisma } from '../../generated/prisma/client.ts'
import type { Work } from '../runtime.ts'
import type { Source } from './connection.ts'
import type { Order } from './rows.ts'

/** So many rows of a parent, from the smallest on or from the largest. */
export type FirstRows = { parentId: string; take: number; isUp: boolean }

/** Where the rows of a list stand: the table, the column of the parent, and the columns of the order. */
type Place = { table: string; parent: string; by: readonly string[] }

/** A model of Prisma, as far as such a list needs it. */
type Model<N> = { findMany(args: never): PromiseLike<N[]> }

/** Finds the first rows of each parent in one statement for each direction, and reads them in another. */
export const findFirstRows = async <N extends { id: string }>(
  { tx }: Pick<Work, 'tx'>,
  { table, parent, by }: Place,
  model: Model<N>,
  asked: FirstRows[],
): Promise<N[][]> => {
  const ids: string[][] = asked.map(() => [])
  for (const isUp of [true, false]) {
    const wanted = asked.flatMap((one, n) =>
      one.isUp === isUp ? { n, parent_id: one.parentId, take: one.take } : [],
    )
    if (wanted.length === 0) continue
    const columns = Prisma.raw([...new Set(['id', ...by])].join(', '))
    const order = Prisma.raw(by.map((name) => `${name} ${isUp ? 'ASC' : 'DESC'}`).join(', '))
    const name = Prisma.raw(`/* find_first_rows_of_${table}_${isUp ? 'up' : 'down'} */`)
    const found = await tx.$queryRaw<{ n: number; id: string }[]>`${name}
      SELECT k.n, r.* FROM json_to_recordset(${JSON.stringify(wanted)}::json)
        AS k (n int, parent_id uuid, take int)
      CROSS JOIN LATERAL (SELECT ${columns} FROM ${Prisma.raw(table)}
        WHERE ${Prisma.raw(parent)} = k.parent_id ORDER BY ${order} LIMIT k.take) r
      ORDER BY n, ${order}`
    for (const { n, id } of found) ids[n]?.push(id)
  }
  const rows = await model.findMany({ where: { id: { in: ids.flat() } } } as never)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((some) => some.flatMap((id) => byId.get(id) ?? []))
}

/** A list of which the first rows, or the last, are read together with those of others. */
export const together = <N>(
  source: Source<N>,
  { parentId, order }: { parentId: string; order: Order },
  read: (first: FirstRows) => Promise<N[]>,
): Source<N> => ({
  ...source,
  fetch: (part) => {
    const { take, skip, backward, from } = part
    if (from || skip > 0) return source.fetch(part)
    return read({ parentId, take, isUp: (order[0]?.[1] === 'asc') !== backward })
  },
})
