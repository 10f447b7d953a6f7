/** One log line for each answered request. It identifies no user: no user id, no address, no query string. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/context.ts'
import type { Config } from '../config/config.ts'
import type { ErrorCode } from '../errors.ts'
import type { Logger } from '../observability/log.ts'

/** An operation of GraphQL: the name that its client gave it, the field that it asks for, and its cost in points. */
export type LoggedOperation = { name: string | undefined; field: string; cost: number | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    /** The operations of a GraphQL request, if access is logged. */
    operations: LoggedOperation[] | null
  }
}

/** The fields of every line. */
type Access = {
  /** `WEBSOCKET` for an operation on one. */
  method: string
  /** The pattern of the path; undefined if no route matched. */
  route: string | undefined
  caller: Caller | null
  operations: readonly LoggedOperation[] | null
  error: ErrorCode | null | undefined
  ms: number
  traceId: string | undefined
  requestId: string
}

/** Writes a line. A WebSocket has no status for each operation. */
export type LogAccess = (access: Access & { status?: number }) => void

/** The values of the operations of a batch, in their order. */
const each = (operations: Access['operations'], key: 'name' | 'field') =>
  operations?.map((operation) => operation[key] ?? '').join(',') || undefined

/**
 * Returns the function that writes lines; undefined if access is not logged. Its logger redacts nothing, because no
 * value can be a secret and redaction takes longer than the rest of a line.
 */
export const createAccessLog = ({
  config,
  log,
}: {
  config: Pick<Config, 'accessLog'>
  log: Logger
}): LogAccess | undefined => {
  if (!config.accessLog || !log.isLevelEnabled('info')) return undefined
  const lines = log.child({}, { redact: [] })
  return ({ method, route, status, caller, operations, error, ms, traceId, requestId }) =>
    lines.info(
      {
        method,
        route,
        status,
        partnerId: caller?.partnerId,
        environment: caller?.environment,
        keyId: caller && 'keyId' in caller ? caller.keyId : undefined,
        operation: each(operations, 'name'),
        field: each(operations, 'field'),
        cost: operations?.reduce((sum, { cost = 0 }) => sum + cost, 0),
        error: error ?? undefined,
        ms: Math.round(ms * 100) / 100,
        traceId,
        requestId,
      },
      'request',
    )
}

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(-|$)/

/** The id of the caller's trace (W3C Trace Context). */
const sentTraceId = (header: unknown): string | undefined =>
  typeof header === 'string' ? traceparent.exec(header)?.[1] : undefined

/** The line of an answered HTTP request. */
export const accessOf = (
  request: FastifyRequest,
  reply: FastifyReply,
): Parameters<LogAccess>[0] => ({
  method: request.method,
  route: request.routeOptions.url,
  status: reply.statusCode,
  caller: request.caller,
  operations: request.operations,
  error: request.answeredError,
  ms: reply.elapsedTime,
  traceId: request.span?.spanContext().traceId ?? sentTraceId(request.headers.traceparent),
  requestId: request.id,
})
