/** Who watches what on all nodes. Each node writes its own counts, which expire unless it renews them. */
import { randomUUID } from 'node:crypto'
import type { Runtime } from '../runtime.ts'

/** Counts are refreshed at the shorter interval and expire after the longer one. */
const renewMs = 10_000
const expireMs = 30_000

/** How many watch something on a node. */
export type Count = { id: string; watching: number }

export type Audience = {
  /** Counts one more who watches something until the returned function is called. */
  enter(id: string): () => void
  /** Resolves when the counts so far are written, or could not be. */
  written(): Promise<void>
}

type Options = {
  /** Writes counts of this node; those of 0 are deleted. */
  write(nodeId: string, counts: Count[], expiresAt: Date): Promise<unknown>
  /** The delay after which changes are written in one batch. */
  gatherMs: number
}

/** Keeps the counts of this node in the database. */
export const createAudience = (
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
  { write, gatherMs }: Options,
): Audience => {
  const nodeId = randomUUID()
  const watching = new Map<string, number>()
  const changed = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let next: PromiseWithResolvers<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const writeChanged = async (ids: string[]) => {
    if (ids.length === 0) return
    const counts = ids.map((id) => ({ id, watching: watching.get(id) ?? 0 }))
    await write(nodeId, counts, new Date(clock().getTime() + expireMs))
  }
  const flush = () => {
    timer = undefined
    const ids = [...changed]
    changed.clear()
    const written = next
    next = undefined
    writing = writing
      .then(() => writeChanged(ids))
      .catch((err) => log.warn({ err }, 'the audience could not be written'))
      .finally(() => {
        written?.resolve()
        schedule()
      })
  }
  let renewAt = Date.now() + renewMs
  const schedule = () => {
    if (timer || (watching.size === 0 && changed.size === 0)) return
    const wait = changed.size > 0 ? gatherMs : Math.max(gatherMs, renewAt - Date.now())
    timer = setTimeout(() => {
      if (Date.now() >= renewAt) {
        renewAt = Date.now() + renewMs
        for (const id of watching.keys()) changed.add(id)
      }
      flush()
    }, wait).unref()
  }
  const change = (id: string, by: number) => {
    const count = (watching.get(id) ?? 0) + by
    if (count > 0) watching.set(id, count)
    else watching.delete(id)
    if (changed.size === 0 && timer) {
      clearTimeout(timer)
      timer = undefined
    }
    changed.add(id)
    schedule()
  }
  return {
    enter: (id) => {
      change(id, 1)
      return () => change(id, -1)
    },
    written: () => {
      if (changed.size === 0) return writing
      next ??= Promise.withResolvers()
      return next.promise
    },
  }
}
