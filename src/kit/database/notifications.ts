/** Publishes what transactions of this node have announced (`announce` in news.trigger.sql), after they commit. */
import { AsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../observability/log.ts'

/** Notifications within this time is sent together, each message once. */
const gatherMs = 3

/** The SQLSTATE of messages that are news. */
export const notificationState = 'TNEWS'

export type Notifications = {
  /** Sends messages soon, without making the caller wait. */
  add(messages: Iterable<string>): void
  /** Resolves when all messages so far are sent. */
  flush(): Promise<void>
}

/**
 * Gathers news and sends it, one list at a time. What cannot be sent is dropped: the tables are the truth, and other
 * nodes poll them.
 */
export const batchNotifications = (
  send: (messages: string[]) => Promise<void>,
  log: Logger,
): Notifications => {
  const waiting = new Set<string>()
  let sending: Promise<void> | undefined
  const sendAll = async () => {
    while (waiting.size > 0) {
      await sleep(gatherMs)
      const messages = [...waiting]
      waiting.clear()
      await send(messages).catch((err) =>
        log.warn({ err }, 'news was not sent; nodes find it when they poll'),
      )
    }
    sending = undefined
  }
  return {
    // Not in the context of the first request, because the list has news of many.
    add: AsyncResource.bind((messages: Iterable<string>) => {
      for (const message of messages) waiting.add(message)
      if (waiting.size > 0) sending ??= sendAll()
    }),
    flush: async () => {
      await sending
    },
  }
}

/**
 * Sends messages through the database, in a separate transaction. It does not wait until its commit is on disk: a crash
 * of the server ends all listening connections, which look again when they are back.
 */
export const sendNotifications = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, message)
  FROM unnest($2::text[]) AS message`
