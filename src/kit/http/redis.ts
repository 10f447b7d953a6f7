import type { Redis } from 'ioredis'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { createFailureLog } from '../observability/repeated-failure.ts'

/** A connection whose calls fail at once while Redis is unreachable. */
export const openRedis = async (
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
