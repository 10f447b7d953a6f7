/** Reads parts of the lists of many parents in one statement. */
import { Prisma } from '../../generated/prisma/client.ts'
import { queryRaw } from '../database/driver.ts'
import { columnsOf, type ModelRow, tableOf } from '../database/statement.ts'
import type { Work } from '../runtime.ts'
import type { Part, Source } from './connection.ts'
import type { Order } from './rows.ts'

/** A part of the list of one parent, which is identified by the values of some columns. */
export type PartOf = Part & { parent: readonly string[]; isUp: boolean }

const extremes = {
  int: [-2_147_483_648, 2_147_483_647],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  timestamptz: ['-infinity', 'infinity'],
} as const

type Ordered = Readonly<Record<string, keyof typeof extremes>>

/** The definition of a list. It needs an index on the columns of the parent and the order. */
export type ListedTable = {
  /** The table as `t`, optionally with a condition. */
  from: Prisma.Sql
  /** Unique name of the list. */
  name: string
  columns: Prisma.Sql
  /** The columns that identify a parent. */
  parent: Readonly<Record<string, 'uuid' | 'text' | 'boolean' | '"Environment"'>>
  /** The columns of the order, all in the same direction and unique together. */
  by: Ordered
}

const join = (texts: string[]) => Prisma.raw(texts.join(', '))

/** Reads parts in one statement per direction. The item closest to the cursor comes first. */
export const findParts = async <R>(
  { tx }: Pick<Work, 'tx'>,
  { from, name, columns, parent, by }: ListedTable,
  requested: PartOf[],
): Promise<R[][]> => {
  const parts: R[][] = requested.map(() => [])
  const order = Object.entries(by)
  for (const isUp of [true, false]) {
    const wanted = requested.flatMap(({ take, skip, backward, from: place, ...item }, n) =>
      (item.isUp !== backward) === isUp ? { n, parent: item.parent, take, skip, place } : [],
    )
    if (wanted.length === 0) continue
    const of = Object.entries(parent)
      .map(([column, type], i) => `t.${column} = k.parent[${i + 1}]::${type}`)
      .join(' AND ')
    // The default is a position before all items, so that one condition covers every case in the index.
    const places = order.map(
      ([, type], i) => `coalesce(k.place[${i + 1}]::${type}, '${extremes[type][isUp ? 0 : 1]}')`,
    )
    const way = isUp ? 'ASC' : 'DESC'
    const title = Prisma.raw(`/* find_parts_of_${name}_${isUp ? 'up' : 'down'} */`)
    const statement = Prisma.sql`${title}
      SELECT k.n, r.* FROM json_to_recordset(${JSON.stringify(wanted)}::json)
        AS k (n int, parent text[], take int, skip int, place text[])
      CROSS JOIN LATERAL (
        SELECT ${columns}, ${join(order.map(([column], i) => `t.${column} AS by_${i}`))} FROM ${from}
        WHERE ${Prisma.raw(of)}
          AND (${join(order.map(([column]) => `t.${column}`))}) ${Prisma.raw(isUp ? '>' : '<')} (${join(places)})
        ORDER BY ${join(order.map(([column]) => `t.${column} ${way}`))}
        LIMIT k.take OFFSET k.skip) r
      ORDER BY k.n, ${join(order.map((_, i) => `r.by_${i} ${way}`))}`
    const found = await queryRaw<{ n: number } & R>(tx, statement)
    for (const { n, ...row } of found) parts[n]?.push(row as R)
  }
  return parts
}

const modelColumns = new Map<Prisma.ModelName, Prisma.Sql>()

/** Reads parts of lists of rows of a model, whose parent is identified by one UUID column. */
export const findRowParts = <M extends Prisma.ModelName>(
  work: Pick<Work, 'tx'>,
  { model, parent, by }: { model: M; parent: string; by: Ordered },
  requested: PartOf[],
): Promise<ModelRow<M>[][]> => {
  const columns = modelColumns.get(model) ?? columnsOf(model, 't')
  modelColumns.set(model, columns)
  const table = tableOf(model)
  const from = Prisma.raw(`${table} t`)
  const name = `${table}_by_${parent}`
  return findParts(work, { from, name, columns, parent: { [parent]: 'uuid' }, by }, requested)
}

/** The same list, with its parts read in batches with those of other parents. */
export const batched = <N>(
  source: Source<N>,
  { parentId, order }: { parentId: string; order: Order },
  read: (part: PartOf) => Promise<N[]>,
): Source<N> => ({
  ...source,
  fetch: (part) => read({ ...part, parent: [parentId], isUp: order[0]?.[1] === 'asc' }),
})
