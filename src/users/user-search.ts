/** Searches users by a prefix of their external id, e-mail address or name. */

import type { EndUser } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import type { Count, Part } from '../kit/schema/connection.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { countTerms, selectUsersByTerm } from './end-user.sql.ts'

/** A user, and the term that matched. */
export type FoundUser = EndUser & { term: string }

/** A page of the users with a term that begins with the text, in the order of these terms, each user once. */
export const findUsersByTerm = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  text: string,
  { take, skip, backward, from }: Part,
): Promise<FoundUser[]> => {
  const place = from && ([String(from[0]), String(from[1]) as UserId] as const)
  const part = { take, skip, isUp: !backward, from: place }
  const found = await selectUsersByTerm(tx, tenant, text, part)
  const users = await ofTenant(tx, tenant).endUser.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
  })
  const byId = new Map<string, EndUser>(users.map((user) => [user.id, user]))
  return found.flatMap(({ id, term }) => {
    const user = byId.get(id)
    return user ? [{ ...user, term }] : []
  })
}

const countedTerms = 1000

/** The number of users with such a term. AT_LEAST if there are more terms than are counted. */
export const countUsersByTerm = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  text: string,
): Promise<Count> => {
  const [row] = await countTerms(tx, tenant, text, countedTerms)
  const { terms = 0, users = 0 } = row ?? {}
  return { value: users, precision: terms < countedTerms ? 'EXACT' : 'AT_LEAST' }
}
