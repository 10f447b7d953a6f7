/** Statements that search users by the prefix of a term. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'

/** A prefix in the form in which terms are stored. */
const prefixOf = (text: string): Prisma.Sql =>
  Prisma.sql`left(lower(${text}::text), 64) COLLATE "C"`

/** Terms with a prefix. No term contains a character after the last one of Unicode. */
const beginsWith = ({ partnerId, environment }: Tenant, text: string): Prisma.Sql => Prisma.sql`
  t.partner_id = ${partnerId}::uuid AND t.environment = ${environment}::"Environment"
    AND t.term >= ${prefixOf(text)} AND t.term < ${prefixOf(text)} || chr(1114111)`

type Part = {
  take: number
  skip: number
  isUp: boolean
  /** Only rows after this term and user. */
  from: readonly [term: string, userId: UserId] | undefined
}

/** Users in the order of their first term with the prefix. */
export const selectUsersByTerm = statement(
  'find_users_by_term',
  returns({ id: 'uuid', term: 'text' }),
  (tenant: Tenant, text: string, { take, skip, isUp, from }: Part) => {
    const beyond = Prisma.raw(isUp ? '>' : '<')
    const direction = Prisma.raw(isUp ? 'ASC' : 'DESC')
    const place = from
      ? Prisma.sql`AND (t.term, t.user_id) ${beyond} (${from[0]}::text COLLATE "C", ${from[1]}::uuid)`
      : Prisma.empty
    return Prisma.sql`
      SELECT u.id, t.term FROM user_term t
      CROSS JOIN LATERAL (SELECT * FROM end_user e WHERE e.id = t.user_id LIMIT 1) u
      WHERE ${beginsWith(tenant, text)} ${place} AND NOT EXISTS (
        SELECT FROM user_terms(u.external_id, u.display_name, u.email) AS earlier
        WHERE earlier >= ${prefixOf(text)} AND earlier < t.term)
      ORDER BY t.term ${direction}, t.user_id ${direction} LIMIT ${take}::int OFFSET ${skip}::int`
  },
)

/** Counts the terms with a prefix, up to `limit`, and their users. */
export const countTerms = statement(
  'count_terms',
  returns({ terms: 'int', users: 'int' }),
  (tenant: Tenant, text: string, limit: number) => Prisma.sql`
    SELECT count(*)::int AS terms, count(DISTINCT user_id)::int AS users FROM (
      SELECT t.user_id FROM user_term t WHERE ${beginsWith(tenant, text)}
      ORDER BY t.term, t.user_id LIMIT ${limit}::int) found`,
)
