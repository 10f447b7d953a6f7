/** Quotas of stored answers to requests with an `Idempotency-Key` (decision 0086). */
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { TesseraError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from '../security/network.ts'
import { singleton } from '../singleton.ts'

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
export const refuseKeys = (runtime: Runtime, request: Caller): void => {
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
