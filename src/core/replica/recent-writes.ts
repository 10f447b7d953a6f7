/**
 * Remembers for some seconds which partners have written, shared with other nodes through Redis.
 * A partner's backend writes what its pages read, so all of its callers count as one.
 */
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { openRedis } from '../redis.ts'
import type { Tenant } from '../tenant.ts'

/** A busy Redis must not hold up an answer for longer. */
const longestMs = 200
const maxAuthors = 10_000

/** A key or a member, with its tenant. */
export type Author = Tenant & { id: string }

export type RecentWrites = {
  /** Records that these have written. False if not all readers may know of it. */
  note(authors: Author[]): Promise<boolean>
  /**
   * When their partners last wrote, by the clock of `performance`; undefined if not lately. While that is not known,
   * they count as having just written.
   */
  lastOf(authors: Author[]): Promise<number | undefined>
  close(): void
}

const nameOf = ({ partnerId, environment }: Author) => `${partnerId} ${environment}`

/** Stores a name until it expires, and returns the remaining time. */
type Store = Pick<RateLimiterMemory, 'block' | 'get'>

/** A standby that is behind by more than READ_REPLICA_MAX_LAG_MS is not used, so older writes are not remembered. */
const secondsOf = ({ readReplica: { maxLagMs } }: Pick<Config, 'readReplica'>) =>
  Math.ceil(maxLagMs / 1_000) + 5

export const openRecentWrites = async (
  config: Pick<Config, 'redisUrl' | 'readReplica'>,
  parts: { log: Logger; metrics: Metrics },
): Promise<RecentWrites> => {
  const { redisUrl } = config
  const rememberedSeconds = secondsOf(config)
  const options = { points: 1, duration: rememberedSeconds, keyPrefix: 'tessera:wrote' }
  const redis = redisUrl
    ? await openRedis(redisUrl, 'writes', parts, { commandTimeout: longestMs })
    : undefined
  /** Until this time recent writes are unknown, because a Redis that was away may have lost some. */
  let knowsAllFrom = 0
  redis?.once('ready', () =>
    redis.on('ready', () => {
      knowsAllFrom = performance.now() + rememberedSeconds * 1_000
    }),
  )
  const shared: Store = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
    : new RateLimiterMemory(options)
  /** Authors that this process has seen. Others may just have been created by another process. */
  const known = new LRUCache<string, true>({ max: maxAuthors })

  const lastOf = async (author: Author): Promise<number | undefined> => {
    const name = nameOf(author)
    const isNew = !known.has(author.id)
    known.set(author.id, true)
    const now = performance.now()
    if (isNew || now < knowsAllFrom) return now
    const found = await shared.get(name).catch(() => 'unknown' as const)
    if (found === 'unknown') return performance.now()
    if (!found) return undefined
    // The store computed the remaining time before now, so the result may be slightly late but not early.
    return performance.now() - rememberedSeconds * 1_000 + found.msBeforeNext + 1
  }
  return {
    note: async (authors) => {
      const noted = await Promise.all(
        authors.map((author) =>
          shared.block(nameOf(author), rememberedSeconds).then(
            () => true,
            () => false,
          ),
        ),
      )
      return noted.every(Boolean)
    },
    lastOf: async (authors) => {
      const times = await Promise.all(authors.map(lastOf))
      return times.reduce((last, time) => (time && (!last || time > last) ? time : last), undefined)
    },
    close: () => redis?.disconnect(),
  }
}
