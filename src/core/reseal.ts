/** Sealed values move to the first version of the master key, in batches, while the service runs. */
import { Prisma } from '../generated/prisma/client.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import type { Db } from './db/db.ts'
import { bindTo, type MasterKeys, seal, sealHeader, unseal } from './seal.ts'

/** A column of sealed values, each bound to its row. Its table has `partner_id` and `environment`. */
export type SealedColumn = {
  table: string
  column: string
  /** The primary key, with SQL types; the last column is what tells the rows of a tenant apart. */
  key: Record<string, string>
  purpose: string
  /** Stored as text in base64, not as bytes. */
  base64?: true
}

export type Progress = { column: string; done: number; stale: number; unreadable: number }

const rowsOfBatch = 200

type StaleRow = {
  partnerId: string | null
  environment: Environment
  place: Record<string, string>
  sealed: Uint8Array
}

/** The SQL parts of a column: it as bytes, its primary key, and whether it is under another version. */
const partsOf = ({ table, column, key, base64 }: SealedColumn, [first]: MasterKeys) => {
  const bytes = Prisma.raw(base64 ? `decode(t.${column}, 'base64')` : `t.${column}`)
  const header = sealHeader(first.version)
  const names = Object.keys(key)
  return {
    table: Prisma.raw(`${table} t`),
    bytes,
    names: Prisma.raw(names.map((name) => `t.${name}`).join(', ')),
    place: Prisma.raw(
      `json_build_object(${names.map((name) => `'${name}', t.${name}`).join(', ')})`,
    ),
    isStale: Prisma.sql`t.${Prisma.raw(column)} IS NOT NULL
      AND substring(${bytes} FROM 1 FOR ${header.length}::int) <> ${header}::bytea`,
  }
}

const countStale = async (db: Db, keys: MasterKeys, column: SealedColumn): Promise<number> => {
  const { table, isStale } = partsOf(column, keys)
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${table} WHERE ${isStale}`
  return row?.count ?? 0
}

const readStale = (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  after: StaleRow['place'] | undefined,
): Promise<StaleRow[]> => {
  const { table, bytes, names, place, isStale } = partsOf(column, keys)
  const values = Object.entries(column.key).map(
    ([name, type]) => Prisma.sql`${after?.[name]}::${Prisma.raw(type)}`,
  )
  return db.$queryRaw<StaleRow[]>`
    SELECT t.partner_id AS "partnerId", t.environment, ${place} AS place, ${bytes} AS sealed
    FROM ${table}
    WHERE ${isStale} ${after ? Prisma.sql`AND (${names}) > (${Prisma.join(values)})` : Prisma.empty}
    ORDER BY ${names} LIMIT ${rowsOfBatch}::int`
}

/** Writes new values where the old ones still stand; gives how many. A value that changed meanwhile stays. */
const writeFresh = (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  fresh: { place: StaleRow['place']; old: string; sealed: string }[],
): Promise<number> => {
  const { table, bytes } = partsOf(column, keys)
  const types = Object.entries(column.key)
  const isSame = types.map(([name]) => `t.${name} = v.${name}`).join(' AND ')
  const shape = types.map(([name, type]) => `${name} ${type}`).join(', ')
  const value = column.base64 ? 'v.sealed' : `decode(v.sealed, 'base64')`
  const rows = fresh.map(({ place, ...row }) => ({ ...place, ...row }))
  return db.$executeRaw`
    UPDATE ${table} SET ${Prisma.raw(column.column)} = ${Prisma.raw(value)}
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS v (${Prisma.raw(shape)}, old text, sealed text)
    WHERE ${Prisma.raw(isSame)} AND ${bytes} = decode(v.old, 'base64')`
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/**
 * Re-seals one column from its beginning to its end. Stopped anywhere, it goes on where it was when it is
 * called again: what is done is no longer found.
 */
export const resealColumn = async (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  report: (progress: Progress) => void,
): Promise<Progress> => {
  const progress: Progress = {
    column: `${column.table}.${column.column}`,
    done: 0,
    stale: await countStale(db, keys, column),
    unreadable: 0,
  }
  let after: StaleRow['place'] | undefined
  while (progress.stale > 0) {
    const rows = await readStale(db, keys, column, after)
    const fresh = rows.flatMap(({ place, sealed, partnerId, environment }) => {
      const id = Object.values(place).at(-1) as string
      const binding = bindTo({ partnerId, environment, id }, column.purpose)
      try {
        const text = unseal(keys, binding, sealed)
        return { place, old: base64(sealed), sealed: base64(seal(keys, binding, text)) }
      } catch {
        progress.unreadable++
        return []
      }
    })
    if (fresh.length > 0) progress.done += await writeFresh(db, keys, column, fresh)
    after = rows.at(-1)?.place
    if (rows.length > 0) report(progress)
    if (rows.length < rowsOfBatch) break
  }
  return progress
}
