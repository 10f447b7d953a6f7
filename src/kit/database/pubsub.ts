/**
 * Publishes messages from any node to all nodes. A message says where to look, not what changed. It may arrive twice,
 * or not at all if a connection breaks; then listeners are told that they may have missed some.
 */
import type pg from 'pg'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import type { Degraded } from '../observability/degraded.ts'
import { createFailureLog, type Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Database } from './db.ts'
import { batchNotifications, sendNotifications } from './notifications.ts'
import { ServerPool } from './server-pool.ts'

/** Gets the text after the topic; `undefined` if messages may have been missed. */
type Listener = (text: string | undefined) => void

export type PubSub = {
  /** Sends a message to all nodes. `text` must stay under 7 KB: send ids and numbers, not content. */
  publish(topic: string, text?: string): Promise<void>
  /** Subscribes to a topic and returns the function that unsubscribes. */
  on(topic: string, listener: Listener): () => void
  /** Whether somebody on this node listens to a topic. */
  isHeard(topic: string): boolean
  /** Tells the listeners on this node that they may have missed messages. */
  miss(topic: string): void
  close(): Promise<void>
}

type Watched = { log: Logger; degraded: Degraded; metrics: Metrics }

/** The only channel, in PostgreSQL and in Redis. Triggers also write to it. */
const channel = 'tessera'
const reconnectMs = 500
/** If Redis does not answer within this time, the database publishes instead. */
const redisTimeoutMs = 1_000
/** A connection that only listens would not notice that the server is gone. */
const heartbeatMs = 15_000

/** Listens on a separate connection, and reconnects when it breaks. */
const listenToServer = async (
  pool: pg.Pool,
  { log, degraded }: Watched,
  onMessage: (message: string) => void,
  onGap: () => void,
) => {
  let leave = () => {}
  let closed = false
  const connect = async (): Promise<void> => {
    const client = await pool.connect()
    let state: 'opening' | 'listening' | 'left' = 'opening'
    const heartbeat = setInterval(() => client.query('SELECT').catch(() => {}), heartbeatMs).unref()
    leave = () => {
      clearInterval(heartbeat)
      if (state !== 'left') client.release(true)
      state = 'left'
    }
    client.on('notification', ({ payload = '' }) => onMessage(payload))
    // It may also break after it was released, when the server shuts down at the same time.
    client.on('error', (err) => {
      if (state !== 'listening') return
      log.warn({ err }, 'the listening connection broke')
      degraded.set(
        'notifications',
        'This node receives no notifications: its listening connection is broken',
      )
      leave()
      void reconnect()
    })
    try {
      await client.query(`LISTEN ${channel}`)
      if (state === 'opening') state = 'listening'
      degraded.set('notifications', null)
    } catch (err) {
      leave()
      throw err
    }
  }
  const logFailure = createFailureLog(log, 'cannot listen')
  const reconnect = async (): Promise<void> => {
    while (!closed) {
      await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      try {
        if (closed) return
        await connect()
        return closed ? leave() : onGap()
      } catch (err) {
        logFailure(err)
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
  { log, degraded, metrics }: Watched,
  onMessage: (message: string) => void,
) => {
  const { Redis } = await import('ioredis')
  const publisher = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: redisTimeoutMs })
  const subscriber = new Redis(url, { maxRetriesPerRequest: null })
  metrics.watchRedis('publish', publisher)
  metrics.watchRedis('subscribe', subscriber)
  for (const redis of [publisher, subscriber])
    redis.on('error', (err) => {
      degraded.set(
        'redis',
        'Redis is unreachable: notifications use the database, and each node counts its own limits',
        err.message,
      )
    })
  subscriber.on('ready', () => degraded.set('redis', null))
  subscriber.on('message', (_, message) => onMessage(message))
  subscriber
    .subscribe(channel)
    .catch((err) => log.warn({ err }, 'cannot subscribe to Redis; retrying'))
  return {
    publish: async (messages: string[]) =>
      void (await Promise.all(messages.map((message) => publisher.publish(channel, message)))),
    onGap: (listener: () => void) => subscriber.on('ready', listener),
    close: () => {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

/**
 * Listens on the database, and on Redis if there is one. Publishes through Redis, or through the database if there is
 * no Redis or it fails. Also publishes what transactions of this node have announced.
 */
export const openPubSub = async (
  { pool, direct, batches }: Database,
  { redisUrl, ...watched }: Watched & { redisUrl: string | undefined },
): Promise<PubSub> => {
  const listeners = new Map<string, Set<Listener>>()
  const dispatch = (topic: string, text: string | undefined) => {
    for (const listener of listeners.get(topic) ?? []) listener(text)
  }
  /** `topic:text` */
  const onMessage = (message: string) => {
    const end = message.indexOf(':')
    if (end < 0) dispatch(message, '')
    else dispatch(message.slice(0, end), message.slice(end + 1))
  }
  const onGap = () => {
    for (const topic of listeners.keys()) dispatch(topic, undefined)
  }
  const stopListening =
    pool instanceof EmbeddedPool
      ? await pool.listen(channel, onMessage)
      : await listenToServer(direct, watched, onMessage, onGap)
  const redis = redisUrl ? await openRedis(redisUrl, watched, onMessage) : undefined
  redis?.onGap(onGap)
  const notify = async (messages: string[]) =>
    void (await direct.query({ text: sendNotifications, values: [channel, messages] }))
  const send = (messages: string[]) =>
    redis ? redis.publish(messages).catch(() => notify(messages)) : notify(messages)
  const news = batchNotifications(send, watched.log)
  for (const source of [pool, direct, batches?.pool])
    if (source instanceof ServerPool) source.onNews = news.add
  return {
    publish: (topic, text = '') => send([`${topic}:${text}`]),
    on: (topic, listener) => {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic)
      }
    },
    isHeard: (topic) => listeners.has(topic),
    miss: (topic) => dispatch(topic, undefined),
    close: async () => {
      await news.flush()
      redis?.close()
      await stopListening()
    },
  }
}

/**
 * Yields once at the start, and then once for all messages of a topic since the last time. So a slow reader skips
 * messages instead of queueing them.
 */
export async function* changesOf(
  pubsub: PubSub,
  topic: string,
  { about, signal }: { about?: string; signal: AbortSignal },
): AsyncGenerator<void> {
  let isChanged = true
  let wake = () => {}
  const stop = pubsub.on(topic, (text) => {
    if (about !== undefined && text !== undefined && text !== about) return
    isChanged = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (isChanged) {
        isChanged = false
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
