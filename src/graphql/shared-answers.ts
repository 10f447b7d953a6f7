/** Answers that shared caches may store: public data, requested by GET. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers that can make an answer specific to one caller. */
const personal = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'x-environment',
  'x-session-token',
  'x-user-token',
  'cookie',
]

/** The headers that change the answer of a URL. */
const vary = ['Origin', 'Accept', ...personal.slice(0, -1)].join(', ')

export const isForEverybody = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && personal.every((name) => headers[name] === undefined)

const cacheControl = 'public, max-age=5, stale-while-revalidate=25'

export const isShared = (reply: FastifyReply): boolean =>
  reply.getHeader('cache-control') === cacheControl

/**
 * Lets caches store the answer for a few seconds and clients revalidate it. Returns whether the client already
 * has it.
 */
export const share = ({ headers }: FastifyRequest, reply: FastifyReply, text: string): boolean => {
  // Weak, because it is the same for each encoding.
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.headers({
    etag,
    vary,
    'cache-control': cacheControl,
  })
  const known = headers['if-none-match']?.split(',').map((one) => one.trim())
  return known !== undefined && (known.includes(etag) || known.includes('*'))
}
