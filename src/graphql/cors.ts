/** CORS of `/graphql`. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../kit/config/config.ts'
import { consoleHeader } from '../kit/http/console-cookie.ts'
import { exposedHeaders } from '../kit/http/http-parts.ts'

const publicHeaders =
  'content-type, x-api-key, x-environment, x-request-id, x-session-token, x-user-token, idempotency-key, traceparent, x-tessera-timings'
const memberHeaders = `${publicHeaders}, authorization`

/**
 * Pages of any origin may use a public key. Pages that use a sign-in must have a listed origin. The cookie of the
 * console is for its own origin alone, so CORS credentials are never allowed.
 */
export const createCors = ({ corsOrigins }: Pick<Config, 'corsOrigins'>) => {
  const isListed = (origin: string | undefined) =>
    origin !== undefined && corsOrigins.includes(origin)
  return {
    /** Answers preflight requests. */
    preflight: async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply) =>
      reply
        .code(204)
        .header('vary', 'Origin')
        .header('access-control-allow-origin', isListed(origin) ? origin : '*')
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', isListed(origin) ? memberHeaders : publicHeaders)
        .header('access-control-max-age', '86400')
        .send(),
    /** Sets which pages may read the answer. */
    allow: async ({ headers }: FastifyRequest, reply: FastifyReply) => {
      const { origin, authorization } = headers
      reply.header('vary', 'Origin').header('access-control-expose-headers', exposedHeaders)
      if (headers[consoleHeader] !== undefined) return
      if (authorization === undefined) reply.header('access-control-allow-origin', '*')
      else if (isListed(origin)) reply.header('access-control-allow-origin', origin)
    },
  }
}
