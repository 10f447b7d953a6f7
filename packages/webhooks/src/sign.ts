/** Signatures by Standard Webhooks, with the Web Cryptography that every runtime has. */

const encoder = new TextEncoder()

/** The bytes of standard or URL-safe base64; undefined if it is neither. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/**
 * The key of a secret.
 * @throws TypeError if it is not the secret of an endpoint
 */
export const importSecret = async (secret: string): Promise<CryptoKey> => {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice(6)) : undefined
  if (!bytes?.length)
    throw new TypeError('The secret of a webhook endpoint begins with whsec_. Is it set?')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

/** The signed bytes: the id, the time and the exact bytes of the body. */
export const signedBytes = (
  id: string,
  timestamp: string,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

export const bytesOfBody = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? encoder.encode(body) : body

/** The headers that `verifyWebhook` reads. */
export type SignedHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Signs a body as Tessera does, for the tests of your handler.
 * @param options.id the id of the event; random unless given
 * @param options.sentAt when the attempt is made; now unless given
 * @throws TypeError if it is not the secret of an endpoint
 */
export const signWebhook = async (
  body: string | Uint8Array,
  {
    secret,
    id = crypto.randomUUID(),
    sentAt = new Date(),
  }: { secret: string; id?: string; sentAt?: Date },
): Promise<SignedHeaders> => {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const bytes = signedBytes(id, timestamp, bytesOfBody(body))
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await importSecret(secret), bytes))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...mac))}`,
  }
}
