import { LRUCache } from 'lru-cache'
import { singleton } from '../kit/singleton.ts'

/**
 * How long a node caches keys, sign-ins and revocations. Open streams are checked once a second, so revoked access ends
 * on every node within five seconds, with half a second to spare.
 */
const ttl = 3_500

export const identityCache = <T extends object>(name: string, max: number) =>
  singleton(name, () => new LRUCache<string, T>({ max, ttl }))
