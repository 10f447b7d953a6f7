/** The documented envelope, around results and around errors. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TesseraError } from '../core/errors.ts'

const wantsProblemJson = (accept: string | undefined) =>
  accept?.includes('application/problem+json') ?? false

/** Answers with an error: the envelope, or RFC 9457 when the caller accepts that. */
export const sendError = (
  request: FastifyRequest,
  reply: FastifyReply,
  { code, status, message, errors, retryAfter }: TesseraError,
): FastifyReply => {
  reply.code(status)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const more = { errorCode: code, requestId: request.id, ...(errors && { errors }) }
  return wantsProblemJson(request.headers.accept)
    ? reply
        .type('application/problem+json')
        .send(JSON.stringify({ type: 'about:blank', title: message, status, ...more }))
    : reply
        .type('application/json; charset=utf-8')
        .send({ message, code: status, status: 'error', ...more })
}

/** The same value without those of the named fields that are null, at any depth. */
export const withoutNulls = (value: unknown, optional: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, optional))
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value))
    if (child !== null || !optional.has(key)) copy[key] = child
  return copy
}
