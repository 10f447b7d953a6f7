/** The statement that counts tokens of older master keys. */

import { Prisma } from './generated/prisma/client.ts'
import type { Environment } from './generated/prisma/enums.ts'
import type { Db } from './kit/database/db.ts'
import { returns, statement } from './kit/database/statement.ts'
import { type MasterKeys, type SealedColumn, sealHeader } from './kit/security/seal.ts'

/** Counts valid tokens that were signed before a version of the master key was in use. */
export const countTokensBefore = statement(
  'count_old_tokens',
  returns({ signIns: 'int', sessions: 'int', lastEndsAt: 'timestamptz?' }),
  (version: number, now: Date, refreshTokenMs: number) => Prisma.sql`
    WITH v AS (SELECT created_at FROM master_key_version WHERE version = ${version}::int
    ), sign_ins AS (
      SELECT expires_at FROM sign_in, v
      WHERE revoked_at IS NULL AND expires_at > ${now}::timestamptz
        AND expires_at < v.created_at + ${refreshTokenMs}::float8 * interval '1 millisecond'
    ), sessions AS (
      SELECT DISTINCT s.id, s.expires_at FROM arena_session s JOIN arena_player p ON p.session_id = s.id, v
      WHERE s.status IN ('WAITING', 'IN_PROGRESS') AND p.joined_at < v.created_at
    )
    SELECT (SELECT count(*) FROM sign_ins)::int AS "signIns",
      (SELECT count(*) FROM sessions)::int AS sessions,
      (SELECT max(expires_at) FROM (SELECT expires_at FROM sign_ins UNION ALL
        SELECT expires_at FROM sessions) e) AS "lastEndsAt"`,
)

type StaleRow = {
  partnerId: string | null
  environment: Environment
  /** The primary key. */
  place: Record<string, string>
  sealed: Uint8Array
}

export type RowPlace = StaleRow['place']

/** The SQL parts of a column: its bytes, its primary key, and whether its value has another version. */
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

/** How many values are sealed under a version other than the first. */
export const countStale = async (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
): Promise<number> => {
  const { table, isStale } = partsOf(column, keys)
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${table} WHERE ${isStale}`
  return row?.count ?? 0
}

/** Values that are sealed under a version other than the first, in the order of the primary key. */
export const selectStale = (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  { after, take }: { after: RowPlace | undefined; take: number },
): Promise<StaleRow[]> => {
  const { table, bytes, names, place, isStale } = partsOf(column, keys)
  const values = Object.entries(column.key).map(
    ([name, type]) => Prisma.sql`${after?.[name]}::${Prisma.raw(type)}`,
  )
  return db.$queryRaw<StaleRow[]>`
    SELECT t.partner_id AS "partnerId", t.environment, ${place} AS place, ${bytes} AS sealed
    FROM ${table}
    WHERE ${isStale} ${after ? Prisma.sql`AND (${names}) > (${Prisma.join(values)})` : Prisma.empty}
    ORDER BY ${names} LIMIT ${take}::int`
}

/** Replaces values, in base64, and returns how many. A value that was changed since it was read stays. */
export const updateStale = (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  fresh: { place: RowPlace; old: string; sealed: string }[],
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
