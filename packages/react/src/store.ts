/** The requests of components: sent once, shared by all of them, and repeated when the data may have changed. */
import { isTesseraError, type TesseraError } from '@tessera/client'
import { objectsIn, withObjects } from './changed.ts'

export type Snapshot = {
  /** The last answer; undefined before the first one. */
  data: unknown
  /** Why the last attempt failed; undefined if it did not. */
  error: TesseraError | undefined
  isLoading: boolean
}

type Entry = {
  snapshot: Snapshot
  load: () => Promise<unknown>
  listeners: Set<() => void>
  /** Counts attempts, so that a late answer never replaces a newer answer. */
  attempt: number
  loadedAt: number
  timer: ReturnType<typeof setTimeout> | undefined
}

export const beforeFirstAnswer: Snapshot = { data: undefined, error: undefined, isLoading: true }

/** How long an answer is kept while no component uses it. */
const keptMs = 60_000
/** When a page becomes visible again, older data is fetched again. */
const freshMs = 10_000

export type Store = ReturnType<typeof createStore>

export const createStore = () => {
  const entries = new Map<string, Entry>()

  const show = (entry: Entry, change: Partial<Snapshot>) => {
    entry.snapshot = { ...entry.snapshot, ...change }
    for (const listener of entry.listeners) listener()
  }

  const load = async (entry: Entry) => {
    const attempt = ++entry.attempt
    if (!entry.snapshot.isLoading) show(entry, { isLoading: true })
    try {
      const data = await entry.load()
      if (attempt !== entry.attempt) return
      entry.loadedAt = Date.now()
      show(entry, { data, error: undefined, isLoading: false })
    } catch (error) {
      if (attempt !== entry.attempt) return
      show(entry, { error: error as TesseraError, isLoading: false })
      if (!isTesseraError(error)) throw error
    }
  }

  const entryOf = (key: string, ask: () => Promise<unknown>): Entry => {
    const known = entries.get(key)
    if (known) return known
    const entry: Entry = {
      snapshot: beforeFirstAnswer,
      load: ask,
      listeners: new Set(),
      attempt: 0,
      loadedAt: 0,
      timer: undefined,
    }
    entries.set(key, entry)
    return entry
  }

  return {
    read: (key: string): Snapshot => entries.get(key)?.snapshot ?? beforeFirstAnswer,

    /**
     * Calls the listener after each change, and sends the request if nobody has. Returns the function that
     * unsubscribes.
     */
    listen: (key: string, ask: () => Promise<unknown>, listener: () => void) => {
      const entry = entryOf(key, ask)
      entry.load = ask
      clearTimeout(entry.timer)
      entry.listeners.add(listener)
      const isAlone = entry.listeners.size === 1 && !entry.snapshot.isLoading
      const isOld = isAlone && Date.now() - entry.loadedAt > freshMs
      if (entry.attempt === 0 || isOld) void load(entry)
      return () => {
        entry.listeners.delete(listener)
        if (entry.listeners.size > 0) return
        entry.timer = setTimeout(() => entries.delete(key), keptMs)
      }
    },

    /** Repeats the requests that components use, and drops the others. */
    reload: async (isWanted: (key: string) => boolean) => {
      const wanted = [...entries].filter(([key]) => isWanted(key))
      for (const [key, { listeners }] of wanted) if (listeners.size === 0) entries.delete(key)
      await Promise.all(wanted.map(([, entry]) => entry.listeners.size > 0 && load(entry)))
    },

    /** Shows the new values of objects that an answer has in all data that has the same objects. */
    change: (answer: unknown) => {
      const objects = objectsIn(answer)
      for (const entry of entries.values()) {
        const data = withObjects(entry.snapshot.data, objects)
        if (data !== entry.snapshot.data) show(entry, { data })
      }
    },

    /** Repeats used requests with old data when the page becomes visible or online again. */
    refresh: () => {
      for (const entry of entries.values())
        if (entry.listeners.size > 0 && Date.now() - entry.loadedAt > freshMs) void load(entry)
    },
  }
}
