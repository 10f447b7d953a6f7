/** `Idempotency-Key`: a POST that was answered before is answered the same again. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../core/context.ts'
import { type ErrorCode, TesseraError } from '../core/errors.ts'
import {
  beginIdempotent,
  fingerprintOf,
  finishIdempotent,
  forgetIdempotent,
  type IdempotentCall,
} from '../core/idempotency.ts'
import type { Runtime } from '../core/runtime.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotent: IdempotentCall | null
    /** The error it was answered with. */
    answeredError: ErrorCode | null
  }
}

export const decorateForReplay = (app: FastifyInstance): void => {
  app.decorateRequest('idempotent', null)
  app.decorateRequest('answeredError', null)
}

const visible = /^[\x21-\x7e]{1,255}$/

/** Takes the Idempotency-Key, if one was sent; answers at once when this request was answered before. */
export const replay = async (runtime: Runtime, request: FastifyRequest, reply: FastifyReply) => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return
  if (typeof key !== 'string' || !visible.test(key))
    throw new TesseraError('IDEMPOTENCY_KEY_INVALID')
  const { partnerId, environment } = request.caller as Caller
  const fingerprint = fingerprintOf(request.method, request.url, request.body)
  const call = { partnerId, environment, key, fingerprint }
  const answer = await beginIdempotent(runtime, call)
  if (!answer) request.idempotent = call
  else
    return reply
      .code(answer.status)
      .header('idempotent-replayed', 'true')
      .type(answer.contentType)
      .send(answer.body)
}

/** Errors of a request that was never run: it may come again under the same key. */
const turnedAway = new Set<ErrorCode>(['OVERLOADED', 'RATE_LIMITED'])

/** Keeps the answer for the key; when that fails, the answer stands and the key stays taken. */
export const remember = async (
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
) => {
  const call = request.idempotent
  if (!call) return
  request.idempotent = null
  const contentType = String(reply.getHeader('content-type'))
  const answer = { status: reply.statusCode, contentType, body: String(body) }
  try {
    if (request.answeredError && turnedAway.has(request.answeredError))
      await forgetIdempotent(runtime, call)
    else await finishIdempotent(runtime, call, answer)
  } catch (err) {
    runtime.log.error({ err, requestId: request.id }, 'could not keep an answer')
  }
}
