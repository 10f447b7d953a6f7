/** The operators of the service. */
import { v7 as uuid } from 'uuid'
import type { Member } from '../generated/prisma/client.ts'
import { auditedBySystem } from '../kit/access/audited.ts'
import type { Config } from '../kit/config/config.ts'
import { inTransaction, type Queries } from '../kit/database/db.ts'
import type { Work } from '../kit/runtime.ts'
import { lockMembers } from './member.sql.ts'
import { hashFor, normalized } from './member.ts'
import { createPartner } from './partner.ts'

/** The partner of the operators of the service. */
const operator = { slug: 'operator', name: 'Operator' }

/**
 * Creates an operator of the service, with an entry in the audit log.
 * @returns null if an operator or a member of their partner has the address
 */
export const createOperator = async (
  work: Work,
  { email, password }: { email: string; password: string },
): Promise<Member | null> => {
  const address = normalized(email)
  const ours = { OR: [{ isOperator: true }, { partner: { slug: operator.slug } }] }
  const isThere = (tx: Queries) => tx.member.count({ where: { email: address, ...ours } })
  if ((await isThere(work.tx)) > 0) return null
  const passwordHash = await hashFor(work.tx, address, password)
  const create = async (txWork: Work) => {
    const { tx } = txWork
    const { id: partnerId } =
      (await tx.partner.findUnique({ where: { slug: operator.slug } })) ??
      (await createPartner(txWork, operator))
    const who = { id: uuid(), partnerId, email: address, role: 'OWNER', isOperator: true } as const
    return tx.member.create({ data: { ...who, passwordHash, createdAt: work.clock() } })
  }
  return inTransaction(work, async (txWork) => {
    await lockMembers(txWork.tx)
    if ((await isThere(txWork.tx)) > 0) return null
    return auditedBySystem(txWork, {
      action: 'createMember',
      run: create,
      targetOf: ({ id, partnerId }) => ({ type: 'Member', id, partnerId, environment: null }),
    })
  })
}

/**
 * Creates the operator of the configuration, unless there is one. Nodes that start at the same time create only one.
 * @returns whether one was created
 */
export const ensureAdmin = async (work: Work, { admin }: Pick<Config, 'admin'>): Promise<boolean> =>
  admin !== undefined && (await createOperator(work, admin)) !== null
