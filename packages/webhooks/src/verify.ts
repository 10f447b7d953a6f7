import type { WebhookEvent } from './event.ts'
import { WebhookError } from './fault.ts'
import { bytesOf, bytesOfBody, importSecret, signedBytes } from './sign.ts'

/** Headers as `fetch` or as Node.js has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** The secret of the endpoint (`whsec_…`), or several while you replace one. */
  secret: string | readonly string[]
  /** How far the time of an attempt may differ from your clock, in seconds; default 300. */
  toleranceSeconds?: number | undefined
}

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Record<string, string | readonly string[] | undefined>)[name]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookError('MISSING_HEADER', `The header ${name} is missing`)
}

const signaturesOf = (header: string) =>
  header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .flatMap((part) => bytesOf(part.slice(3)) ?? [])

/** Whether any of the signatures matches any of the secrets. The comparison takes constant time. */
const isSigned = async (
  signatures: Uint8Array<ArrayBuffer>[],
  bytes: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> => {
  for (const key of await Promise.all(secrets.map(importSecret)))
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return true
  return false
}

const parse = (body: Uint8Array): WebhookEvent | undefined => {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(body))
    return typeof parsed?.event === 'string' ? parsed : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the event of a request that Tessera has signed.
 * @param body the raw body, before anything has parsed it
 * @throws WebhookError if it is not signed with your secret, or was signed too long ago
 * @throws TypeError if `secret` is not the secret of an endpoint
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = 300 }: VerifyOptions,
): Promise<WebhookEvent> => {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'))
  const raw = bytesOfBody(body)
  const bytes = signedBytes(id, timestamp, raw)
  if (!(await isSigned(signatures, bytes, [secret].flat())))
    throw new WebhookError('WRONG_SIGNATURE', 'The request is not signed with the secret')
  // `!(… <= …)` also refuses NaN.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError(
      'OLD_TIMESTAMP',
      `The request was signed more than ${toleranceSeconds} seconds from now`,
    )
  const event = parse(raw)
  if (!event) throw new WebhookError('MALFORMED_BODY', 'The body is not an event')
  return { ...event, id }
}
