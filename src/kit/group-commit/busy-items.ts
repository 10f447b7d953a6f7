/**
 * Items of group commit that wait for a locked row. They wait aside, so that a lock delays only the callers who need
 * the locked row. No connection waits for them: they are tried again in turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Outage } from '../database/outage.ts'
import { TesseraError } from '../errors.ts'
import type { BatchOutcome, WaitingCall } from './batch.ts'

type RunAll<T, R> = (batch: WaitingCall<T, R>[]) => Promise<BatchOutcome<T, R>>

/** The names of what an item needs. Items that share a name are written in the order of their calls. */
export type Needs = {
  wallets: string[]
  /** What else it may wait for: a campaign, a session. If there is nothing, the wallet or the partner. */
  place: string
}

export type Busy<T> = {
  needsOf(item: T): Needs
  /** Which items need a wallet that is locked now. */
  findLocked(items: T[]): Promise<boolean[]>
  /** How long an item waits, in milliseconds. Then its caller gets 503. */
  longestMs: number
}

/** The most items that wait for the same wallet or place. Further callers get 503 with Retry-After at once. */
const longestLane = 500
/** The most items that wait, for whatever. */
const maxItems = 10_000
/** The time between two looks for locks that were released. */
const pauseMs = 25

type Item<T, R> = {
  waiting: WaitingCall<T, R>
  /** Later items that need one of these names wait behind this one. */
  names: string[]
  /** Items of a lane are tried together. */
  lane: string
  error: unknown
  since: number
  isDone: boolean
}

/** Counts the items that hold a name. */
const createNames = () => {
  const counts = new Map<string, number>()
  return {
    countOf: (name: string) => counts.get(name) ?? 0,
    add: (names: string[], change: 1 | -1) => {
      for (const name of names) {
        const count = (counts.get(name) ?? 0) + change
        if (count > 0) counts.set(name, count)
        else counts.delete(name)
      }
    },
  }
}

/** The items that can be tried now, by lane. An item stays behind earlier ones of another lane that share a name. */
const groupsOf = <T, R>(items: Item<T, R>[], isLocked: boolean[]): Item<T, R>[][] => {
  const groups = new Map<string, Item<T, R>[]>()
  /** The lane of the earlier items with a name; null if one of them has to wait. */
  const lanes = new Map<string, string | null>()
  items.forEach((item, i) => {
    const { names, lane } = item
    const isFree =
      !isLocked[i] &&
      names.every((name) => (lanes.get(name) ?? lane) === lane && lanes.get(name) !== null)
    for (const name of names) lanes.set(name, isFree ? lane : null)
    if (isFree) groups.set(lane, [...(groups.get(lane) ?? []), item])
  })
  return [...groups.values()]
}

/** Which items of a batch wait: those that must, and all that share wallets with them, so that their order stays. */
const sharing = (needs: Needs[], mustWait: (i: number) => boolean): boolean[] => {
  const waits = needs.map((_, i) => mustWait(i))
  const shared = new Set<string>()
  for (let before = -1; before < shared.size; ) {
    before = shared.size
    needs.forEach(({ wallets }, i) => {
      waits[i] ||= wallets.some((name) => shared.has(name))
      if (waits[i]) for (const name of wallets) shared.add(name)
    })
  }
  return waits
}

/** The items that wait. */
const createStore = <T, R>(longestMs: number) => {
  let items: Item<T, R>[] = []
  const names = createNames()
  const drop = (done: Item<T, R>[]) => {
    for (const item of done) {
      item.isDone = true
      names.add(item.names, -1)
    }
    items = items.filter(({ isDone }) => !isDone)
  }
  return {
    all: () => items,
    countOf: names.countOf,
    drop,
    /** @param isPlace whether the place may be locked, not only the wallets */
    add: (
      waiting: WaitingCall<T, R>,
      { wallets, place }: Needs,
      isPlace: boolean,
      error?: unknown,
    ) => {
      const held = isPlace ? [...new Set([...wallets, place])] : wallets
      names.add(held, 1)
      const lane = isPlace ? place : held.join(' ')
      items.push({ waiting, names: held, lane, error, since: performance.now(), isDone: false })
    },
    /** Refuses the items that have waited for too long. */
    expire: () => {
      const over = items.filter(({ since }) => performance.now() - since >= longestMs)
      if (over.length === 0) return
      drop(over)
      for (const { waiting, error } of over)
        waiting.reject(new Outage('nothing done', 'What this call needs is locked', error))
    },
  }
}

/** Returns the function that tries the items of a store in turns, until none is left. */
const createTurns = <T, R>(
  runAll: RunAll<T, R>,
  store: ReturnType<typeof createStore<T, R>>,
  { findLocked, maxBatch }: Pick<Busy<T>, 'findLocked'> & { maxBatch: number },
) => {
  let isRunning = false

  /** Tries items. Returns whether all of them were done. */
  const attempt = async (some: Item<T, R>[]): Promise<boolean> => {
    const batch = some.map(({ waiting }) => waiting)
    const { answer, locked } = await runAll(batch)
    const errors = new Map(locked.map(({ waiting, error }) => [waiting, error]))
    for (const item of some) item.error = errors.get(item.waiting) ?? item.error
    store.drop(some.filter(({ waiting }) => !errors.has(waiting)))
    answer()
    return locked.length === 0
  }

  /** Tries groups, more at a time while none of them meets a lock. */
  const attemptAll = async (groups: Item<T, R>[][]) => {
    let reach = 1
    for (let from = 0; from < groups.length; ) {
      const some = groups
        .slice(from, from + reach)
        .flat()
        .filter(({ isDone }) => !isDone)
      const isWritten = some.length === 0 || (await attempt(some.slice(0, maxBatch)))
      if (isWritten || reach === 1) from += reach
      reach = isWritten ? reach * 2 : 1
      store.expire()
    }
  }

  const work = async () => {
    isRunning = true
    while (store.all().length > 0) {
      store.expire()
      const items = store.all()
      const isLocked = await findLocked(items.map(({ waiting }) => waiting.item))
      await attemptAll(groupsOf(items, isLocked))
      if (store.all().length > 0) await sleep(pauseMs)
    }
    isRunning = false
  }

  return () => {
    if (!isRunning && store.all().length > 0) void work()
  }
}

/** Where the items of a group commit wait for locks. */
export const createBusyItems = <T, R>(
  runAll: RunAll<T, R>,
  { needsOf, longestMs, ...options }: Busy<T> & { maxBatch: number; onRefused(): void },
) => {
  const store = createStore<T, R>(longestMs)
  /** When it cannot be told, nobody waits for a wallet. */
  const findLocked = (items: T[]) => options.findLocked(items).catch(() => items.map(() => false))
  const start = createTurns(runAll, store, { findLocked, maxBatch: options.maxBatch })

  return {
    size: () => store.all().length,

    /** Whether an item has to wait behind others, and does so from now on. */
    joins: (waiting: WaitingCall<T, R>): boolean => {
      const needs = needsOf(waiting.item)
      const ahead = Math.max(...[...needs.wallets, needs.place].map(store.countOf))
      if (ahead === 0) return false
      if (ahead < longestLane && store.all().length < maxItems)
        store.add(waiting, needs, store.countOf(needs.place) > 0)
      else {
        options.onRefused()
        waiting.reject(new TesseraError('OVERLOADED'))
      }
      return true
    },

    /**
     * Takes items of a batch that met a lock. Returns those that can be tried again at once: others of the batch need a
     * wallet that is locked. If no wallet is, something else is locked, and all wait here.
     */
    take: async (locked: BatchOutcome<T, R>['locked']): Promise<WaitingCall<T, R>[]> => {
      const isLocked = await findLocked(locked.map(({ waiting }) => waiting.item))
      const isWallet = isLocked.includes(true)
      const needs = locked.map(({ waiting }) => needsOf(waiting.item))
      const isBehind = ({ wallets, place }: Needs) => [...wallets, place].some(store.countOf)
      const waits = sharing(needs, (i) => isLocked[i] === true || isBehind(needs[i] as Needs))
      const free = locked.filter(({ waiting, error }, i) => {
        if (isWallet && !waits[i]) return true
        const { place } = needs[i] as Needs
        store.add(waiting, needs[i] as Needs, !isWallet || store.countOf(place) > 0, error)
        return false
      })
      start()
      return free.map(({ waiting }) => waiting)
    },
  }
}
