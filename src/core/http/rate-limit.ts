/** How much a caller may ask: each key its own allowance, over all routes and GraphQL together. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '../context.ts'
import { TesseraError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './network.ts'

/** What a REST request takes from an allowance, whatever it asks for. */
export const pointsOfRequest = 500
/** What an operation of GraphQL takes at the least; a dear one takes its complexity. */
export const pointsOfOperation = 100

/** What a caller has in a second, in points, and what is left of it. */
export type Allowance = {
  limit: number
  remaining: number
  resetSeconds: number
  isExceeded: boolean
}

/**
 * Takes points from the allowance of a caller (null: nobody known), however they call: a request, a
 * WebSocket, an operation on one. Null when there are no limits.
 */
export type Take = (caller: Caller | null, ip: string, points: number) => Promise<Allowance | null>

/**
 * Takes points for a request and tells the caller what is left, in requests.
 * @throws TesseraError RATE_LIMITED past the allowance
 */
export type Limit = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
  points?: number,
) => Promise<Allowance | null>

/** Nodes that share a Redis count together; without it, or while it is away, each counts for itself. */
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

const createTake = async (app: FastifyInstance, runtime: Runtime): Promise<Take> => {
  const { rateLimits, redisUrl } = runtime.config
  if (!rateLimits) return async () => null
  const redis = redisUrl ? await openRedis(app, redisUrl, runtime) : null
  const bucketOf = (requests: number) => {
    const options = { points: requests * pointsOfRequest, duration: 1, keyPrefix: 'tessera:limit' }
    const local = new RateLimiterMemory(options)
    return redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: redis,
          rejectIfRedisNotReady: true,
          insuranceLimiter: local,
        })
      : local
  }
  const buckets = {
    secret: bucketOf(rateLimits.secret),
    public: bucketOf(rateLimits.public),
    anonymous: bucketOf(rateLimits.anonymous),
  }
  return async (caller, ip, points) => {
    const who = caller?.kind ?? 'anonymous'
    const bucket = buckets[who === 'member' ? 'secret' : who]
    const allowanceOf = (
      { remainingPoints, msBeforeNext }: RateLimiterRes,
      isExceeded = false,
    ) => ({
      limit: bucket.points,
      remaining: remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      isExceeded,
    })
    try {
      // What is dearer than the whole allowance takes the whole of it.
      const taken = Math.min(points, bucket.points)
      return allowanceOf(await bucket.consume(`${who} ${limitKeyOf(caller, ip)}`, taken))
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return allowanceOf(refused, true)
      throw refused
    }
  }
}

export const createLimits = async (
  app: FastifyInstance,
  runtime: Runtime,
): Promise<{ limit: Limit; take: Take }> => {
  const take = await createTake(app, runtime)
  const limit: Limit = async (request, reply, caller, points = pointsOfRequest) => {
    const allowance = await take(caller, request.ip, points)
    if (!allowance) return null
    const requests = (amount: number) => String(Math.floor(amount / pointsOfRequest))
    reply
      .header('ratelimit-limit', requests(allowance.limit))
      .header('ratelimit-remaining', requests(allowance.remaining))
      .header('ratelimit-reset', String(allowance.resetSeconds))
    if (allowance.isExceeded)
      throw new TesseraError('RATE_LIMITED', {
        limit: allowance.limit / pointsOfRequest,
        current: null,
        retryAfter: allowance.resetSeconds,
      })
    return allowance
  }
  return { limit, take }
}
