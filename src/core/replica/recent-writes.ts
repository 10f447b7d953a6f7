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
  note(authors: Author[]): Promise<void>
  /** When their partners last wrote, by the clock of `performance`; undefined if not lately. */
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
  const here = new RateLimiterMemory(options)
  const local: Store = cluster.isWorker
    ? new RateLimiterCluster({ ...options, timeoutMs: longestMs })
    : here
  const redis = redisUrl ? await openRedis(redisUrl, 'writes', parts) : undefined
  const shared: Store = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
    : local
  /** Those whom this process knows. Others may just have been created, by somebody else. */
  const known = new LRUCache<string, true>({ max: maxAuthors })

  const lastOf = async (author: Author): Promise<number | undefined> => {
    const name = nameOf(author)
    const isNew = !known.has(author.id)
    known.set(author.id, true)
    if (isNew) return performance.now()
    const found = await shared.get(name).catch(() => here.get(name))
    if (!found) return undefined
    // The store counted what is left at some time before now, and this process may count it a little later.
    return performance.now() - rememberedSeconds * 1_000 + found.msBeforeNext + 1
  }
  return {
    note: async (authors) => {
      const names = authors.map(nameOf)
      // Also here, for the time that the shared store does not answer.
      await Promise.all(
        [...new Set([here, shared])].flatMap((store) =>
          names.map((name) => store.block(name, rememberedSeconds).catch(() => {})),
        ),
      )
    },
    lastOf: async (authors) => {
      const times = await Promise.all(authors.map(lastOf))
      return times.reduce((last, time) => (time && (!last || time > last) ? time : last), undefined)
    },
    close: () => redis?.disconnect(),
  }
}
