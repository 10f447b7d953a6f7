/**
 * Typed SQL statements. The input and the result of a statement are declared once, in the types of PostgreSQL.
 * A test compares each declaration with what the database reports for the statement.
 */
import { Prisma } from '../../generated/prisma/client.ts'
import type * as enums from '../../generated/prisma/enums.ts'
import type { ExternalId, UserId } from '../user-id.ts'
import type { Queries, Tx } from './db.ts'
import { executeRaw, queryRaw } from './driver.ts'

type Scalars = {
  text: string
  uuid: string
  smallint: number
  int: number
  bigint: bigint
  float8: number
  boolean: boolean
  json: Prisma.JsonValue
  jsonb: Prisma.JsonValue
  timestamptz: Date
  date: Date
  bytea: Uint8Array
  /** The digits: `0110`. */
  varbit: string
}
type Enums = { [K in keyof typeof enums]: (typeof enums)[K][keyof (typeof enums)[K]] }
type Types = Scalars & Enums
type TypeName = keyof Types & string

/** A type of PostgreSQL: `text`, `text?` if it may be null, `text[]` for a list. */
export type Declared = TypeName | `${TypeName}?` | `${TypeName}[]` | `${TypeName}[]?`
type Columns = Record<string, Declared>

type ValueOf<D extends string> = D extends `${infer T}?`
  ? ValueOf<T> | null
  : D extends `${infer T}[]`
    ? ValueOf<T>[]
    : D extends TypeName
      ? Types[D]
      : never

/** Columns of these names hold an id of a user in every statement. */
type UserIds = { userId: UserId; externalId: ExternalId; externalUserId: ExternalId }
type Named<K, V> = K extends keyof UserIds ? (V extends string ? UserIds[K] : V) : V

/** A row of these columns, as the driver reads it. */
type RowOf<C extends Columns> = { -readonly [K in keyof C]: Named<K, ValueOf<C[K]>> }

/**
 * Input is sent as JSON: a `bigint` as text, which is exact, bytes in hexadecimal, a `date` as text such as
 * `2026-01-31`.
 */
const encode = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}

type InputValue<D extends string> = D extends `${infer T}?`
  ? InputValue<T> | null | undefined
  : D extends `${infer T}[]`
    ? InputValue<T>[]
    : D extends 'bigint'
      ? number | bigint
      : D extends 'json' | 'jsonb'
        ? unknown
        : D extends 'date'
          ? string
          : ValueOf<D>
type Nullable<C extends Columns> = {
  [K in keyof C]: C[K] extends `${string}?` ? K : never
}[keyof C]

/** An input row of these columns. Nullable columns may be omitted. */
type InputOf<C extends Columns> = {
  -readonly [K in Exclude<keyof C, Nullable<C>>]: Named<K, InputValue<C[K]>>
} & { -readonly [K in Nullable<C>]?: Named<K, InputValue<C[K]>> }

/** `partnerId` is `partner_id` in the database. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** The table of a model: `user_activity` of `UserActivity`. */
export const tableOf = (model: Prisma.ModelName): string => snake(model).slice(1)

const lowerCase = /^[a-z]/

/** A declared type in SQL. The names of enums have capitals. */
const sqlOf = (declared: Declared): string => {
  const [, name = '', list = ''] = /^(\w+)(\[\])?\??$/.exec(declared) ?? []
  return (lowerCase.test(name) ? name : `"${name}"`) + list
}

/**
 * Rows that a statement takes as one parameter. Returns a function that turns them into an item of FROM with an alias:
 * `FROM ${awards(list)}`. The column `n` is the index in the list.
 */
export const inputRows = <const C extends Columns>(columns: C) => {
  const names = Object.keys(columns).map((name) => [name, snake(name)] as const)
  const definitions = Object.entries(columns).map(([name, type]) => `${snake(name)} ${sqlOf(type)}`)
  const shape = ['n int', ...definitions].join(', ')
  // Objects of the same shape are filled and serialized faster than those that get their keys one by one.
  const empty: Record<string, unknown> = { n: 0 }
  for (const [, column] of names) empty[column] = null
  return (items: readonly InputOf<C>[], alias = 'i'): Prisma.Sql => {
    const rows = items.map((item, n) => {
      const row: Record<string, unknown> = { ...empty, n }
      for (const [name, column] of names) row[column] = encode(item[name as keyof typeof item])
      return row
    })
    return Prisma.sql`json_to_recordset(${JSON.stringify(rows)}::json) AS ${Prisma.raw(
      `${alias} (${shape})`,
    )}`
  }
}

/** The items that become input rows. */
export type ItemsOf<R extends (items: never) => unknown> = Parameters<R>[0]

type ModelName = Prisma.ModelName
/** A row of a model. */
export type ModelRow<M extends ModelName> = Prisma.TypeMap['model'][M]['payload']['scalars']

/** Columns that a statement returns. Columns of whole models are null here, because the data model declares them. */
export type Returns<Row> = { columns: Record<string, Declared | null>; row?: Row }

export const returns = <const C extends Columns>(columns: C): Returns<RowOf<C>> => ({ columns })

/** For a statement that only writes. Running it returns the number of written rows. */
export const returnsNothing = null

const fieldsOf = (model: ModelName, without: readonly string[]): string[] =>
  Object.keys(Prisma[`${model}ScalarFieldEnum` as 'EndUserScalarFieldEnum']).filter(
    (name) => !without.includes(name),
  )

/** All columns of a model except those named. New columns of the model are included. */
export const returnsModel = <M extends ModelName, W extends keyof ModelRow<M> & string = never>(
  model: M,
  ...without: W[]
): Returns<Omit<ModelRow<M>, W>> => ({
  columns: Object.fromEntries(fieldsOf(model, without).map((name) => [name, null])),
})

/** A JSON column whose shape depends on the text of the statement, so that no test can check it. */
export const returnsJson =
  <T>() =>
  <K extends string>(name: K): Returns<Record<K, T>> => ({
    columns: { [name]: 'json' },
  })

/** The same columns, all nullable, as after a LEFT JOIN. */
export const orNulls = <Row>({
  columns,
}: Returns<Row>): Returns<{ [K in keyof Row]: Row[K] | null }> => ({
  columns: Object.fromEntries(
    Object.entries(columns).map(([name, type]) => [
      name,
      type === null || type.endsWith('?') ? type : (`${type}?` as Declared),
    ]),
  ),
})

/** The columns of both. */
export const both = <A, B>(a: Returns<A>, b: Returns<B>): Returns<A & B> => ({
  columns: { ...a.columns, ...b.columns },
})

/**
 * All columns of a model except those named, for a SELECT or RETURNING, with the names of its fields. Keep them in a
 * constant if the statement runs often.
 */
export const columnsOf = <M extends ModelName>(
  model: M,
  alias: string,
  ...without: (keyof ModelRow<M> & string)[]
): Prisma.Sql =>
  Prisma.raw(
    fieldsOf(model, without)
      .map((name) => `${alias}.${snake(name)}${snake(name) === name ? '' : ` AS "${name}"`}`)
      .join(', '),
  )

/** A row of a model as JSON. Only for models whose columns are texts, numbers and booleans, which JSON preserves. */
export const jsonOf = (model: ModelName, alias: string): Prisma.Sql =>
  Prisma.raw(
    `json_build_object(${fieldsOf(model, [])
      .map((name) => `'${name}', ${alias}.${snake(name)}`)
      .join(', ')})`,
  )

const statements = new Map<string, Returns<unknown>['columns']>()

/** The columns that each statement returns, by name. */
export const listStatements = (): ReadonlyMap<string, Returns<unknown>['columns']> => statements

type Run<Args extends unknown[], Answer> = (
  tx: Pick<Queries, '$queryRaw' | '$executeRaw'>,
  ...args: Args
) => Promise<Answer>

/**
 * Whether each connection prepares the statement once. A statement that is not prepared is planned for its values.
 * Use it for rare statements, and for those that would read whole tables with a generic plan.
 */
type Options = { isPrepared?: boolean }

/**
 * Declares a statement by its name, under which each connection prepares it once, its result, and its text. Returns
 * the function that runs it.
 */
export function statement<Args extends unknown[]>(
  name: string,
  returns: typeof returnsNothing,
  text: (...args: Args) => Prisma.Sql,
  options?: Options,
): Run<Args, number>
export function statement<Row, Args extends unknown[]>(
  name: string,
  returns: Returns<Row>,
  text: (...args: Args) => Prisma.Sql,
  options?: Options,
): Run<Args, Row[]>
export function statement<Row, Args extends unknown[]>(
  name: string,
  returns: Returns<Row> | null,
  text: (...args: Args) => Prisma.Sql,
  { isPrepared = true }: Options = {},
): Run<Args, Row[] | number> {
  statements.set(name, returns?.columns ?? {})
  const head = Prisma.raw(isPrepared ? `/* ${name} */ ` : `-- ${name}\n`)
  return (tx, ...args) => {
    const sql = Prisma.sql`${head}${text(...args)}`
    return returns ? queryRaw<Row>(tx, sql) : executeRaw(tx, sql)
  }
}

/** A statement that takes locks. It runs only in a transaction, because its locks end with it. */
export const lockStatement = <Row, Args extends unknown[]>(
  name: string,
  returns: Returns<Row>,
  text: (...args: Args) => Prisma.Sql,
): ((tx: Tx, ...args: Args) => Promise<Row[]>) => statement(name, returns, text)
