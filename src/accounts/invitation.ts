/** Invitations: a link, valid once, with which a person becomes a member and chooses a password. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Invitation, Member } from '../generated/prisma/client.ts'
import { MemberRole } from '../generated/prisma/enums.ts'
import { type MemberCaller, requireRight } from '../kit/access/context.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { TesseraError } from '../kit/errors.ts'
import { countTry } from '../kit/http/throttle.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import { networkOf } from '../kit/security/network.ts'
import { email, oneOf, text } from '../kit/validation.ts'
import { digestOfToken, makeSecretLink, queueInvitation } from './mail-queue.ts'
import { hashFor, newPassword, normalized } from './member.ts'
import { findPartnerBy, PartnerBy } from './partner.ts'

export const InviteMember = z
  .object({
    email: email().describe('E-mail address of the person.'),
    role: oneOf('MemberRole', MemberRole).describe(
      'The role of the new member. Only an OWNER can invite an OWNER.',
    ),
    partner: PartnerBy.nullish().describe(
      "The partner to join. Defaults to the caller's own; only an operator can choose another.",
    ),
  })
  .describe('An invitation. Inviting an address again renews its invitation.')

export const RevokeInvitation = z
  .object({ invitationId: nodeId('Invitation').describe('The invitation.') })
  .describe('An invitation to revoke.')

export const AcceptInvitation = z
  .object({
    token: text(255).describe('The part of the link after `#token=`.'),
    password: newPassword().describe('Password of the new member: 12 characters or more.'),
  })
  .describe('An invitation to accept.')

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'keys' | 'random' | 'config'>

const validMs = 7 * 24 * 3600 * 1000

/** Invitations that can be accepted. */
export const openAt = (now: Date) => ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: now } })

/** Invitations that the caller may replace or revoke: an open one of an owner takes the right to change owners. */
const changeableBy = ({ isOperator, rights }: MemberCaller, now: Date) =>
  isOperator || rights.includes('OWNERS_WRITE')
    ? {}
    : { NOT: { role: 'OWNER', ...openAt(now) } as const }

/**
 * The open partner that a person is invited to.
 * @throws TesseraError ADMIN_REQUIRED for another partner than the caller's, PARTNER_UNKNOWN
 */
const partnerToJoin = async (
  { db }: Store,
  caller: MemberCaller,
  by: z.output<typeof InviteMember>['partner'],
): Promise<string> => {
  if (!by) return caller.partnerId
  const id = by.id ?? (await findPartnerBy({ db }, by))?.id
  if (id !== caller.partnerId && !caller.isOperator) throw new TesseraError('ADMIN_REQUIRED')
  if (id === undefined || !(await db.partner.findUnique({ where: { id, closedAt: null } })))
    throw new TesseraError('PARTNER_UNKNOWN')
  return id
}

/**
 * Invites a person, or renews their invitation. Only a digest of the token is stored, so only this answer has the link.
 * If the service sends mail, the link is null: the mail has a link of its own.
 * @throws TesseraError RIGHT_REQUIRED for an owner, or where an owner is invited; ADMIN_REQUIRED, PARTNER_UNKNOWN;
 * EMAIL_TAKEN by a member of the partner; RATE_LIMITED after five mails to an address in an hour
 */
export const inviteMember = async (
  store: Store,
  caller: MemberCaller,
  input: z.output<typeof InviteMember>,
): Promise<{ invitation: Invitation; link: string | null }> => {
  const { db, clock, config } = store
  const { role } = input
  const partnerId = await partnerToJoin(store, caller, input.partner)
  if (role === 'OWNER' && !caller.isOperator) requireRight(caller, 'OWNERS_WRITE')
  const email = normalized(input.email)
  if (await db.member.findUnique({ where: { partnerId_email: { partnerId, email } } }))
    throw new TesseraError('EMAIL_TAKEN', { field: 'email', value: email })
  const { link, tokenDigest } = makeSecretLink(store, 'invitation')
  const now = clock()
  const news = {
    role,
    tokenDigest,
    invitedById: caller.memberId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + validMs),
    acceptedAt: null,
    revokedAt: null,
  }
  const [renewed] = await db.invitation.updateManyAndReturn({
    where: { partnerId, email, ...changeableBy(caller, now) },
    data: news,
  })
  if (!renewed && (await db.invitation.count({ where: { partnerId, email } })) > 0)
    requireRight(caller, 'OWNERS_WRITE')
  const invitation =
    renewed ?? (await db.invitation.create({ data: { id: uuid(), partnerId, email, ...news } }))
  if (!config.mail) return { invitation, link }
  await queueInvitation(store, invitation)
  return { invitation, link: null }
}

/**
 * Revokes an invitation. Revoking it again changes nothing.
 * @throws TesseraError INVITATION_NOT_FOUND for one of another partner too, INVITATION_ACCEPTED, RIGHT_REQUIRED for one
 * of an owner
 */
export const revokeInvitation = async (
  { db, clock }: Store,
  caller: MemberCaller,
  id: string,
): Promise<Invitation> => {
  const { partnerId } = caller
  const now = clock()
  const changeable = changeableBy(caller, now)
  const { count } = await db.invitation.updateMany({
    where: { id, partnerId, acceptedAt: null, revokedAt: null, ...changeable },
    data: { revokedAt: now },
  })
  const invitation = await db.invitation.findUnique({ where: { id, partnerId } })
  if (!invitation) throw new TesseraError('INVITATION_NOT_FOUND')
  if (invitation.acceptedAt)
    throw new TesseraError('INVITATION_ACCEPTED', { doneAt: invitation.acceptedAt })
  if (count === 0 && !invitation.revokedAt) requireRight(caller, 'OWNERS_WRITE')
  return invitation
}

/**
 * The open invitation of a token, with what the holder of its link may know. Null for any other token, and while the
 * partner is closed.
 */
export const findPublicInvitation = async ({ db, clock }: Store, token: string) => {
  const invitation = await db.invitation.findUnique({
    where: { tokenDigest: digestOfToken('invitation', token), ...openAt(clock()) },
    include: { partner: true },
  })
  if (!invitation || invitation.partner.closedAt) return null
  const { partner, invitedById, email, role, expiresAt } = invitation
  const inviter = invitedById && (await db.member.findUnique({ where: { id: invitedById } }))
  const invitedBy = inviter ? inviter.email : null
  return { partnerName: partner.name, invitedBy, email, role, expiresAt }
}

/** @throws TesseraError why an invitation cannot be accepted */
const refuseInvitation = (invitation: Invitation | null, now: Date): void => {
  if (!invitation) throw new TesseraError('INVALID_INVITATION', { since: null })
  const { acceptedAt, revokedAt, expiresAt } = invitation
  if (acceptedAt) throw new TesseraError('INVITATION_ACCEPTED', { doneAt: acceptedAt })
  if (revokedAt || expiresAt <= now)
    throw new TesseraError('INVALID_INVITATION', { since: revokedAt ?? expiresAt })
}

/**
 * Finds the invitation of a token and hashes the password.
 * @throws TesseraError INVALID_INVITATION, INVITATION_ACCEPTED; RATE_LIMITED after `signInLimit` tries from a network
 * in ten minutes
 */
export const prepareAcceptance = async (
  store: Store,
  { token, password }: z.output<typeof AcceptInvitation>,
  ip: string,
) => {
  const { db, clock, config } = store
  const key = `invitation ${networkOf(ip)}`
  await countTry(store, { key, max: config.signInLimit, windowMs: 600_000 })
  const invitation = await db.invitation.findUnique({
    where: { tokenDigest: digestOfToken('invitation', token) },
  })
  refuseInvitation(invitation, clock())
  const { email } = invitation as Invitation
  return { token, passwordHash: await hashFor(db, email, password) }
}

/**
 * Makes the invited person a member. Of concurrent acceptances, only one succeeds. A refused one does not use up the
 * link.
 * @throws TesseraError INVALID_INVITATION, INVITATION_ACCEPTED, PARTNER_NOT_FOUND, EMAIL_TAKEN
 */
export const acceptInvitation = (
  store: Store,
  { token, passwordHash }: Awaited<ReturnType<typeof prepareAcceptance>>,
): Promise<Member> =>
  inTransaction(store, async ({ tx, clock }) => {
    const tokenDigest = digestOfToken('invitation', token)
    const now = clock()
    const [accepted] = await tx.invitation.updateManyAndReturn({
      where: { tokenDigest, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
      data: { acceptedAt: now },
    })
    if (!accepted) {
      refuseInvitation(await tx.invitation.findUnique({ where: { tokenDigest } }), now)
      throw new TesseraError('INVALID_INVITATION', { since: null })
    }
    const { partnerId, email, role } = accepted
    if (!(await tx.partner.findUnique({ where: { id: partnerId, closedAt: null } })))
      throw new TesseraError('PARTNER_NOT_FOUND')
    return tx.member
      .create({ data: { id: uuid(), partnerId, email, role, passwordHash, createdAt: now } })
      .catch(refuseDuplicateKey('EMAIL_TAKEN', 'email', email))
  })
