/**
 * The statements of lists of users. Each order is an index, and so is each filter. If both are asked for, a page is
 * read in one of two ways (docs/decisions/user-lists-and-segments.md): if few users match, they are found by the
 * filter and sorted; if many do, they are read in the order and filtered. A search is one more condition, with an
 * order of its own (`user-search.sql.ts`).
 */

import { Prisma } from '../generated/prisma/client.ts'
import { both, returns, returnsModel, statement } from '../kit/database/statement.ts'
import type { Part } from '../kit/schema/connection.ts'
import type { Place } from '../kit/schema/cursor.ts'
import type { Tenant } from '../kit/tenant.ts'
import { userColumns } from '../users/end-user.sql.ts'
import {
  type Alias,
  type Condition,
  conditionsOf,
  every,
  idOf,
  isFoundBy,
  matching,
  type OrderField,
  ofTenant,
  onAlias,
  seenAt,
  slotSince,
  slotUntil,
  tableOf,
  type UserMatch,
} from './user-match.sql.ts'
import { countOfSearch, isLarge, searchParts, walkOfTerms } from './user-search.sql.ts'

type OrderColumn = {
  sql: Prisma.Sql
  type: 'text' | 'text COLLATE "C"' | 'uuid' | 'bigint' | 'timestamptz'
  /** Whether it has the other direction. */
  isTurned?: boolean
}

const column = (
  text: string,
  type: OrderColumn['type'],
  more: { isTurned?: boolean } = {},
): OrderColumn => ({ sql: Prisma.raw(text), type, ...more })

/** The columns of an order, unique together. An index of the table begins with the tenant and has them. */
const orders: Record<OrderField, { of: Alias; by: OrderColumn[] }> = {
  externalId: { of: 'u', by: [column('u.external_id', 'text')] },
  createdAt: {
    of: 'p',
    by: [column('p.user_created_at', 'timestamptz'), column('p.user_id', 'uuid')],
  },
  // The index has slots of ten minutes, and each slot is sorted when it is read.
  lastSeenAt: {
    of: 'p',
    by: [{ sql: seenAt, type: 'timestamptz' }, column('p.user_id', 'uuid')],
  },
  balance: { of: 'u', by: [column('u.balance', 'bigint'), column('u.id', 'uuid')] },
  lifetimePoints: { of: 'u', by: [column('u.lifetime_points', 'bigint'), column('u.id', 'uuid')] },
  // The order of the leaderboard.
  score: {
    of: 'u',
    by: [
      column('u.score', 'bigint'),
      column('u.score_reached_at', 'timestamptz', { isTurned: true }),
      column('u.external_id', 'text', { isTurned: true }),
    ],
  },
}

/** A page of users who match, in an order. */
export type UserPage = Tenant & {
  match: UserMatch
  /** TERM is the order of what a search has found. */
  field: OrderField | 'term'
  direction: 'asc' | 'desc'
  part: Part
}

/** Of more users than this who match, a page is read in its order. */
const sortedAtMost = 10_000

const joined = (list: Prisma.Sql[], separator: string) => Prisma.join(list, separator)

type Reading = { page: UserPage; isUp: boolean; of: Alias; by: OrderColumn[] }

const termOrder: OrderColumn[] = [column('t.term', 'text COLLATE "C"'), column('t.user_id', 'uuid')]

const readingOf = (page: UserPage): Reading => ({
  page,
  isUp: (page.direction === 'asc') !== page.part.backward,
  ...(page.field === 'term' ? { of: 'u', by: termOrder } : orders[page.field]),
})

const goesUp = ({ isUp }: Reading, { isTurned = false }: OrderColumn) => isUp !== isTurned

/** The columns of the order with their directions, as ORDER BY takes them. */
const sorted = (reading: Reading, nameOf: (column: OrderColumn, i: number) => Prisma.Sql) =>
  joined(
    reading.by.map(
      (column, i) =>
        Prisma.sql`${nameOf(column, i)} ${Prisma.raw(goesUp(reading, column) ? 'ASC' : 'DESC')}`,
    ),
    ', ',
  )

const keyNo = (i: number) => Prisma.raw(`k${i}`)
const byKeys = (reading: Reading) => sorted(reading, (_, i) => keyNo(i))
const byColumns = (reading: Reading) => sorted(reading, ({ sql }) => sql)
const keys = ({ by }: Reading) =>
  joined(
    by.map(({ sql }, i) => Prisma.sql`${sql} AS ${keyNo(i)}`),
    ', ',
  )

/**
 * Conditions of which each is a range of the index, and which together hold for the rows after a position. Columns of both
 * directions need one for each column.
 */
const positionsOf = (reading: Reading, from: Place | undefined): Prisma.Sql[] => {
  if (!from) return [Prisma.sql`true`]
  const { by, page, isUp } = reading
  const values = by.map(({ type }, i) => Prisma.sql`${from[i]}::${Prisma.raw(type)}`)
  const beyond = (column: OrderColumn) => Prisma.raw(goesUp(reading, column) ? '>' : '<')
  if (by.some(({ isTurned }) => isTurned))
    return by.map((last, n) =>
      every(
        by.slice(0, n + 1).map((column, i) => {
          const operator = column === last ? beyond(column) : Prisma.raw('=')
          return Prisma.sql`${column.sql} ${operator} ${values[i]}`
        }),
      ),
    )
  const columns = by.map(({ sql }) => sql)
  const after = Prisma.sql`(${joined(columns, ', ')}) ${beyond(by[0] as OrderColumn)} (${joined(values, ', ')})`
  if (page.field !== 'lastSeenAt') return [after]
  const slot = (isUp ? slotSince : slotUntil)(from[0] as Date)
  return [Prisma.sql`${slot} AND ${after}`]
}

const mostRows = ({ take, skip }: Part) => Prisma.sql`${take + skip}::bigint`

/** Reads users in the order, and skips those who do not match. */
const walks = (
  reading: Reading,
  conditions: readonly Condition[],
  gate: Prisma.Sql,
): Prisma.Sql[] => {
  const { page, of, isUp } = reading
  const other = of === 'u' ? 'p' : 'u'
  const elsewhere = onAlias(conditions, other)
  const divided = conditions.find(({ by, ranges }) => ranges && by === page.field)
  const others = conditions.filter((condition) => condition !== divided)
  const source = Prisma.sql`${tableOf[of]} ${Prisma.raw(of)}`
  // With the limit, it is one look by key for each user that is read.
  const look = Prisma.sql`CROSS JOIN LATERAL (SELECT FROM ${tableOf[other]} ${Prisma.raw(other)}
    WHERE ${idOf[other]} = ${idOf[of]} AND ${every(elsewhere)} LIMIT 1) matched`
  const here = every([gate, ofTenant(of, page), ...onAlias(others, of)])
  const slot =
    page.field === 'lastSeenAt'
      ? Prisma.raw(`p.seen_slot ${isUp ? 'ASC' : 'DESC'}, `)
      : Prisma.empty
  return positionsOf(reading, page.part.from).flatMap((position) =>
    (divided?.ranges ?? [Prisma.sql`true`]).map(
      (range) => Prisma.sql`(SELECT ${idOf[of]} AS id, ${keys(reading)}
        FROM ${source} ${elsewhere.length > 0 ? look : Prisma.empty}
        WHERE ${here} AND ${range} AND ${position}
        ORDER BY ${slot}${byColumns(reading)} LIMIT ${mostRows(page.part)})`,
    ),
  )
}

/** Sorts the users of `found`. */
const sortOfFound = (reading: Reading, gate: Prisma.Sql): Prisma.Sql => {
  const { page, of } = reading
  const alias = Prisma.raw(of)
  const id = Prisma.raw(of === 'u' ? 'id' : 'user_id')
  const positions = joined(
    positionsOf(reading, page.part.from).map((position) => Prisma.sql`(${position})`),
    ' OR ',
  )
  return Prisma.sql`(SELECT f.id, ${keys(reading)} FROM found f
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf[of]} x WHERE x.${id} = f.id LIMIT 1) ${alias}
    WHERE ${gate} AND (${positions}) ORDER BY ${byColumns(reading)} LIMIT ${mostRows(page.part)})`
}

/** A page of users who are found by a search, in one of the orders of lists or in that of their terms. */
const searchedPage = (reading: Reading, text: string): [parts: Prisma.Sql, rows: Prisma.Sql[]] => {
  const { page } = reading
  const conditions = conditionsOf(page.match)
  const parts = searchParts(page, text, conditions, sortedAtMost)
  if (page.field !== 'term')
    return [
      parts,
      [
        sortOfFound(reading, Prisma.sql`true`),
        ...walks(reading, [...conditions, isFoundBy(text)], isLarge),
      ],
    ]
  const direction = Prisma.raw(reading.isUp ? 'ASC' : 'DESC')
  const position = every(positionsOf(reading, page.part.from))
  const walk = (gate: Prisma.Sql) =>
    walkOfTerms(page, text, conditions, { gate, position, direction, most: mostRows(page.part) })
  if (conditions.length === 0) return [Prisma.empty, [walk(Prisma.sql`true`)]]
  const sortedTerms = Prisma.sql`(SELECT t.user_id AS id, t.term AS k0, t.user_id AS k1
    FROM (SELECT id AS user_id, term COLLATE "C" AS term FROM found) t
    WHERE ${position} ORDER BY ${byColumns(reading)} LIMIT ${mostRows(page.part)})`
  return [parts, [sortedTerms, walk(isLarge)]]
}

const filteredPage = (reading: Reading): [parts: Prisma.Sql, rows: Prisma.Sql[]] => {
  const { page } = reading
  const conditions = conditionsOf(page.match)
  if (conditions.every(({ by }) => by === page.field))
    return [Prisma.empty, walks(reading, conditions, Prisma.sql`true`)]
  const found = matching(page, conditions, sortedAtMost + 1)
  return [
    Prisma.sql`found AS MATERIALIZED (${found}),
      size AS MATERIALIZED (SELECT count(*) > ${sortedAtMost}::int AS is_large FROM found)`,
    [sortOfFound(reading, Prisma.sql`NOT ${isLarge}`), ...walks(reading, conditions, isLarge)],
  ]
}

/** The ids of a page, numbered in its order. `n` is the index of the page. */
const pageSql = (page: UserPage, n: number): Prisma.Sql => {
  const reading = readingOf(page)
  const { search } = page.match
  const [parts, rows] = search ? searchedPage(reading, search) : filteredPage(reading)
  const term = page.field === 'term' ? Prisma.sql`r.k0` : Prisma.sql`NULL`
  return Prisma.sql`(${parts === Prisma.empty ? parts : Prisma.sql`WITH ${parts}`}
    SELECT ${n}::int AS n, (row_number() OVER (ORDER BY ${byKeys(reading)}))::int AS i, r.id,
      ${term}::text AS term FROM (
      SELECT * FROM (${joined(rows, ' UNION ALL ')}) b ORDER BY ${byKeys(reading)}
      LIMIT ${page.part.take}::int OFFSET ${page.part.skip}::int) r)`
}

/** The text of `listUsers`, for tests of its plans. */
export const usersSql = (pages: UserPage[]): Prisma.Sql => Prisma.sql`
  SELECT f.n, f.term, ${userColumns}, ${seenAt} AS "lastSeenAt"
  FROM (${joined(pages.map(pageSql), ' UNION ALL ')}) f
  CROSS JOIN LATERAL (SELECT * FROM end_user x WHERE x.id = f.id LIMIT 1) u
  CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = f.id LIMIT 1) p
  ORDER BY f.n, f.i`

/** The users of pages, each page in its order. `n` is the index of the page. Planned for its values. */
export const listUsers = statement(
  'list_users',
  both(returns({ n: 'int', lastSeenAt: 'timestamptz', term: 'text?' }), returnsModel('EndUser')),
  usersSql,
  { isPrepared: false },
)

/** The text of `countMatchingUsers`, for tests of its plans. */
export const countSql = (tenant: Tenant, match: UserMatch, limit: number): Prisma.Sql => {
  const conditions = conditionsOf(match)
  return match.search
    ? Prisma.sql`WITH ${searchParts(tenant, match.search, conditions, limit)} ${countOfSearch(conditions)}`
    : Prisma.sql`SELECT count(*) AS n, false AS "isCut"
        FROM (${matching(tenant, conditions, limit)}) found`
}

/**
 * The number of users who match, up to the limit. `isCut`: too many had to be looked at, so that it is only the number of
 * those among the first terms of a search.
 */
export const countMatchingUsers = statement(
  'count_users',
  returns({ n: 'bigint', isCut: 'boolean' }),
  countSql,
  { isPrepared: false },
)
