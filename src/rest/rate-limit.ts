/** How often a caller may call: each key its own allowance, over all routes and GraphQL together. */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'

declare module 'fastify' {
  interface FastifyRequest {
    limitKey: string
  }
}

/**
 * Counts a request of a caller (null: nobody known) and tells them what is left.
 * @throws TesseraError RATE_LIMITED past the allowance
 */
export type Limit = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
) => Promise<void>

/**
 * Counts in this process. The library's own store hands out the record that it goes on counting in, so
 * that requests of the same moment are all taken for the last of them.
 */
class LocalStore {
  readonly #counts = new LRUCache<string, { current: number; endsAt: number }>({ max: 50_000 })

  incr(
    key: string,
    done: (error: null, state: { current: number; ttl: number }) => void,
    timeWindow: number,
  ) {
    const now = Date.now()
    let count = this.#counts.get(key)
    if (!count || count.endsAt <= now) count = { current: 0, endsAt: now + timeWindow }
    count.current++
    this.#counts.set(key, count)
    done(null, { current: count.current, ttl: count.endsAt - now })
  }

  child() {
    return new LocalStore()
  }
}

/** Nodes that share a Redis count together; without it, or while it is away, each counts for itself or not at all. */
const openRedis = async (app: FastifyInstance, url: string, { log }: Runtime) => {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 500,
    enableOfflineQueue: false,
  })
  redis.on('error', (err) => log.warn({ err }, 'Redis cannot be reached'))
  app.addHook('onClose', async () => redis.disconnect())
  return redis
}

/** A public key is known to everybody, so there each address counts for itself. */
const limitKeyOf = ({ ip }: FastifyRequest, caller: Caller | null) => {
  if (!caller) return ip
  if (caller.kind === 'member') return caller.memberId
  return caller.kind === 'secret' ? caller.keyId : `${caller.keyId} ${ip}`
}

export const createLimit = async (app: FastifyInstance, runtime: Runtime): Promise<Limit> => {
  const { rateLimits, redisUrl } = runtime.config
  if (!rateLimits) return async () => {}
  await app.register(rateLimit, {
    global: false,
    skipOnError: true,
    nameSpace: 'tessera:limit:',
    ...(redisUrl
      ? { redis: await openRedis(app, redisUrl, runtime) }
      : { store: LocalStore as unknown as FastifyRateLimitStoreCtor }),
  })
  app.decorateRequest('limitKey', '')
  const count = (max: number) =>
    app.createRateLimit({ max, timeWindow: 1000, keyGenerator: ({ limitKey }) => limitKey })
  const counters = {
    secret: count(rateLimits.secret),
    public: count(rateLimits.public),
    anonymous: count(rateLimits.anonymous),
  }
  return async (request, reply, caller) => {
    const who = caller?.kind ?? 'anonymous'
    const kind = who === 'member' ? 'secret' : who
    request.limitKey = `${who} ${limitKeyOf(request, caller)}`
    const state = await counters[kind](request)
    if (state.isAllowed) return
    const { remaining, ttlInSeconds, isExceeded } = state
    reply
      .header('ratelimit-limit', String(rateLimits[kind]))
      .header('ratelimit-remaining', String(remaining))
      .header('ratelimit-reset', String(ttlInSeconds))
    if (!isExceeded) return
    reply.header('retry-after', String(ttlInSeconds))
    throw new TesseraError('RATE_LIMITED')
  }
}
