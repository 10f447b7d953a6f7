/** The body and the signatures of a delivery (interface: Authentication). */
import { createHmac } from 'node:crypto'

/** The JSON body. It depends only on the stored event, so each attempt sends the same bytes. */
export const bodyOf = ({
  type,
  data,
  occurredAt,
}: {
  type: string
  /** JSON text as it was stored. */
  data: string
  occurredAt: Date
}): string =>
  `{"event":${JSON.stringify(type)},"data":${data},"timestamp":"${occurredAt.toISOString()}"}`

const hexSignature = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Standard Webhooks: the key is the base64 after `whsec_`. */
const standardSignature = (secret: string, id: string, timestamp: number, body: string) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
  return `v1,${signed.digest('base64')}`
}

/**
 * The headers of an attempt. After a rotation both secrets sign for a day. Standard Webhooks allows several
 * signatures in one header. The documented header does not, so the old secret signs in a separate one.
 */
export const headersOf = (delivery: {
  /** The same for all attempts. */
  eventId: string
  type: string
  body: string
  /** Seconds since 1970, of this attempt. */
  timestamp: number
  secret: string
  previousSecret: string | null
}): Record<string, string> => {
  const { eventId, type, body, timestamp, secret, previousSecret } = delivery
  const secrets = previousSecret ? [secret, previousSecret] : [secret]
  return {
    'content-type': 'application/json',
    'user-agent': 'Tessera-Webhooks/1',
    'x-webhook-id': eventId,
    'x-webhook-event': type,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': hexSignature(secret, body),
    ...(previousSecret && { 'x-webhook-signature-previous': hexSignature(previousSecret, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map((key) => standardSignature(key, eventId, timestamp, body))
      .join(' '),
  }
}
