/** Password resets by a link that works once, within an hour. */
import { z } from 'zod'
import type { Member } from '../generated/prisma/client.ts'
import type { Context, MemberCaller } from '../kit/access/context.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { countTry } from '../kit/http/throttle.ts'
import type { Runtime } from '../kit/runtime.ts'
import { networkOf } from '../kit/security/network.ts'
import { text } from '../kit/validation.ts'
import {
  countMail,
  digestOfToken,
  makeSecretLink,
  queuePasswordReset,
  resetMs,
} from './mail-queue.ts'
import { endAccess, lockMember, memberId, newPassword, normalized } from './member.ts'
import { hashPassword } from './password.ts'
import { requireSecondFactor } from './second-factor.ts'

export const RequestPasswordReset = z
  .object({ email: text(255).describe('E-mail address of the member.') })
  .describe('Whose password was forgotten.')

export const ResetPassword = z
  .object({
    token: text(255).describe('The part of the link after `#token=`.'),
    newPassword: newPassword().describe('New password: 12 characters or more.'),
    code: text(64)
      .nullish()
      .describe('Code of the second factor, or a recovery code, if the member has one.'),
  })
  .describe('A new password, chosen by a link.')

export const CreatePasswordResetLink = z
  .object({ memberId: memberId() })
  .describe('A member who chooses a new password.')

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'config' | 'keys' | 'singletons'>

/** @throws TesseraError RATE_LIMITED after `signInLimit` tries from a network in ten minutes */
const countNetwork = (store: Store, what: string, ip: string) =>
  countTry(store, {
    key: `${what} ${networkOf(ip)}`,
    max: store.config.signInLimit,
    windowMs: 600_000,
  })

/**
 * Counts a request before it is written. Nothing here depends on whether there is a member with the address.
 * @throws TesseraError NO_MAIL if the service sends none; RATE_LIMITED by network, and after five requests for an
 * address in an hour
 */
export const prepareResetRequest = async (
  store: Store,
  input: z.output<typeof RequestPasswordReset>,
  ip: string,
): Promise<{ email: string }> => {
  if (!store.config.mail) throw new TesseraError('NO_MAIL')
  await countNetwork(store, 'password-reset request', ip)
  const email = normalized(input.email)
  await countMail(store, 'PASSWORD_RESET', email)
  return { email }
}

/** Queues a link for each member with the address. */
export const requestPasswordReset = (
  ctx: Context,
  { email }: Awaited<ReturnType<typeof prepareResetRequest>>,
): Promise<void> => {
  const userAgent = ctx.header?.('user-agent')?.slice(0, 500) ?? null
  return queuePasswordReset(ctx, email, { address: ctx.ip, userAgent, requestId: ctx.requestId })
}

/** Creates a new link for a member, which invalidates the previous one. */
export const renewResetLink = async (
  { tx, clock, config }: Pick<Store, 'tx' | 'clock' | 'config'>,
  memberId: string,
): Promise<string> => {
  const { link, tokenDigest } = makeSecretLink({ config }, 'reset')
  const createdAt = clock()
  const news = { tokenDigest, createdAt, expiresAt: new Date(createdAt.getTime() + resetMs) }
  await tx.passwordReset.upsert({
    where: { memberId },
    create: { memberId, ...news },
    update: news,
  })
  return link
}

/**
 * Creates a link for a member whom the caller may change.
 * @throws TesseraError MEMBER_NOT_FOUND, ADMIN_REQUIRED, RIGHT_REQUIRED, OWN_PASSWORD
 */
export const createPasswordResetLink = (
  store: Store,
  caller: MemberCaller,
  { memberId }: z.output<typeof CreatePasswordResetLink>,
): Promise<{ member: Member; link: string }> =>
  inTransaction(store, async (txWork) => {
    const { member, isSelf } = await lockMember(txWork.tx, caller, memberId)
    // Someone with only a stolen token must not be able to lock a member out.
    if (isSelf) throw new TesseraError('OWN_PASSWORD')
    return { member, link: await renewResetLink(txWork, member.id) }
  })

const refused = (since: Date | null = null) => new TesseraError('INVALID_PASSWORD_RESET', { since })

/**
 * Checks a link and the second factor, and hashes the password. A refusal leaves the link valid.
 * @throws TesseraError INVALID_PASSWORD_RESET, PARTNER_NOT_FOUND, SECOND_FACTOR_REQUIRED, INVALID_SECOND_FACTOR,
 * ACCOUNT_LOCKED; RATE_LIMITED after `signInLimit` tries from a network in ten minutes
 */
export const prepareReset = async (
  store: Store,
  { token, newPassword, code }: z.output<typeof ResetPassword>,
  ip: string,
) => {
  await countNetwork(store, 'password-reset', ip)
  const tokenDigest = digestOfToken('reset', token)
  const found = await store.db.passwordReset.findUnique({
    where: { tokenDigest },
    include: { member: { include: { partner: { select: { closedAt: true } } } } },
  })
  if (!found || found.expiresAt <= store.clock()) throw refused(found?.expiresAt)
  const { member } = found
  if (member.partner.closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  await requireSecondFactor(store, member, { code, origin: networkOf(ip), isFamiliar: false })
  const passwordHash = await hashPassword(newPassword, member.passwordHash)
  return { tokenDigest, memberId: member.id, passwordHash }
}

/**
 * Sets the password and ends all sign-ins. Of two concurrent uses of a link, only one succeeds.
 * @throws TesseraError INVALID_PASSWORD_RESET
 */
export const resetPassword = (
  store: Store,
  { tokenDigest, memberId: id, passwordHash }: Awaited<ReturnType<typeof prepareReset>>,
): Promise<Member> =>
  inTransaction(store, async (txWork) => {
    const { tx, clock } = txWork
    const { count } = await tx.passwordReset.deleteMany({
      where: { tokenDigest, expiresAt: { gt: clock() } },
    })
    if (count === 0) throw refused()
    await endAccess(txWork, id)
    return tx.member.update({ where: { id }, data: { passwordHash } })
  })
