/** Limits open connections: WebSockets and event streams. Each node counts its own. */
import type { Caller } from '../access/context.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from '../security/network.ts'

/**
 * Counts a new connection. Returns the function that releases it, or null if the limit is reached. Secret keys and
 * members have their own limits. Public keys are known to everyone, so they count by address, as do callers without
 * credentials. So no stranger can use up the connections of a key.
 */
export type AdmitConnection = (caller: Caller | null, ip: string) => (() => void) | null

export const createConnectionLimit = ({
  config: { connectionLimits },
  metrics: { limitHits },
}: Pick<Runtime, 'config' | 'metrics'>): AdmitConnection => {
  if (!connectionLimits) return () => () => {}
  const taken = new Map<string, number>()
  const limitOf = (caller: Caller | null, ip: string) => {
    if (caller?.kind === 'secret') return { name: caller.keyId, max: connectionLimits.key }
    if (caller?.kind === 'member') return { name: caller.memberId, max: connectionLimits.key }
    return { name: networkOf(ip), max: connectionLimits.address }
  }
  return (caller, ip) => {
    const { name, max } = limitOf(caller, ip)
    const before = taken.get(name) ?? 0
    if (before >= max) {
      limitHits.inc({ limit: 'connections' })
      return null
    }
    taken.set(name, before + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const rest = (taken.get(name) as number) - 1
      if (rest > 0) taken.set(name, rest)
      else taken.delete(name)
    }
  }
}
