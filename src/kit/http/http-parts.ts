/** What REST and GraphQL share over HTTP. */

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/context.ts'
import type { Authenticate } from '../access/credentials.ts'
import type { Runtime } from '../runtime.ts'
import type { LogAccess } from './access-log.ts'
import type { AdmitConnection } from './draining-server.ts'
import type { Limit, Take } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Counts an answered request, or an operation on a WebSocket, of a caller with an API key. */
type CountRequest = (caller: Caller | null, isError: boolean) => void

/** What REST and GraphQL need to serve requests. */
export type Parts = {
  runtime: Runtime
  schema: GraphQLSchema
  authenticate: Authenticate
  limit: Limit
  take: Take
  admitConnection: AdmitConnection
  countRequest: CountRequest
  /** Undefined if access is not logged. */
  logAccess: LogAccess | undefined
}

/** Response headers that web pages may read. */
export const exposedHeaders =
  'x-request-id, idempotent-replayed, retry-after, etag, deprecation, sunset, ratelimit-limit, ratelimit-remaining, ratelimit-reset'

/** Answers with JSON and closes the connection. */
export const endWithJson = (
  socket: Duplex,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  )
}

/**
 * Whether a client accepts an encoding: its `Accept-Encoding` names it, or `*`, with a weight above 0.
 */
export const acceptsEncoding = (
  header: string | string[] | undefined,
  encoding: 'br' | 'gzip',
): boolean => {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight ? Number(weight.slice(2)) : 1] as const
      }),
  )
  return (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
}
