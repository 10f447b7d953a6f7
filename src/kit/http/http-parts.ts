/** What REST and GraphQL share over HTTP. */
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/context.ts'
import type { Authenticate } from '../access/credentials.ts'
import type { Runtime } from '../runtime.ts'
import type { LogAccess } from './access-log.ts'
import type { AdmitConnection } from './connection-limit.ts'
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
  'x-request-id, idempotent-replayed, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'
