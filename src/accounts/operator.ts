/** The operators of the service, and the creation of the first one. */
import { v7 as uuid } from 'uuid'
import type { Config } from '../core/config.ts'
import { inTransaction, type Queries } from '../core/db/db.ts'
import type { Work } from '../core/runtime.ts'
import { lockMembers } from './member.sql.ts'
import { hashFor, normalized } from './member.ts'
import { createPartner } from './partner.ts'

/** The partner of the operators of the service. */
const operator = { slug: 'operator', name: 'Operator' }

/**
 * Creates the operator of the configuration, unless an operator or a member of their partner has the address. Nodes that
 * start at the same time create only one.
 * @returns whether one was created
 */
export const ensureAdmin = async (
  work: Work,
  { admin }: Pick<Config, 'admin'>,
): Promise<boolean> => {
  if (!admin) return false
  const address = normalized(admin.email)
  const ours = { OR: [{ isOperator: true }, { partner: { slug: operator.slug } }] }
  const isThere = (tx: Queries) => tx.member.count({ where: { email: address, ...ours } })
  if ((await isThere(work.tx)) > 0) return false
  const passwordHash = await hashFor(work.tx, address, admin.password)
  return inTransaction(work, async ({ tx }) => {
    await lockMembers(tx)
    if ((await isThere(tx)) > 0) return false
    const { id: partnerId } =
      (await tx.partner.findUnique({ where: { slug: operator.slug } })) ??
      (await createPartner({ tx, clock: work.clock }, operator))
    await tx.member.create({
      data: {
        id: uuid(),
        partnerId,
        email: address,
        passwordHash,
        role: 'OWNER',
        isOperator: true,
        createdAt: work.clock(),
      },
    })
    return true
  })
}
