/**
 * News from any node to every node. A message says where to look, not what is there: it may come twice,
 * or not at all when a connection breaks, and then listeners hear that they may have missed some.
 */
import type pg from 'pg'
import type { Degraded } from '../degraded.ts'
import type { Logger } from '../log.ts'
import type { Database } from './db.ts'
import { EmbeddedPool } from './embedded-db.ts'

/** Told the text after the topic; `undefined` when messages may have been missed. */
type Listener = (text: string | undefined) => void

export type PubSub = {
  /** Tells all nodes. `text` stays under 7 KB: send ids and numbers, not content. */
  publish(topic: string, text?: string): Promise<void>
  /** Hears a topic until the function it gives is called. */
  on(topic: string, listener: Listener): () => void
  close(): Promise<void>
}

type Watched = { log: Logger; degraded: Degraded }

/** The one channel, of PostgreSQL and of Redis; triggers write to it, too. */
const channel = 'tessera'
const reconnectMs = 500
/** A connection that only listens would not notice that nobody is at the other end any more. */
const beatMs = 15_000

/** A connection that only listens, made anew when it breaks. */
const listenToServer = async (
  pool: pg.Pool,
  { log, degraded }: Watched,
  hear: (message: string) => void,
  missed: () => void,
) => {
  let leave = () => {}
  let closed = false
  const connect = async (): Promise<void> => {
    const client = await pool.connect()
    let state: 'opening' | 'listening' | 'left' = 'opening'
    const beat = setInterval(() => client.query('SELECT').catch(() => {}), beatMs).unref()
    leave = () => {
      clearInterval(beat)
      if (state !== 'left') client.release(true)
      state = 'left'
    }
    client.on('notification', ({ payload = '' }) => hear(payload))
    // It may break after it was left, too: when the server goes at the same time.
    client.on('error', (err) => {
      if (state !== 'listening') return
      log.warn({ err }, 'the listening connection broke')
      degraded.set('news', 'This node hears of no news: its listening connection is broken')
      leave()
      void again()
    })
    try {
      await client.query(`LISTEN ${channel}`)
      if (state === 'opening') state = 'listening'
      degraded.set('news', null)
    } catch (err) {
      leave()
      throw err
    }
  }
  const again = async (): Promise<void> => {
    while (!closed) {
      await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      try {
        if (closed) return
        await connect()
        return closed ? leave() : missed()
      } catch (err) {
        log.warn({ err }, 'cannot listen')
      }
    }
  }
  await connect()
  return async () => {
    closed = true
    leave()
  }
}

const openRedis = async (
  url: string,
  { log, degraded }: Watched,
  hear: (message: string) => void,
) => {
  const { Redis } = await import('ioredis')
  const publisher = new Redis(url, { maxRetriesPerRequest: 1 })
  const subscriber = publisher.duplicate({ maxRetriesPerRequest: null })
  for (const redis of [publisher, subscriber])
    redis.on('error', (err) => {
      log.warn({ err }, 'Redis cannot be reached')
      degraded.set(
        'redis',
        'Redis cannot be reached: news goes by the database, limits count by node',
      )
    })
  subscriber.on('ready', () => degraded.set('redis', null))
  subscriber.on('message', (_, message) => hear(message))
  subscriber
    .subscribe(channel)
    .catch((err) => log.warn({ err }, 'cannot listen to Redis; it is tried again'))
  return {
    publish: async (message: string) => void (await publisher.publish(channel, message)),
    onMissed: (missed: () => void) => subscriber.on('ready', missed),
    close: () => {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

/** Listens by the database; publishes by it too, or by Redis where there is one. */
export const openPubSub = async (
  { pool, direct }: Database,
  { redisUrl, ...watched }: Watched & { redisUrl: string | undefined },
): Promise<PubSub> => {
  const listeners = new Map<string, Set<Listener>>()
  const tell = (topic: string, text: string | undefined) => {
    for (const listener of listeners.get(topic) ?? []) listener(text)
  }
  /** `topic:text` */
  const hear = (message: string) => {
    const end = message.indexOf(':')
    if (end < 0) tell(message, '')
    else tell(message.slice(0, end), message.slice(end + 1))
  }
  const missed = () => {
    for (const topic of listeners.keys()) tell(topic, undefined)
  }
  const stopListening =
    pool instanceof EmbeddedPool
      ? await pool.listen(channel, hear)
      : await listenToServer(direct, watched, hear, missed)
  const redis = redisUrl ? await openRedis(redisUrl, watched, hear) : undefined
  redis?.onMissed(missed)
  const notify = async (message: string) => {
    await pool.query({ text: 'SELECT pg_notify($1, $2)', values: [channel, message] })
  }
  return {
    publish: (topic, text = '') => {
      const message = `${topic}:${text}`
      return redis ? redis.publish(message).catch(() => notify(message)) : notify(message)
    },
    on: (topic, listener) => {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic)
      }
    },
    close: async () => {
      redis?.close()
      await stopListening()
    },
  }
}

/**
 * Waits for news of a topic: gives once at the start, and then once for all messages that came since,
 * so that whoever is slow falls behind by nothing but time.
 */
export async function* newsOf(
  pubsub: PubSub,
  topic: string,
  { about, signal }: { about?: string; signal: AbortSignal },
): AsyncGenerator<void> {
  let news = true
  let wake = () => {}
  const stop = pubsub.on(topic, (text) => {
    if (about !== undefined && text !== undefined && text !== about) return
    news = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (news) {
        news = false
        yield
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    stop()
    signal.removeEventListener('abort', onAbort)
  }
}
