/** Users by the beginning of their external id, e-mail address or name. */
import type { Count, Part } from '../core/graphql/connection.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { type EndUser, Prisma } from '../generated/prisma/client.ts'

/** A user, and what of them was found. */
export type FoundUser = EndUser & { term: string }

/** Terms that begin with a text. No term has a character behind the last one of Unicode. */
const beginsWith = ({ partnerId, environment }: Tenant, text: string): Prisma.Sql => {
  const prefix = Prisma.sql`left(lower(${text}::text), 64) COLLATE "C"`
  return Prisma.sql`t.partner_id = ${partnerId}::uuid AND t.environment = ${environment}::"Environment"
    AND t.term >= ${prefix} AND t.term < ${prefix} || chr(1114111)`
}

/** A part of the users with a term that begins with a text, in the order of these terms; each user once. */
export const findUsersByTerm = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  text: string,
  { take, skip, backward, from }: Part,
): Promise<FoundUser[]> => {
  const [beyond, direction] = (backward ? ['<', 'DESC'] : ['>', 'ASC']).map((word) =>
    Prisma.raw(word),
  ) as [Prisma.Sql, Prisma.Sql]
  const place = from
    ? Prisma.sql`AND (t.term, t.user_id) ${beyond} (${from[0]}::text COLLATE "C", ${from[1]}::uuid)`
    : Prisma.empty
  const found = await tx.$queryRaw<{ id: string; term: string }[]>`
    SELECT u.id, t.term FROM user_term t JOIN end_user u ON u.id = t.user_id
    WHERE ${beginsWith(tenant, text)} ${place} AND NOT EXISTS (
      SELECT FROM user_terms(u.external_id, u.display_name, u.email) AS earlier
      WHERE earlier >= left(lower(${text}::text), 64) COLLATE "C" AND earlier < t.term)
    ORDER BY t.term ${direction}, t.user_id ${direction} LIMIT ${take}::int OFFSET ${skip}::int`
  const users = await tx.endUser.findMany({ where: { id: { in: found.map(({ id }) => id) } } })
  const byId = new Map(users.map((user) => [user.id, user]))
  return found.flatMap(({ id, term }) => {
    const user = byId.get(id)
    return user ? [{ ...user, term }] : []
  })
}

/** Terms that are counted. */
const countedTerms = 1000

/** How many users have such a term. A user may have several: a count that ends early says what it saw. */
export const countUsersByTerm = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  text: string,
): Promise<Count> => {
  const [row] = await tx.$queryRaw<{ terms: number; users: number }[]>`
    SELECT count(*)::int AS terms, count(DISTINCT user_id)::int AS users FROM (
      SELECT t.user_id FROM user_term t WHERE ${beginsWith(tenant, text)}
      ORDER BY t.term, t.user_id LIMIT ${countedTerms}::int) found`
  const { terms = 0, users = 0 } = row ?? {}
  return { value: users, precision: terms < countedTerms ? 'EXACT' : 'AT_LEAST' }
}
