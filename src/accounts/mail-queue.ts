/** The queue of mail, written in the transaction that causes it. A job creates the link and sends the mail. */
import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Invitation } from '../generated/prisma/client.ts'
import type { MailKind } from '../generated/prisma/enums.ts'
import { countTry } from '../kit/http/throttle.ts'
import { randomSecret } from '../kit/random.ts'
import type { Runtime } from '../kit/runtime.ts'
import { macOf } from '../kit/security/seal.ts'

type Page = 'invitation' | 'reset'

/** The stored form of a token: a digest that is of no use on another page. */
export const digestOfToken = (page: Page, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', `${page} ${token}`, 'buffer'))

/** A link with a new token. The token is in the fragment, which browsers do not send, so no log has it. */
export const makeSecretLink = (
  { config }: Pick<Runtime, 'config'>,
  page: Page,
): { link: string; tokenDigest: Uint8Array<ArrayBuffer> } => {
  const token = randomSecret()
  const link = `${config.publicUrl}/console/${page}#token=${token}`
  return { link, tokenDigest: digestOfToken(page, token) }
}

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'keys'>

/** The limit of mails of one kind to an address. An address without a member is counted, too. */
const toOneAddress = { max: 5, windowMs: 3600_000 }

/** How long a mail with a link to choose a password is retried, and how long the link works. */
export const resetMs = 3600_000

/** @throws TesseraError RATE_LIMITED */
export const countMail = (store: Store, kind: MailKind, email: string): Promise<void> => {
  const address = macOf(store.keys.pepper, 'mail-limit', email).toString('base64url')
  return countTry(store, { key: `mail ${kind} ${address}`, ...toOneAddress })
}

/**
 * Queues an invitation, which is sent after the transaction. One that is already queued is sent once.
 * @throws TesseraError RATE_LIMITED
 */
export const queueInvitation = async (
  store: Store,
  { id: invitationId, email: recipient, expiresAt }: Invitation,
): Promise<void> => {
  await countMail(store, 'INVITATION', recipient)
  const now = store.clock()
  const times = { createdAt: now, dueAt: now, expiresAt, tries: 0 }
  await store.db.mail.upsert({
    where: { invitationId },
    create: { id: uuid(), kind: 'INVITATION', recipient, invitationId, ...times },
    update: times,
  })
}

/** Who asked for a new password, for the audit log. */
type Asked = { address: string; userAgent: string | null; requestId: string }

/**
 * Queues links for the members with an address, if there are any. Reads nothing, so its duration does not reveal
 * whether there are.
 */
export const queuePasswordReset = async (
  { db, clock }: Store,
  recipient: string,
  requested: Asked,
): Promise<void> => {
  const now = clock()
  const expiresAt = new Date(now.getTime() + resetMs)
  const times = { createdAt: now, dueAt: now, expiresAt }
  await db.mail.create({
    data: { id: uuid(), kind: 'PASSWORD_RESET', recipient, ...requested, ...times },
  })
}
