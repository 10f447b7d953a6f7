/** Sends queued mail. No transaction is open while it is sent, and links are not logged. */

import { v7 as uuid } from 'uuid'
import type { Invitation, Mail } from '../generated/prisma/client.ts'
import type { MailKind } from '../generated/prisma/enums.ts'
import { insertAuditEntries } from '../kit/access/audit-entry.sql.ts'
import { delayAfter, doubling } from '../kit/backoff.ts'
import type { Job } from '../kit/jobs/job.ts'
import { type Mailer, type MailMessage, mailFaultOf, openMailer } from '../kit/mailer.ts'
import type { Runtime } from '../kit/runtime.ts'
import { makeSecretLink } from './mail-queue.ts'
import { renewResetLink } from './password-reset.ts'

const text = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`

const invitationMail = (
  { email, role, expiresAt }: Pick<Invitation, 'email' | 'role' | 'expiresAt'>,
  partner: string,
  link: string,
): MailMessage => ({
  to: email,
  subject: `Invitation to ${partner}`,
  text: text(
    `You have been invited to join ${partner} with the role ${role}.`,
    `Open this link to choose a password. It works once, until ${expiresAt.toUTCString()}:`,
    link,
    'If you did not expect this invitation, you can ignore this e-mail.',
  ),
})

const passwordResetMail = (email: string, partner: string, link: string): MailMessage => ({
  to: email,
  subject: `Reset your password for ${partner}`,
  text: text(
    `We received a request to reset the password of ${email} at ${partner}.`,
    'Open this link to choose a new password. It works once, within an hour:',
    link,
    'If this was not you, ignore this e-mail. Your password stays the same.',
  ),
})

/** The maximum number of mails per run. */
const atOnce = 50
const delays = doubling(60_000, 6 * 3600_000)
const maxTries = 12
/** The maximum number of members with one e-mail address, each of a different partner, who get a link. */
const maxMembers = 20

/** The invitation with a new link; null if it is no longer open. */
const invitationMessages = async (runtime: Runtime, mail: Mail): Promise<MailMessage[]> => {
  const { db, clock } = runtime
  const { link, tokenDigest } = makeSecretLink(runtime, 'invitation')
  const open = { acceptedAt: null, revokedAt: null, expiresAt: { gt: clock() } }
  const [invitation] = await db.invitation.updateManyAndReturn({
    where: { id: mail.invitationId as string, ...open, partner: { closedAt: null } },
    data: { tokenDigest },
    include: { partner: true },
  })
  return invitation ? [invitationMail(invitation, invitation.partner.name, link)] : []
}

/** The audit entries of a password reset request, one for each member. */
const noteRequest = async (
  { db }: Runtime,
  mail: Mail,
  members: { id: string; partnerId: string }[],
) => {
  const { address, userAgent, requestId, createdAt: at } = mail
  const entries = members.map(({ id: targetId, partnerId }) => ({
    id: uuid(),
    partnerId,
    at,
    address: address ?? '',
    userAgent,
    requestId: requestId ?? '',
    ...({
      actorKind: 'UNKNOWN',
      action: 'requestPasswordReset',
      targetType: 'Member',
      targetId,
    } as const),
  }))
  if (entries.length > 0) await insertAuditEntries(db, entries)
}

/** A link for each member with the address. */
const resetMessages = async (runtime: Runtime, mail: Mail): Promise<MailMessage[]> => {
  const { recipient, tries } = mail
  const members = await runtime.db.member.findMany({
    where: { email: recipient, partner: { closedAt: null } },
    include: { partner: true },
    orderBy: { id: 'asc' },
    take: maxMembers,
  })
  if (tries === 0) await noteRequest(runtime, mail, members)
  const messages: MailMessage[] = []
  for (const { id, partner } of members)
    messages.push(passwordResetMail(recipient, partner.name, await renewResetLink(runtime, id)))
  return messages
}

const messagesOf: Record<MailKind, (runtime: Runtime, mail: Mail) => Promise<MailMessage[]>> = {
  INVITATION: invitationMessages,
  PASSWORD_RESET: resetMessages,
}

/** Sends one mail. Returns whether the server is available for the next one. */
const sendOne = async (runtime: Runtime, mailer: Mailer, mail: Mail): Promise<boolean> => {
  const { db, clock, log } = runtime
  const { id, kind, tries } = mail
  // Counted before sending, so that a mail that crashes nodes is not retried forever.
  const { count } = await db.mail.updateMany({
    where: { id, tries },
    data: { tries: tries + 1, dueAt: new Date(clock().getTime() + delayAfter(delays, tries + 1)) },
  })
  // Renewed, or taken by another node, in the meantime.
  if (count === 0) return true
  const forget = () => db.mail.deleteMany({ where: { id, tries: tries + 1 } })
  const messages = await messagesOf[kind](runtime, mail)
  try {
    for (const message of messages) await mailer.send(message)
  } catch (error) {
    const { isFinal, ...fault } = mailFaultOf(error)
    const isOver = isFinal || tries + 1 >= maxTries
    log.warn({ mail: id, kind, ...fault }, isOver ? 'a mail is given up' : 'a mail was not sent')
    if (isOver) await forget()
    return isFinal
  }
  await forget()
  return true
}

/** Sends due mails that have not expired. */
export const sendMail = async (runtime: Runtime): Promise<void> => {
  const { db, clock, config } = runtime
  const now = clock()
  if (!config.mail) return
  const due = await db.mail.findMany({
    where: { dueAt: { lte: now }, expiresAt: { gt: now } },
    orderBy: { dueAt: 'asc' },
    take: atOnce,
  })
  if (due.length === 0) return
  const mailer = await openMailer(config.mail)
  try {
    for (const mail of due) if (!(await sendOne(runtime, mailer, mail))) return
  } finally {
    mailer.close()
  }
}

export const accountJobs: Job[] = [{ name: 'send-mail', everySeconds: 2, run: sendMail }]
