/** Members of partners, who sign in. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Member } from '../generated/prisma/client.ts'
import { MemberRole } from '../generated/prisma/enums.ts'
import { refusedAttempt } from '../kit/access/audited.ts'
import { type MemberCaller, requireRight } from '../kit/access/context.ts'
import { rightsOfRole } from '../kit/access/rights.ts'
import { afterCommit, inTransaction, type Queries, type Tx } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import { email, flag, oneOf, text } from '../kit/validation.ts'
import { endSignIns, forgetSignIns } from './known-sign-in.ts'
import { selectPartiesForUpdate } from './member.sql.ts'
import { findPartnerBy, PartnerBy } from './partner.ts'
import { hashPassword, tryPassword } from './password.ts'

/** Long enough to make guessing hopeless. There are no other rules, as NIST SP 800-63B recommends. */
export const newPassword = () => text(1024).min(12, 'must have at least 12 characters')

/** An input that names a member. */
export const memberId = () => nodeId('Member').describe('The member, by its global id or its UUID.')

export const CreateMember = z
  .object({
    email: email().describe('E-mail address; unique within the partner.'),
    password: newPassword().describe('Initial password: 12 characters or more.'),
    role: oneOf('MemberRole', MemberRole).describe('Only an OWNER can create an OWNER.'),
    isOperator: flag().nullish().describe('Defaults to false. Only an operator can create one.'),
    partner: PartnerBy.nullish().describe(
      "The partner. Defaults to the caller's own; only an operator can choose another.",
    ),
  })
  .describe('A member to create.')

export const UpdateMember = z
  .object({
    memberId: memberId(),
    role: oneOf('MemberRole', MemberRole)
      .nullish()
      .describe('New role. Only an OWNER can make an OWNER, or change one.'),
    isOperator: flag()
      .nullish()
      .describe('Whether the member operates the service. Requires an operator.'),
    password: newPassword()
      .nullish()
      .describe("New password: 12 characters or more. It ends the member's sign-ins."),
    removeSecondFactor: flag()
      .nullish()
      .describe(
        "true: the member signs in without a second factor, which they have lost. It ends the member's sign-ins.",
      ),
  })
  .describe('Changes to a member. Omitted fields are unchanged.')

export const ChangePassword = z
  .object({
    currentPassword: text(1024).describe('The current password.'),
    newPassword: newPassword().describe('New password: 12 characters or more.'),
  })
  .describe("The caller's new password.")

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'config' | 'keys' | 'singletons'>

export const normalized = (address: string) => address.trim().toLowerCase()

/**
 * Hashes a new password. All hashes of one e-mail address have the same salt, so that a sign-in takes equally long
 * however many partners have a member with the address.
 */
export const hashFor = async (tx: Queries, email: string, password: string): Promise<string> => {
  const known = await tx.member.findFirst({ where: { email }, orderBy: { id: 'asc' } })
  return hashPassword(password, known?.passwordHash)
}

/** Hashes the password of a new member, which takes too long for a transaction. */
export const hashNewMember = async (
  { db }: Store,
  { password, ...input }: z.output<typeof CreateMember>,
) => ({ ...input, passwordHash: await hashFor(db, normalized(input.email), password) })

/**
 * Creates a member. Members of other partners may have the same address.
 * @throws TesseraError ADMIN_REQUIRED for another partner or an operator, RIGHT_REQUIRED for an owner, PARTNER_UNKNOWN,
 * EMAIL_TAKEN
 */
export const createMember = async (
  { db, clock }: Store,
  caller: MemberCaller,
  { passwordHash, ...input }: Awaited<ReturnType<typeof hashNewMember>>,
): Promise<Member> => {
  const by = input.partner ?? { id: caller.partnerId }
  const partnerId = by.id ?? (await findPartnerBy({ db }, by))?.id
  const isOperator = input.isOperator ?? false
  if ((isOperator || partnerId !== caller.partnerId) && !caller.isOperator)
    throw new TesseraError('ADMIN_REQUIRED')
  if (input.role === 'OWNER' && !caller.isOperator) requireRight(caller, 'OWNERS_WRITE')
  if (
    partnerId === undefined ||
    !(await db.partner.findUnique({ where: { id: partnerId, closedAt: null } }))
  )
    throw new TesseraError('PARTNER_UNKNOWN')
  const email = normalized(input.email)
  const { role } = input
  const who = { id: uuid(), partnerId, email, role, isOperator, createdAt: clock() }
  return db.member
    .create({ data: { ...who, passwordHash } })
    .catch(refuseDuplicateKey('EMAIL_TAKEN', 'email', email))
}

/**
 * Locks a member whom the caller may change, and the members of whom one must remain. An operator may change anyone.
 * Others may change members of their own partner; changing an owner takes a separate right.
 * @throws TesseraError MEMBER_NOT_FOUND for members of other partners too, ADMIN_REQUIRED, RIGHT_REQUIRED
 */
export const lockMember = async (tx: Tx, caller: MemberCaller, memberId: string) => {
  const parties = await selectPartiesForUpdate(tx, caller.memberId, memberId)
  // Read after the lock: another change may have come first.
  const self = parties.find(({ id }) => id === caller.memberId)
  const member = parties.find(({ id }) => id === memberId)
  if (!self) throw new TesseraError('INVALID_BEARER_TOKEN')
  const { isOperator } = self
  const rights = rightsOfRole[self.role]
  if (!member || (member.partnerId !== self.partnerId && !isOperator))
    throw new TesseraError('MEMBER_NOT_FOUND')
  if (member.isOperator && !isOperator) throw new TesseraError('ADMIN_REQUIRED')
  requireRight({ rights }, 'MEMBERS_WRITE')
  if (member.role === 'OWNER' && !isOperator) requireRight({ rights }, 'OWNERS_WRITE')
  const owners = parties.filter(
    (party) => party.partnerId === member.partnerId && party.role === 'OWNER',
  )
  return { member, isSelf: member.id === self.id, isOperator, rights, owners }
}

type Locked = Awaited<ReturnType<typeof lockMember>>

/** @throws TesseraError LAST_OWNER when the partner would be left without an owner */
const refuseLastOwner = ({ member, owners }: Locked): void => {
  if (member.role === 'OWNER' && owners.length === 1) throw new TesseraError('LAST_OWNER')
}

/** @throws TesseraError ADMIN_REQUIRED, RIGHT_REQUIRED, OWN_MEMBER, LAST_OWNER */
const refuseRole = (
  locked: Locked,
  { role, isOperator }: Pick<z.output<typeof UpdateMember>, 'role' | 'isOperator'>,
): void => {
  const { member, isSelf } = locked
  if (isOperator != null && !locked.isOperator) throw new TesseraError('ADMIN_REQUIRED')
  if (role === 'OWNER' && !locked.isOperator) requireRight(locked, 'OWNERS_WRITE')
  const isOther =
    (role ?? member.role) !== member.role || (isOperator ?? member.isOperator) !== member.isOperator
  if (isOther && isSelf) throw new TesseraError('OWN_MEMBER')
  if (role && role !== 'OWNER') refuseLastOwner(locked)
}

/**
 * Hashes the new password of a member, if there is one.
 * @throws TesseraError OWN_PASSWORD
 */
export const hashUpdate = async (
  { db }: Store,
  caller: MemberCaller,
  { password, ...input }: z.output<typeof UpdateMember>,
) => {
  if (!password) return { ...input, passwordHash: undefined }
  // Someone with only a stolen token must not be able to lock a member out.
  if (input.memberId === caller.memberId) throw new TesseraError('OWN_PASSWORD')
  const known = await db.member.findUnique({ where: { id: input.memberId } })
  return { ...input, passwordHash: await hashPassword(password, known?.passwordHash) }
}

/**
 * Changes the role or password of a member. A new password and the removal of the second factor end all their sign-ins
 * at once. A new role takes effect on all nodes within five seconds.
 * @throws TesseraError MEMBER_NOT_FOUND, ADMIN_REQUIRED, RIGHT_REQUIRED, OWN_MEMBER, LAST_OWNER
 */
export const updateMember = (
  store: Store,
  caller: MemberCaller,
  { memberId, passwordHash, removeSecondFactor, ...change }: Awaited<ReturnType<typeof hashUpdate>>,
): Promise<Member> =>
  inTransaction(store, async (txWork) => {
    const { tx } = txWork
    const { role, isOperator } = change
    const locked = await lockMember(tx, caller, memberId)
    refuseRole(locked, change)
    const { id } = locked.member
    if (removeSecondFactor && locked.isSelf) throw new TesseraError('OWN_MEMBER')
    if (passwordHash || removeSecondFactor) await endAccess(txWork, id)
    if (removeSecondFactor) await tx.secondFactor.deleteMany({ where: { memberId: id } })
    afterCommit(tx, () => forgetSignIns(store, id))
    return tx.member.update({
      where: { id },
      data: {
        ...(role && { role }),
        ...(isOperator != null && { isOperator }),
        ...(passwordHash && { passwordHash }),
      },
    })
  })

/** Ends the sign-ins of a member, or all but one, and the link to choose a password. */
export const endAccess = async (
  txWork: Parameters<typeof endSignIns>[0],
  memberId: string,
  keptId?: string,
): Promise<void> => {
  await endSignIns(txWork, memberId, keptId)
  await txWork.tx.passwordReset.deleteMany({ where: { memberId } })
}

/**
 * Deletes a member and their sign-ins, and returns the member.
 * @throws TesseraError MEMBER_NOT_FOUND, ADMIN_REQUIRED, RIGHT_REQUIRED, OWN_MEMBER, LAST_OWNER
 */
export const deleteMember = (
  store: Store,
  caller: MemberCaller,
  memberId: string,
): Promise<Member> =>
  inTransaction(store, async ({ tx }) => {
    const locked = await lockMember(tx, caller, memberId)
    const { id } = locked.member
    if (locked.isSelf) throw new TesseraError('OWN_MEMBER')
    refuseLastOwner(locked)
    await tx.signIn.deleteMany({ where: { memberId: id } })
    afterCommit(tx, () => forgetSignIns(store, id))
    return tx.member.delete({ where: { id } })
  })

/**
 * Checks the password of the caller.
 * @throws TesseraError VALIDATION_FAILED when it is wrong, ACCOUNT_LOCKED
 */
export const checkOwnPassword = async (
  store: Store,
  { memberId, signInId }: MemberCaller,
  currentPassword: string,
): Promise<Member> => {
  const member = await store.db.member.findUniqueOrThrow({ where: { id: memberId } })
  const { email } = member
  const origin = `sign-in ${signInId}`
  const who = { email, members: [member], familiar: [member] }
  const attempt = { ...who, password: currentPassword, origin }
  const [right] = await tryPassword(store, attempt)
  if (!right) throw refusedAttempt([member], refused('currentPassword', 'is wrong'))
  return member
}

/**
 * Checks the current password of the caller and hashes the new one.
 * @throws TesseraError VALIDATION_FAILED when the current password is wrong, ACCOUNT_LOCKED
 */
export const checkPasswordChange = async (
  store: Store,
  caller: MemberCaller,
  { currentPassword, newPassword }: z.output<typeof ChangePassword>,
): Promise<{ passwordHash: string }> => {
  const member = await checkOwnPassword(store, caller, currentPassword)
  return { passwordHash: await hashPassword(newPassword, member.passwordHash) }
}

/** Changes the password of the caller and ends all their other sign-ins. */
export const changePassword = (
  store: Store,
  { memberId, signInId }: MemberCaller,
  { passwordHash }: { passwordHash: string },
): Promise<Member> =>
  inTransaction(store, async (txWork) => {
    await endAccess(txWork, memberId, signInId)
    return txWork.tx.member.update({ where: { id: memberId }, data: { passwordHash } })
  })
