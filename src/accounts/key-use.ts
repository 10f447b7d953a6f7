/** When keys were last used. A node keeps it in memory and writes it once a minute, for all keys together. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '../core/runtime.ts'
import { singleton } from '../core/singleton.ts'
import { updateLastUses } from './key-use.sql.ts'

const writeEveryMs = 60_000

const usesOf = singleton('uses of api keys', () => new Map<string, Date>())

/** Notes that a key is used now. */
export const noteKeyUse = (runtime: Pick<Runtime, 'clock' | 'singletons'>, id: string): void => {
  usesOf(runtime).set(id, runtime.clock())
}

/** Writes what was noted. What cannot be written is kept, unless it is noted again. */
export const writeKeyUses = async (runtime: Runtime): Promise<void> => {
  const uses = usesOf(runtime)
  if (uses.size === 0) return
  // In the order of ids, so that two nodes do not wait for each other.
  const noted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
  uses.clear()
  try {
    await updateLastUses(
      runtime.db,
      noted.map(([id, usedAt]) => ({ id, usedAt })),
    )
  } catch (err) {
    for (const [id, usedAt] of noted) if (!uses.has(id)) uses.set(id, usedAt)
    runtime.log.warn({ err }, 'cannot record when API keys were used')
  }
}

/** Writes what is noted once a minute. Returns the function that writes the rest and stops. */
export const startKeyUses = (runtime: Runtime): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const write = async () => {
    for (;;) {
      await sleep(writeEveryMs, undefined, { signal, ref: false }).catch(() => {})
      await writeKeyUses(runtime)
      if (signal.aborted) return
    }
  }
  const writing = write()
  return async () => {
    ending.abort()
    await writing
  }
}
