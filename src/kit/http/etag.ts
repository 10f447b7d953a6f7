/** Conditional requests: a client that has an answer already does not get it again. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers that can make an answer specific to one caller. */
export const personalHeaders = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'x-environment',
  'x-session-token',
  'x-user-token',
  'cookie',
]

/** The headers that change the answer of a URL. */
export const vary = ['Origin', 'Accept', ...personalHeaders.slice(0, -1)].join(', ')

/** For answers to a credential: only the client keeps them, and asks each time whether they are current. */
export const revalidated = 'private, no-cache'

/** Tags of one version are equal whether weak or not. */
const opaque = (tag: string) => tag.trim().replace(/^W\//, '')

/**
 * Sets the ETag of a text. It is weak, because it is the same for each encoding.
 * @returns whether the client has this text: then the answer is 304, without it
 */
export const hasCurrent = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
): boolean => {
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.header('etag', etag)
  const known = headers['if-none-match']?.split(',').map(opaque)
  return known !== undefined && (known.includes(opaque(etag)) || known.includes('*'))
}
