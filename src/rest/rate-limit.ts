/** How often a caller may call: each key its own allowance, over all routes and GraphQL together. */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import type { Runtime } from '../core/runtime.ts'

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
const limitKeyOf = (caller: Caller | null, ip: string) => {
  if (!caller) return networkOf(ip)
  if (caller.kind === 'member') return caller.memberId
  return caller.kind === 'secret' ? caller.keyId : `${caller.keyId} ${networkOf(ip)}`
}

/** What a caller has left of their allowance. */
type Counted = { max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean }

/** Counts one call, however it came: a request, a WebSocket, an operation on one. Null when there are no limits. */
export type Count = (caller: Caller | null, ip: string) => Promise<Counted | null>

export const createLimits = async (
  app: FastifyInstance,
  runtime: Runtime,
): Promise<{ limit: Limit; count: Count }> => {
  const { rateLimits, redisUrl } = runtime.config
  if (!rateLimits) return { limit: async () => {}, count: async () => null }
  await app.register(rateLimit, {
    global: false,
    skipOnError: true,
    nameSpace: 'tessera:limit:',
    ...(redisUrl
      ? { redis: await openRedis(app, redisUrl, runtime) }
      : { store: LocalStore as unknown as FastifyRateLimitStoreCtor }),
  })
  const counterOf = (max: number) =>
    app.createRateLimit({
      max,
      timeWindow: 1000,
      keyGenerator: (call) => (call as unknown as { key: string }).key,
    })
  const counters = {
    secret: counterOf(rateLimits.secret),
    public: counterOf(rateLimits.public),
    anonymous: counterOf(rateLimits.anonymous),
  }
  const count: Count = async (caller, ip) => {
    const who = caller?.kind ?? 'anonymous'
    const kind = who === 'member' ? 'secret' : who
    // The library wants a request, and looks at nothing else of it.
    const call = { key: `${who} ${limitKeyOf(caller, ip)}`, routeOptions: {} }
    const state = await counters[kind](call as never)
    return state.isAllowed ? null : state
  }
  const limit: Limit = async (request, reply, caller) => {
    const counted = await count(caller, request.ip)
    if (!counted) return
    const { max, remaining, ttlInSeconds, isExceeded } = counted
    reply
      .header('ratelimit-limit', String(max))
      .header('ratelimit-remaining', String(remaining))
      .header('ratelimit-reset', String(ttlInSeconds))
    if (!isExceeded) return
    reply.header('retry-after', String(ttlInSeconds))
    throw new TesseraError('RATE_LIMITED')
  }
  return { limit, count }
}
