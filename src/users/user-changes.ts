/**
 * The changes of users, for those who watch them on this node. Triggers announce that something of a user has changed; then
 * the user is read once, and each watcher's query once for all watchers who ask the same.
 */
import type { EndUser } from '../generated/prisma/client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import { Audience } from '../kit/streams/audience.ts'
import type { Broadcast, Item } from '../kit/streams/broadcast.ts'
import { findUsers, nameOf, type UserKey } from './end-user.ts'
import { writeListeners } from './user-listener.sql.ts'

/** The state of a user; null while the user does not exist. */
export type UserChange = { version: number; user: EndUser | null }

type Parts = Pick<Runtime, 'db' | 'read' | 'pubsub' | 'clock' | 'log'>

/** Changes of a user within this time are sent as one. */
const gatherMs = 200
/** Users who begin to be watched within this time are written in one batch. */
const enterMs = 10
/** The delay of a second look at a new watcher's user: a transaction that began before may have announced nothing. */
const lookAgainMs = 1_000
/** How often a state is sent without a change: time changes states, too. */
const refreshMs = 60_000
/** How often a user who does not exist is looked for. Nothing can be announced of such a user. */
const absentMs = 2_000
/** How long a feed is kept for its first watcher. */
const unwatchedMs = 30_000

class UserFeed implements Broadcast<UserChange> {
  position = 1
  ended = false
  readonly #key: UserKey
  readonly #hub: Omit<Hub, 'feeds'>
  readonly #forget: () => void
  readonly #listeners = new Set<() => void>()
  #watchers = 0
  #userId: string | undefined
  #leave = () => {}
  #latest: { position: number; item: Promise<Item<UserChange>> } | undefined
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(hub: Omit<Hub, 'feeds'>, key: UserKey, forget: () => void) {
    this.#hub = hub
    this.#key = key
    this.#forget = forget
  }

  /** Sends the state again, soon after the last time. */
  readonly changed = (): void => this.#plan(Math.max(0, this.#sentAt + gatherMs - Date.now()))

  #plan(afterMs: number): void {
    const at = Date.now() + afterMs
    if (this.#watchers === 0 || this.ended || at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#send(), afterMs).unref()
  }

  #send(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    this.#sentAt = Date.now()
    this.position++
    for (const listener of this.#listeners) listener()
    this.#plan(this.#userId === undefined ? absentMs : refreshMs)
  }

  /** The newest state. It is read once for all who arrive between two changes. */
  async read(): Promise<Item<UserChange>[]> {
    if (this.#latest?.position !== this.position) {
      const { position } = this
      const latest = { position, item: this.#readUser(position) }
      this.#latest = latest
      latest.item.catch(() => {
        if (this.#latest === latest) this.#latest = undefined
      })
    }
    return [await (this.#latest as { item: Promise<Item<UserChange>> }).item]
  }

  async #readUser(version: number): Promise<Item<UserChange>> {
    const { read } = this.#hub.parts
    let user = await read(findUsers, this.#key)
    if (user && this.#userId === undefined) {
      this.#listenTo(user.id)
      await this.#hub.audience.written()
      user = await read(findUsers, this.#key)
    }
    // An erased user has another name.
    if (!user && this.#userId !== undefined) this.ended = true
    return { position: version, value: { version, user } }
  }

  /** From now on, changes of the user are announced. */
  #listenTo(userId: string): void {
    if (this.#watchers === 0) return
    this.#userId = userId
    this.#leave = this.#hub.listen(userId, this)
    this.#plan(lookAgainMs)
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get isWatched(): boolean {
    return this.#watchers > 0
  }

  enter(): () => void {
    if (this.#watchers++ === 0) this.#plan(absentMs)
    return () => {
      if (--this.#watchers > 0) return
      clearTimeout(this.#timer)
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#leave()
      this.#leave = () => {}
      this.#userId = undefined
      this.#latest = undefined
      this.#forget()
    }
  }
}

type Hub = {
  parts: Parts
  audience: Audience
  feeds: Map<string, UserFeed>
  /** Tells a feed of changes of a user until the returned function is called. */
  listen(userId: string, feed: UserFeed): () => void
}

const hubOf = singleton('user feeds', (parts: Parts): Hub => {
  const { db, pubsub } = parts
  const audience = new Audience(parts, {
    save: (nodeId, counts, expiresAt) => writeListeners(db, nodeId, counts, expiresAt),
    gatherMs: enterMs,
  })
  const listening = new Map<string, Set<UserFeed>>()
  pubsub.on('user', (userId) => {
    const changed = userId === undefined ? [...listening.values()] : [listening.get(userId) ?? []]
    for (const feeds of changed) for (const feed of feeds) feed.changed()
  })
  return {
    parts,
    audience,
    feeds: new Map(),
    listen: (userId, feed) => {
      const feeds = listening.get(userId) ?? new Set()
      listening.set(userId, feeds.add(feed))
      const leave = audience.enter(userId)
      return () => {
        leave()
        feeds.delete(feed)
        if (feeds.size === 0 && listening.get(userId) === feeds) listening.delete(userId)
      }
    },
  }
})

/** The feed of a user on this node. */
export const userFeed = (runtime: Runtime, key: UserKey): Broadcast<UserChange> => {
  const { feeds, ...hub } = hubOf(runtime)
  const name = nameOf(key)
  const known = feeds.get(name)
  if (known) return known
  const forget = () => {
    if (feeds.get(name) === feed) feeds.delete(name)
  }
  const feed: UserFeed = new UserFeed(hub, key, forget)
  feeds.set(name, feed)
  // Its first watcher may be gone before watching.
  setTimeout(() => feed.isWatched || forget(), unwatchedMs).unref()
  return feed
}
