/** Answers that a cache may give to others: what everybody may read, asked for by GET. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers by which an answer could be for one caller alone. */
const personal = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'x-environment',
  'x-session-token',
  'x-user-token',
  'cookie',
]

/** What the same URL is answered differently for. */
const vary = ['Origin', 'Accept', ...personal.slice(0, -1)].join(', ')

export const isForEverybody = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && personal.every((name) => headers[name] === undefined)

const cacheControl = 'public, max-age=5, stale-while-revalidate=25'

export const isShared = (reply: FastifyReply): boolean =>
  reply.getHeader('cache-control') === cacheControl

/**
 * Lets caches keep the answer for a few seconds, and a client ask whether it has changed. Gives whether the
 * client has it already.
 */
export const share = ({ headers }: FastifyRequest, reply: FastifyReply, text: string): boolean => {
  // Weak, since it is the same for each encoding.
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.headers({
    etag,
    vary,
    'cache-control': cacheControl,
  })
  const known = headers['if-none-match']?.split(',').map((one) => one.trim())
  return known !== undefined && (known.includes(etag) || known.includes('*'))
}
