/** Rate limits: each key has one allowance for all routes and GraphQL. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '../access/context.ts'
import { TesseraError } from '../errors.ts'
import { createFailureLog, type Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from '../security/network.ts'
import { pointsOfRequest } from './price.ts'

/** A connection whose calls fail at once while Redis is unreachable. */
const openRedis = async (
  url: string,
  name: string,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<Redis> => {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 500,
    enableOfflineQueue: false,
  })
  redis.on('error', createFailureLog(log, 'Redis is unreachable'))
  metrics.watchRedis(name, redis)
  return redis
}

/** The minimum cost of a GraphQL operation; an expensive one costs its complexity or its mutations. */
export const pointsOfOperation = 100

/** A caller's allowance per second, in points, and what is left of it. */
export type Allowance = {
  limit: number
  remaining: number
  resetSeconds: number
  isExceeded: boolean
  /** Gives points back, as long as the second that they were taken in lasts; says what is left then. */
  giveBack(points: number): Promise<number>
}

/**
 * Takes points from the allowance of a caller (null: anonymous) for a request, a WebSocket, or an operation on
 * one. Null when there are no limits. What costs more than a whole allowance takes all of it.
 */
export type Take = (
  caller: Caller | null,
  ip: string,
  points: number,
  further?: Further,
) => Promise<Allowance | null>

/** Points that a request takes beyond those of any request. */
type Further = {
  /** Points that were taken for the same request before. */
  paid: number
  /** Whether it takes what is left when it costs more; refused only when nothing is left. */
  takesRest: boolean
}

/**
 * Takes points for a request and reports what is left, in requests.
 * @throws TesseraError RATE_LIMITED above the allowance
 */
export type Limit = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
  points?: number,
  further?: Further,
) => Promise<Allowance | null>

/** Nodes that share a Redis count together. Without it, or while it is unavailable, each counts its own. */
const openStore = async (app: FastifyInstance, url: string, runtime: Runtime) => {
  const redis = await openRedis(url, 'limits', runtime)
  app.addHook('onClose', async () => redis.disconnect())
  return redis
}

/** Everybody knows a public key, so each address has its own allowance. */
const limitKeyOf = (caller: Caller | null, ip: string) => {
  if (!caller) return networkOf(ip)
  if (caller.kind === 'member') return caller.memberId
  return caller.kind === 'secret' ? caller.keyId : `${caller.keyId} ${networkOf(ip)}`
}

/** Points are given back until this long before the end of a second, so that Redis does not count them in the next. */
const marginMs = 50

const createTake = async (app: FastifyInstance, runtime: Runtime): Promise<Take> => {
  const { rateLimits, redisUrl } = runtime.config
  if (!rateLimits) return async () => null
  const redis = redisUrl ? await openStore(app, redisUrl, runtime) : null
  const bucketOf = (who: keyof typeof rateLimits) => {
    const keyPrefix = `tessera:limit ${who}`
    const options = { points: rateLimits[who] * pointsOfRequest, duration: 1, keyPrefix }
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
    secret: bucketOf('secret'),
    public: bucketOf('public'),
    anonymous: bucketOf('anonymous'),
  }
  return async (caller, ip, points, { paid, takesRest } = { paid: 0, takesRest: false }) => {
    const who = caller?.kind ?? 'anonymous'
    const bucket = buckets[who === 'member' ? 'secret' : who]
    const key = `${who} ${limitKeyOf(caller, ip)}`
    const taken = Math.max(1, Math.min(points, bucket.points - paid))
    const allowanceOf = (
      { remainingPoints, msBeforeNext }: RateLimiterRes,
      isExceeded = false,
    ): Allowance => {
      const end = performance.now() + msBeforeNext
      return {
        limit: bucket.points,
        remaining: remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
        isExceeded,
        giveBack: async (unused) => {
          // The next second starts with a whole allowance, not with more.
          if (isExceeded || unused <= 0 || performance.now() > end - marginMs)
            return remainingPoints
          return (await bucket.reward(key, Math.min(unused, taken))).remainingPoints
        },
      }
    }
    try {
      return allowanceOf(await bucket.consume(key, taken))
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      const left = bucket.points - (refused.consumedPoints - taken)
      if (takesRest && left > 0) return allowanceOf(refused)
      runtime.metrics.limitHits.inc({ limit: 'requests' })
      return allowanceOf(refused, true)
    }
  }
}

export const createLimits = async (
  app: FastifyInstance,
  runtime: Runtime,
): Promise<{ limit: Limit; take: Take }> => {
  const take = await createTake(app, runtime)
  const limit: Limit = async (request, reply, caller, points = pointsOfRequest, further) => {
    const allowance = await take(caller, request.ip, points, further)
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
