/**
 * Runs raw statements with the driver alone. Outside of a transaction they do not need Prisma's engine, which takes a
 * third of the time of this process for a batch of awards (docs/decisions/typed-statements.md).
 */
import pg from 'pg'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

const { builtins } = pg.types
const arrays = { BYTEA: 1001, TEXT: 1009, INT8: 1016, DATE: 1182, VARBIT: 1563 }

const parseTexts = pg.types.getTypeParser(arrays.TEXT as never) as (
  text: string,
) => (string | null)[]
/** Arrays of one dimension. */
const parseArray =
  (parse: (text: string) => unknown) =>
  (text: string): unknown[] =>
    parseTexts(text).map((item) => (item === null ? null : parse(item)))
const toBuffer = pg.types.getTypeParser(builtins.BYTEA) as (text: string) => Buffer
const parseBytes = (text: string) => new Uint8Array(toBuffer(text))
const parseDate = (text: string) => new Date(`${text}T00:00:00.000Z`)

/** The types whose values in Prisma differ from those in `pg`. */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.DATE]: parseDate,
  [builtins.BYTEA]: parseBytes,
  [arrays.INT8]: parseArray(BigInt),
  [arrays.DATE]: parseArray(parseDate),
  [arrays.BYTEA]: parseArray(parseBytes),
  [arrays.VARBIT]: parseTexts,
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as never,
}

/** A parameter in a form that does not depend on the time zone of this process. */
const encode = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(encode) : value
}

/** How many texts are prepared per name. A statement that is composed at run time may have several. */
const textsOfName = 8
const texts = new Map<string, string[]>()

/**
 * A statement that starts with `/* name *​/` is prepared once per connection under that name. Another text with the
 * same name is prepared as `name_2`.
 */
export const statementName = (sql: string): string | undefined => {
  if (!sql.startsWith('/*')) return undefined
  const name = sql.slice(3, sql.indexOf(' */'))
  const known = texts.get(name) ?? []
  texts.set(name, known)
  const found = known.indexOf(sql)
  if (found < 0 && known.length >= textsOfName) return undefined
  const place = found < 0 ? known.push(sql) : found + 1
  return place === 1 ? name : `${name}_${place}`
}

type Driver = { pool: pg.Pool; keepsNames: boolean }
/** Runs raw statements: a client, or a transaction. */
type Raw = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>

const drivers = new WeakMap<Raw, Driver>()

/** Makes raw statements of this client run by the driver of its pool. */
export const setDriver = (client: PrismaClient, driver: Driver): void =>
  void drivers.set(client, driver)

const run = ({ pool, keepsNames }: Driver, { text, values }: Prisma.Sql) => {
  const name = keepsNames ? statementName(text) : undefined
  return pool.query({ text, values: values.map(encode), types, ...(name && { name }) })
}

/** The rows of a statement. */
export const queryRaw = async <Row>(queries: Raw, sql: Prisma.Sql): Promise<Row[]> => {
  const driver = drivers.get(queries)
  return driver ? (await run(driver, sql)).rows : queries.$queryRaw<Row[]>(sql)
}

/** The number of rows that a statement has written. */
export const executeRaw = async (queries: Raw, sql: Prisma.Sql): Promise<number> => {
  const driver = drivers.get(queries)
  return driver ? ((await run(driver, sql)).rowCount ?? 0) : queries.$executeRaw(sql)
}
