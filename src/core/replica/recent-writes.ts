/**
 * Remembers for some seconds which partners have written, together with other workers and, by Redis, with other nodes.
 * A partner's backend writes what its pages read, so all of its callers count as one.
 */
import cluster from 'node:cluster'
import { LRUCache } from 'lru-cache'
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { openRedis } from '../redis.ts'
import type { Tenant } from '../tenant.ts'

/** A primary process or a Redis that is busy must not hold up an answer for longer. */
const longestMs = 200
const maxAuthors = 10_000

/** A key or a member, and for whom they act. */
export type Author = Tenant & { id: string }

export type RecentWrites = {
  /** Whether all who read know of it. */
  note(authors: Author[]): Promise<boolean>
  /**
   * When their partners last wrote, by the clock of `performance`; undefined if not lately. While that is not known, they
   * count as having just written.
   */
  lastOf(authors: Author[]): Promise<number | undefined>
  close(): void
}

const nameOf = ({ partnerId, environment }: Author) => `${partnerId} ${environment}`

/** What stores a name until it expires, and says how long that is. */
type Store = Pick<RateLimiterMemory, 'block' | 'get'>

/** A standby that is behind by more than READ_REPLICA_MAX_LAG_MS is not used. So what is older need not be remembered. */
const secondsOf = ({ readReplica: { maxLagMs } }: Pick<Config, 'readReplica'>) =>
  Math.ceil(maxLagMs / 1_000) + 5

export const openRecentWrites = async (
  config: Pick<Config, 'redisUrl' | 'readReplica'>,
  parts: { log: Logger; metrics: Metrics },
): Promise<RecentWrites> => {
  const { redisUrl } = config
  const rememberedSeconds = secondsOf(config)
  const options = { points: 1, duration: rememberedSeconds, keyPrefix: 'tessera:wrote' }
  const local: Store = cluster.isWorker
    ? new RateLimiterCluster({ ...options, timeoutMs: longestMs })
    : new RateLimiterMemory(options)
  const redis = redisUrl
    ? await openRedis(redisUrl, 'writes', parts, { commandTimeout: longestMs })
    : undefined
  /** A Redis that was away may have forgotten what it was told. */
  let knowsAllFrom = 0
  redis?.once('ready', () =>
    redis.on('ready', () => {
      knowsAllFrom = performance.now() + rememberedSeconds * 1_000
    }),
  )
  const shared: Store = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
    : local
  /** Those whom this process knows. Others may just have been created, by somebody else. */
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
    // The store counted what is left at some time before now, and this process may count it a little later.
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
