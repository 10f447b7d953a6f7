/** The texts of mails. */

import type { Invitation } from '../generated/prisma/client.ts'
import type { MailMessage } from '../kit/mailer.ts'

const text = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`

export const invitationMail = (
  { email, role, expiresAt }: Pick<Invitation, 'email' | 'role' | 'expiresAt'>,
  partner: string,
  link: string,
): MailMessage => ({
  to: email,
  subject: `Invitation to ${partner}`,
  text: text(
    `You are invited to become a member of ${partner}, with the role ${role}.`,
    `Open this link to choose a password. It works once, until ${expiresAt.toUTCString()}:`,
    link,
    'If you do not know what this is about, ignore this mail.',
  ),
})

export const passwordResetMail = (email: string, partner: string, link: string): MailMessage => ({
  to: email,
  subject: `New password for ${partner}`,
  text: text(
    `Somebody has asked for a new password for ${email} at ${partner}.`,
    'Open this link to choose one. It works once, within an hour:',
    link,
    'If it was not you, ignore this mail: your password stays as it is.',
  ),
})
