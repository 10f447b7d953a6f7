/** `Idempotency-Key`: a repeated POST gets the stored answer. */

import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import { LRUCache } from 'lru-cache'
import { rightsOfKind } from '../access/rights.ts'
import { isUnavailable } from '../database/outage.ts'
import { type ErrorCode, TesseraError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from '../security/network.ts'
import { singleton } from '../singleton.ts'
import type { Tenant } from '../tenant.ts'
import {
  beginIdempotent,
  finishIdempotent,
  forgetIdempotent,
  type IdempotentCall,
  idempotentCall,
} from './idempotency.ts'

const maxAnswerBytes = 64 * 1024
const dayMs = 24 * 3600 * 1000

/** Per day and node. Strangers have no credentials or a public key, which everybody knows. */
const allowances = {
  known: { keys: Number.POSITIVE_INFINITY, bytes: 1024 ** 3 },
  stranger: { keys: 10_000, bytes: 16 * 1024 ** 2 },
}

type Caller = Pick<FastifyRequest, 'caller' | 'ip'>
type Used = { keys: number; bytes: number; endsAt: number }

const memoryOf = singleton('stored answers', () => new LRUCache<string, Used>({ max: 50_000 }))

const usedBy = (runtime: Runtime, name: string): Used => {
  const memory = memoryOf(runtime)
  const now = runtime.clock().getTime()
  let used = memory.get(name)
  if (!used || used.endsAt <= now) {
    used = { keys: 0, bytes: 0, endsAt: now + dayMs }
    memory.set(name, used)
  }
  return used
}

const allowanceOf = (runtime: Runtime, { caller, ip }: Caller) => {
  if (caller?.kind === 'member')
    return { ...allowances.known, used: usedBy(runtime, caller.memberId) }
  if (caller?.kind === 'secret') {
    const name = `${caller.partnerId} ${caller.environment}`
    return { ...allowances.known, used: usedBy(runtime, name) }
  }
  const name = `${caller?.keyId ?? ''} ${networkOf(ip)}`
  return { ...allowances.stranger, used: usedBy(runtime, name) }
}

/**
 * Refuses a request with a key when its caller has used up the quota.
 * @throws TesseraError RATE_LIMITED
 */
const refuseKeys = (runtime: Runtime, request: Caller): void => {
  const { keys, used } = allowanceOf(runtime, request)
  if (used.keys < keys) return
  const retryAfter = Math.ceil((used.endsAt - runtime.clock().getTime()) / 1000)
  throw new TesseraError('RATE_LIMITED', { limit: keys, current: used.keys, retryAfter })
}

/** Counts a key that was taken. */
export const countKey = (runtime: Runtime, request: Caller): void => {
  allowanceOf(runtime, request).used.keys++
}

/** Whether an answer may be stored. Counts it if so. */
export const isKept = (runtime: Runtime, request: Caller, body: string): boolean => {
  const { bytes, used } = allowanceOf(runtime, request)
  const size = Buffer.byteLength(body)
  if (size > maxAnswerBytes || used.bytes + size > bytes) return false
  used.bytes += size
  return true
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotent: IdempotentCall | null
    /** The error of the answer, if it shows that nothing was done; otherwise null. */
    answeredError: ErrorCode | null
  }
}

export const decorateForReplay = (app: FastifyInstance): void => {
  app.decorateRequest('idempotent', null)
  app.decorateRequest('answeredError', null)
}

/** The owner of keys of callers without credentials. */
const nobody: Tenant = { partnerId: '00000000-0000-0000-0000-000000000000', environment: 'LIVE' }

/**
 * The owner of a key. API keys of one kind, partner and scopes are one owner, so that a call can be retried after a key
 * rotation. With the token of a user, each user is a separate owner. So is each sign-in. Without credentials the owner
 * is the address with the tokens it sends.
 */
const ownerOf = ({ caller, ip, headers }: FastifyRequest): string => {
  if (!caller)
    return `anyone ${networkOf(ip)} ${headers['x-session-token']} ${headers['x-user-token']}`
  if (caller.kind === 'member') return `sign-in ${caller.signInId}`
  const { kind, rights, user } = caller
  const isLimited = rights.length < rightsOfKind[kind === 'public' ? 'PUBLIC' : 'SECRET'].length
  const owner = isLimited ? `${kind} ${rights.join(' ')}` : kind
  return user === undefined ? owner : `${owner} of ${user}`
}

const visible = /^[\x21-\x7e]{1,255}$/

/** Claims the Idempotency-Key, if one was sent. Answers at once if this request was answered before. */
export const replay = async (runtime: Runtime, request: FastifyRequest, reply: FastifyReply) => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return
  if (typeof key !== 'string' || !visible.test(key))
    throw new TesseraError('IDEMPOTENCY_KEY_INVALID')
  const { method, url, body } = request
  refuseKeys(runtime, request)
  const owner = ownerOf(request)
  const call = idempotentCall(runtime, request.caller ?? nobody, { owner, key, method, url, body })
  const answer = await beginIdempotent(runtime, call)
  if (!answer) {
    countKey(runtime, request)
    request.idempotent = call
    return
  }
  return reply
    .code(answer.status)
    .header('idempotent-replayed', 'true')
    .type(answer.contentType)
    .send(answer.body)
}

/** Errors of requests that have done nothing and may be retried with the same key. */
const refusedEarly = new Set<ErrorCode | null>([
  'OVERLOADED',
  'RATE_LIMITED',
  'ACCOUNT_LOCKED',
  'UNAVAILABLE',
])

const tryAgainMs = 500
/** After this time the key only shows that its first request is still running. */
const longestTryMs = 60_000

/** Stores the outcome of a key. Retries while the database is unavailable. */
const note = async (write: () => Promise<void>) => {
  for (const end = performance.now() + longestTryMs; ; )
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error
      await sleep(tryAgainMs, undefined, { ref: false })
    }
}

/**
 * Stores the answer for the key. If it is not stored, the request still counts and the key stays claimed. While
 * the database is unavailable the response does not wait for this.
 */
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
  const text = String(body)
  const answer = refusedEarly.has(request.answeredError)
    ? null
    : {
        status: reply.statusCode,
        contentType,
        body: isKept(runtime, request, text) ? text : null,
      }
  const write = () =>
    answer ? finishIdempotent(runtime, call, answer) : forgetIdempotent(runtime, call)
  const complain = (err: unknown) =>
    runtime.log.error({ err, requestId: request.id }, 'could not keep an answer')
  await write().catch((error) => {
    if (isUnavailable(error)) void note(write).catch(complain)
    else complain(error)
  })
}

/** The hooks of a route whose requests may have a key. Without a key they create no promise. */
export const replayHooks = (
  runtime: Runtime,
): { preHandler: preHandlerHookHandler; onSend: onSendHookHandler } => ({
  preHandler: (request, reply, done) => {
    if (request.headers['idempotency-key'] === undefined) return done()
    replay(runtime, request, reply).then(() => {
      if (!reply.sent) done()
    }, done)
  },
  onSend: (request, reply, body, done) => {
    if (!request.idempotent) return done(null, body)
    remember(runtime, request, reply, body).then(() => done(null, body), done)
  },
})
