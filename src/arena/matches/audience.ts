/** Spectators of each match on this node, shared with all nodes through a table. */
import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../kit/runtime.ts'
import { writeCounts } from './audience.sql.ts'

/** The delay after which changes are written in one batch. */
const gatherMs = 300
/** Counts are refreshed at the shorter interval and expire after the longer one. */
const renewMs = 10_000
const expireMs = 30_000

export type Audience = {
  /** Counts one spectator of a match until the returned function is called. */
  enter(matchId: string): () => void
}

export const createAudience = ({
  db,
  clock,
  log,
}: Pick<Runtime, 'db' | 'clock' | 'log'>): Audience => {
  const nodeId = randomUUID()
  const watching = new Map<string, number>()
  const changed = new Set<string>()
  let writing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = async (matchIds: string[]) => {
    if (matchIds.length === 0) return
    const rows = matchIds.map((id) => ({ id, watching: watching.get(id) ?? 0 }))
    const expiresAt = new Date(clock().getTime() + expireMs)
    await writeCounts(db, nodeId, rows, expiresAt)
  }
  const flush = () => {
    timer = undefined
    const matchIds = [...changed]
    changed.clear()
    writing = writing
      .then(() => write(matchIds))
      .catch((err) => log.warn({ err }, 'the audience could not be written'))
      .finally(schedule)
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
  const change = (matchId: string, by: number) => {
    const count = (watching.get(matchId) ?? 0) + by
    if (count > 0) watching.set(matchId, count)
    else watching.delete(matchId)
    if (changed.size === 0 && timer) {
      clearTimeout(timer)
      timer = undefined
    }
    changed.add(matchId)
    schedule()
  }
  return {
    enter: (matchId) => {
      change(matchId, 1)
      return () => change(matchId, -1)
    },
  }
}
