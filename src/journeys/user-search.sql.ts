/**
 * The parts of statements that search users by the beginning of a term and filter them. Either few terms begin with the
 * text, or few users match the filter: then these are read. If both are many, users are read in the order of the list, and
 * those who do not match are skipped.
 */
import { Prisma } from '../generated/prisma/client.ts'
import type { Tenant } from '../kit/tenant.ts'
import { beginsWith, termsOfUser } from '../users/end-user.sql.ts'
import { type Condition, looks, matching, ofTenant } from './user-match.sql.ts'

const term = Prisma.raw('t.term')
const userId = Prisma.raw('t.user_id')

const termsWith = (tenant: Tenant, text: string): Prisma.Sql =>
  Prisma.sql`${ofTenant('t', tenant)} AND ${beginsWith(term, text)}`

/** Whether more users than the limit have to be looked at. Then `found` is empty. */
export const isLarge = Prisma.raw('(SELECT is_large FROM size)')

/**
 * Common table expressions: `found` has the ids of the users, with the first of their terms that begins with the text. At
 * most `limit` terms and `limit` users are looked at.
 */
export const searchParts = (
  tenant: Tenant,
  text: string,
  conditions: readonly Condition[],
  limit: number,
): Prisma.Sql => {
  const areManyTerms = Prisma.raw('(SELECT are_many FROM term_size)')
  const first = Prisma.sql`SELECT min(own.term COLLATE "C") AS term FROM end_user u, ${termsOfUser}
    WHERE u.id = f.id AND ${beginsWith(Prisma.raw('own.term'), text)}`
  const filtered = conditions.length > 0
  return Prisma.sql`
    terms AS MATERIALIZED (
      SELECT t.user_id, t.term FROM user_term t WHERE ${termsWith(tenant, text)}
      ORDER BY t.term, t.user_id LIMIT ${limit + 1}::int
    ), term_size AS MATERIALIZED (SELECT count(*) > ${limit}::int AS are_many FROM terms
    ), filtered AS MATERIALIZED (
      SELECT f.id FROM (${filtered ? matching(tenant, conditions, limit + 1) : Prisma.sql`SELECT NULL::uuid AS id WHERE false`}) f
      WHERE ${areManyTerms}
    ), size AS MATERIALIZED (SELECT ${areManyTerms} AND ${
      filtered ? Prisma.sql`(SELECT count(*) > ${limit}::int FROM filtered)` : Prisma.sql`true`
    } AS is_large
    ), found AS MATERIALIZED (
      SELECT t.user_id AS id, min(t.term) AS term FROM terms t ${looks(userId, conditions)}
      WHERE NOT ${areManyTerms} GROUP BY t.user_id
      UNION ALL
      SELECT f.id, x.term FROM filtered f CROSS JOIN LATERAL (${first}) x
      WHERE NOT ${isLarge} AND x.term IS NOT NULL
    )`
}

/** The number of users found, after `searchParts`. If too many had to be looked at, those among the first terms. */
export const countOfSearch = (conditions: readonly Condition[]): Prisma.Sql => Prisma.sql`
  SELECT CASE WHEN s.is_large
      THEN (SELECT count(DISTINCT t.user_id) FROM terms t ${looks(userId, conditions)})
      ELSE (SELECT count(*) FROM found) END AS n, s.is_large AS "isCut" FROM size s`

/** Reads users in the order of the first term that begins with the text, and skips those who do not match. */
export const walkOfTerms = (
  tenant: Tenant,
  text: string,
  conditions: readonly Condition[],
  {
    gate,
    position,
    direction,
    most,
  }: Record<'gate' | 'position' | 'direction' | 'most', Prisma.Sql>,
): Prisma.Sql => {
  const isFirst = Prisma.sql`NOT EXISTS (SELECT FROM ${termsOfUser}
    WHERE ${beginsWith(Prisma.raw('own.term'), text)} AND own.term < t.term)`
  return Prisma.sql`(SELECT t.user_id AS id, t.term AS k0, t.user_id AS k1 FROM user_term t
    ${looks(userId, [{ of: 'u', sql: isFirst }, ...conditions])}
    WHERE ${gate} AND ${termsWith(tenant, text)} AND ${position}
    ORDER BY t.term ${direction}, t.user_id ${direction} LIMIT ${most})`
}
