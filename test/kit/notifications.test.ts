/** Notifications of events follows the commit, outside of the transaction of a write, and events are found without it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, inTransaction, openDatabase } from '../../src/kit/database/db.ts'
import { batchNotifications } from '../../src/kit/database/notifications.ts'
import { openPubSub, type PubSub } from '../../src/kit/database/pubsub.ts'
import { createDegraded } from '../../src/kit/observability/degraded.ts'
import { createMetrics } from '../../src/kit/observability/metrics.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const log = pino({ level: 'silent' })

test('news that arrives while other news is sent is sent next, each message once', async () => {
  const sent: string[][] = []
  const news = batchNotifications(async (messages) => {
    sent.push(messages)
    if (sent.length === 1) news.add(['c', 'a', 'c'])
    await sleep(5)
  }, log)
  news.add(['a', 'b', 'a'])
  await news.flush()
  expect(sent).toEqual([
    ['a', 'b'],
    ['c', 'a'],
  ])
  news.add(['d'])
  await news.flush()
  expect(sent[2]).toEqual(['d'])
})

test('news that cannot be sent does not stop what follows', async () => {
  const sent: string[][] = []
  const news = batchNotifications(async (messages) => {
    sent.push(messages)
    throw new Error('no')
  }, log)
  news.add(['a'])
  await news.flush()
  news.add(['b'])
  await news.flush()
  expect(sent).toEqual([['a'], ['b']])
})

describe('what a transaction announces', () => {
  let place: TestDatabase
  let nodes: { database: Database; pubsub: PubSub }[]
  let heard: unknown[]
  beforeAll(async () => {
    place = await createDatabase()
    const open = async () => {
      const database = await openDatabase(place)
      const watched = { log, degraded: createDegraded(log), metrics: createMetrics() }
      return { database, pubsub: await openPubSub(database, { redisUrl: undefined, ...watched }) }
    }
    nodes = onPostgres ? [await open(), await open()] : [await open()]
    nodes.at(-1)?.pubsub.on('topic', (text) => heard.push(text))
  })
  afterAll(async () => {
    for (const { database, pubsub } of nodes) {
      await pubsub.close()
      await database.close()
    }
    await place.drop()
  })
  const first = () => nodes[0] as (typeof nodes)[number]
  const until = async (count: number) => {
    for (const end = Date.now() + 10_000; heard.length < count && Date.now() < end; )
      await sleep(10)
    await sleep(300)
  }

  test('is heard by others after the commit, not before, and never after a rollback', async () => {
    heard = []
    const { db } = first().database
    await inTransaction({ tx: db }, async ({ tx }) => {
      await tx.$executeRaw`SELECT announce('topic:kept'), announce('topic:kept')`
      await tx.$executeRaw`SELECT announce('topic:too')`
      await sleep(300)
      expect(heard).toEqual([])
    })
    await until(2)
    expect(heard.sort()).toEqual(['kept', 'too'])
    const given = inTransaction({ tx: db }, async ({ tx }) => {
      await tx.$executeRaw`SELECT announce('topic:lost')`
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
    await expect(db.$executeRaw`SELECT announce('topic:lost'), 1 / (SELECT 0)`).rejects.toThrow()
    await db.$executeRaw`SELECT announce('topic:last')`
    await until(3)
    expect(heard.sort()).toEqual(['kept', 'last', 'too'])
  })
})
