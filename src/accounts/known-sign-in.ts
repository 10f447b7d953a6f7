/** Sign-ins by id, with the data that decides whether they are valid. Nodes cache them. */
import { orOtherCell } from '../core/cell.ts'
import type { MemberCaller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { rightsOfRole } from '../core/rights.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import type { Member } from '../generated/prisma/client.ts'
import { identityCache } from './identity-cache.ts'
import {
  heldOf,
  type PartnerPlace,
  placeOfPartner,
  requireHere,
  staysHere,
} from './partner-move.ts'

export type KnownSignIn = {
  memberId: string
  partnerId: string
  role: Member['role']
  isOperator: boolean
  expiresAt: Date
  revokedAt: Date | null
  place: PartnerPlace
}

/** Reads sign-ins by id, with what is needed to validate them. */
const findSignIns = async ({ tx }: Work, ids: string[]): Promise<(KnownSignIn | Error)[]> => {
  const rows = await tx.signIn.findMany({
    where: { id: { in: ids } },
    include: { member: { include: { partner: { select: placeOfPartner } } } },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) return new TesseraError('INVALID_BEARER_TOKEN')
    const { partnerId, role, isOperator, partner: place } = row.member
    const { memberId, expiresAt, revokedAt } = row
    return { memberId, partnerId, role, isOperator, expiresAt, revokedAt, place }
  })
}

const memoryOf = identityCache<KnownSignIn>('sign-ins', 10_000)

type Store = Pick<Runtime, 'singletons'>

/** Removes a sign-in from the cache of this node. The caches of other nodes expire within five seconds. */
export const forgetSignIn = (store: Store, id: string): void => void memoryOf(store).delete(id)

/** Removes the sign-ins of a member from the cache of this node. Other caches expire within five seconds. */
export const forgetSignIns = (store: Store, memberId: string): void => {
  const memory = memoryOf(store)
  for (const [id, found] of memory.entries()) if (found.memberId === memberId) memory.delete(id)
}

/**
 * A sign-in that has not been ended.
 * @param cell the cell that its token names
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND, PARTNER_MOVING; WRONG_CELL for one of another cell
 */
export const getSignIn = async (
  runtime: Runtime,
  id: string,
  cell: string | undefined,
): Promise<KnownSignIn> => {
  const memory = memoryOf(runtime)
  let found = memory.get(id)
  if (!found) {
    found = await runtime.read(findSignIns, id).catch(orOtherCell(cell, runtime.keys.cell))
    if (staysHere(found.place)) memory.set(id, found)
  }
  if (found.revokedAt) throw new TesseraError('INVALID_BEARER_TOKEN')
  requireHere(found.place)
  return found
}

/** The caller of a sign-in. */
export const callerOfSignIn = (
  signInId: string,
  { memberId, partnerId, isOperator, role, place }: KnownSignIn,
  environment: Tenant['environment'],
): MemberCaller => {
  const rights = rightsOfRole[role]
  const who = { memberId, signInId, isOperator, rights }
  return { kind: 'member', partnerId, environment, ...who, ...heldOf(place) }
}
