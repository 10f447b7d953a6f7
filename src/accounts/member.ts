/** Members of partners, who sign in (decisions §1). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { refusedAttempt } from '../core/audit/refused-attempt.ts'
import type { Config } from '../core/config.ts'
import type { MemberCaller } from '../core/context.ts'
import { afterCommit, inTransaction, type Queries, type Tx } from '../core/db/db.ts'
import { refuseTaken } from '../core/db/taken.ts'
import { refused, TesseraError } from '../core/errors.ts'
import { nodeId } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { email, oneOf, text } from '../core/validation.ts'
import type { Member } from '../generated/prisma/client.ts'
import { MemberRole } from '../generated/prisma/enums.ts'
import { lockMembers, selectAdminsForUpdate } from './member.sql.ts'
import { createPartner } from './partner.ts'
import { hashPassword } from './password.ts'
import { tryPassword } from './password-try.ts'
import { forgetSignIns } from './sign-in.ts'

/** Long enough to make guessing hopeless. There are no other rules, as NIST SP 800-63B recommends. */
const newPassword = () => text(1024).min(12, 'must have at least 12 characters')

/** An input that names a member. */
export const memberId = () => nodeId('Member').describe('The member.')

export const CreateMember = z
  .object({
    email: email().describe('E-mail address; unique within the partner.'),
    password: newPassword().describe('Initial password: 12 characters or more.'),
    role: oneOf('MemberRole', MemberRole)
      .nullish()
      .describe('Defaults to DEVELOPER. Only an ADMIN can create an ADMIN.'),
    partnerId: nodeId('Partner')
      .nullish()
      .describe("The partner. Defaults to the caller's own; only an ADMIN can choose another."),
  })
  .describe('A member to create.')

export const UpdateMember = z
  .object({
    memberId: memberId(),
    role: oneOf('MemberRole', MemberRole).nullish().describe('New role. Requires an ADMIN.'),
    password: newPassword()
      .nullish()
      .describe("New password: 12 characters or more. It ends the member's sign-ins."),
  })
  .describe('Changes to a member. Omitted fields are unchanged.')

export const ChangePassword = z
  .object({
    currentPassword: text(1024).describe('The current password.'),
    newPassword: newPassword().describe('New password: 12 characters or more.'),
  })
  .describe("The caller's new password.")

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'config' | 'keys' | 'singletons'>

const normalized = (address: string) => address.trim().toLowerCase()

const isAdmin = ({ role }: Pick<MemberCaller, 'role'>) => role === 'ADMIN'

/**
 * Hashes a new password. All hashes of one e-mail address have the same salt, so that a sign-in takes equally long
 * however many partners have a member with the address.
 */
const hashFor = async (tx: Queries, email: string, password: string): Promise<string> => {
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
 * @throws TesseraError ADMIN_REQUIRED for another partner or an ADMIN, PARTNER_UNKNOWN, EMAIL_TAKEN
 */
export const createMember = async (
  { db, clock }: Store,
  caller: MemberCaller,
  { passwordHash, ...input }: Awaited<ReturnType<typeof hashNewMember>>,
): Promise<Member> => {
  const partnerId = input.partnerId ?? caller.partnerId
  const role = input.role ?? 'DEVELOPER'
  if ((role === 'ADMIN' || partnerId !== caller.partnerId) && !isAdmin(caller))
    throw new TesseraError('ADMIN_REQUIRED')
  if (!(await db.partner.findUnique({ where: { id: partnerId, closedAt: null } })))
    throw new TesseraError('PARTNER_UNKNOWN')
  const address = normalized(input.email)
  const createdAt = clock()
  return db.member
    .create({ data: { id: uuid(), partnerId, email: address, passwordHash, role, createdAt } })
    .catch(refuseTaken('EMAIL_TAKEN', 'email', address))
}

/**
 * A member whom the caller may change. An ADMIN may change anyone, others the DEVELOPERs of their own partner.
 * @throws TesseraError MEMBER_NOT_FOUND for members of other partners too, ADMIN_REQUIRED
 */
const lockMember = async (tx: Tx, caller: MemberCaller, memberId: string): Promise<Member> => {
  const member = await tx.member.findUnique({
    where: { id: memberId, ...(!isAdmin(caller) && { partnerId: caller.partnerId }) },
  })
  if (!member) throw new TesseraError('MEMBER_NOT_FOUND')
  if (member.role === 'ADMIN' && !isAdmin(caller)) throw new TesseraError('ADMIN_REQUIRED')
  return member
}

/** Serializes changes of administrators, so that two of them cannot demote or delete each other at the same time. */
const lockAdmins = async (tx: Tx, caller: MemberCaller) => {
  const admins = await selectAdminsForUpdate(tx)
  if (isAdmin(caller) && !admins.some(({ id }) => id === caller.memberId))
    throw new TesseraError('ADMIN_REQUIRED')
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
 * Changes the role or password of a member. A new password ends all their sign-ins at once. A new role takes effect
 * on all nodes within five seconds.
 * @throws TesseraError MEMBER_NOT_FOUND, ADMIN_REQUIRED, OWN_MEMBER
 */
export const updateMember = (
  store: Store,
  caller: MemberCaller,
  { memberId, role, passwordHash }: Awaited<ReturnType<typeof hashUpdate>>,
): Promise<Member> =>
  inTransaction(store, async ({ tx, clock }) => {
    await lockAdmins(tx, caller)
    const found = await lockMember(tx, caller, memberId)
    if (role && !isAdmin(caller)) throw new TesseraError('ADMIN_REQUIRED')
    if (role && role !== found.role && found.id === caller.memberId)
      throw new TesseraError('OWN_MEMBER')
    if (passwordHash) await endSignIns(tx, found.id, clock())
    afterCommit(tx, () => forgetSignIns(store, found.id))
    return tx.member.update({
      where: { id: found.id },
      data: {
        ...(role && { role }),
        ...(passwordHash && { passwordHash }),
      },
    })
  })

const endSignIns = (tx: Tx, memberId: string, now: Date) =>
  tx.signIn.updateMany({ where: { memberId, revokedAt: null }, data: { revokedAt: now } })

/**
 * Deletes a member and their sign-ins, and returns the member.
 * @throws TesseraError MEMBER_NOT_FOUND, ADMIN_REQUIRED, OWN_MEMBER
 */
export const deleteMember = (
  store: Store,
  caller: MemberCaller,
  memberId: string,
): Promise<Member> =>
  inTransaction(store, async ({ tx }) => {
    await lockAdmins(tx, caller)
    const found = await lockMember(tx, caller, memberId)
    if (found.id === caller.memberId) throw new TesseraError('OWN_MEMBER')
    await tx.signIn.deleteMany({ where: { memberId: found.id } })
    afterCommit(tx, () => forgetSignIns(store, found.id))
    return tx.member.delete({ where: { id: found.id } })
  })

/**
 * Checks the current password of the caller and hashes the new one.
 * @throws TesseraError VALIDATION_FAILED when the current password is wrong, ACCOUNT_LOCKED
 */
export const checkPasswordChange = async (
  store: Store,
  { memberId, signInId }: MemberCaller,
  { currentPassword, newPassword }: z.output<typeof ChangePassword>,
): Promise<{ passwordHash: string }> => {
  const member = await store.db.member.findUniqueOrThrow({ where: { id: memberId } })
  const { email } = member
  const origin = `sign-in ${signInId}`
  const attempt = { email, members: [member], password: currentPassword, origin, isFamiliar: true }
  const [right] = await tryPassword(store, attempt)
  if (!right) throw refusedAttempt([member], refused('currentPassword', 'is wrong'))
  return { passwordHash: await hashPassword(newPassword, member.passwordHash) }
}

/** Changes the password of the caller and ends all their other sign-ins. */
export const changePassword = (
  store: Store,
  { memberId, signInId }: MemberCaller,
  { passwordHash }: { passwordHash: string },
): Promise<Member> =>
  inTransaction(store, async ({ tx, clock }) => {
    const changed = await tx.member.update({ where: { id: memberId }, data: { passwordHash } })
    await tx.signIn.updateMany({
      where: { memberId, id: { not: signInId }, revokedAt: null },
      data: { revokedAt: clock() },
    })
    afterCommit(tx, () => forgetSignIns(store, memberId))
    return changed
  })

/** The partner of the operators of the service. */
const operator = { slug: 'operator', name: 'Operator' }

/**
 * Creates the ADMIN of the configuration, unless an ADMIN or a member of the operator has the address. Nodes that
 * start at the same time create only one.
 * @returns whether one was created
 */
export const ensureAdmin = async (
  work: Work,
  { admin }: Pick<Config, 'admin'>,
): Promise<boolean> => {
  if (!admin) return false
  const address = normalized(admin.email)
  const ours = { OR: [{ role: 'ADMIN' as const }, { partner: { slug: operator.slug } }] }
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
        role: 'ADMIN',
        createdAt: work.clock(),
      },
    })
    return true
  })
}
