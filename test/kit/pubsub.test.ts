import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { changesOf, openPubSub } from '../../src/kit/database/pubsub.ts'
import { createDegraded } from '../../src/kit/observability/degraded.ts'
import { createMetrics } from '../../src/kit/observability/metrics.ts'
import { createDatabase, onPostgres } from '../world.ts'

const log = pino({ level: 'silent' })
const endings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

/** Two nodes where there is a server to share; the embedded database has one. */
const openNodes = async (redisUrl: string | undefined) => {
  const test = await createDatabase()
  endings.push(test.drop)
  const open = async () => {
    const database = await openDatabase(test)
    endings.push(database.close)
    const pubsub = await openPubSub(database, {
      redisUrl,
      log,
      degraded: createDegraded(log),
      metrics: createMetrics(),
    })
    endings.push(pubsub.close)
    return { database, pubsub }
  }
  const first = await open()
  return [first, onPostgres ? await open() : first] as const
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 200))

describe.each([
  ['the database', undefined],
  ['Redis', 'redis://127.0.0.1:6379'],
])('news by %s', (_, redisUrl) => {
  test('reach every node, with their text, in order, until the listener unsubscribes', async () => {
    const [first, second] = await openNodes(redisUrl)
    await soon()
    const heard: unknown[] = []
    const stop = second.pubsub.on('topic', (text) => heard.push(text))
    first.pubsub.on('other', () => heard.push('wrong'))
    await first.pubsub.publish('topic', 'a:b')
    await second.pubsub.publish('topic')
    await first.database.pool.query(`SELECT pg_notify('tessera', 'topic:by hand')`)
    await expect.poll(() => heard).toHaveLength(3)
    expect(heard).toEqual(expect.arrayContaining(['a:b', '', 'by hand']))
    stop()
    await first.pubsub.publish('topic', 'late')
    await soon()
    expect(heard).toHaveLength(3)
  })
})

test.runIf(onPostgres)(
  'a listener is told that it may have missed messages when its connection breaks',
  async () => {
    const [item] = await openNodes(undefined)
    const heard: unknown[] = []
    item.pubsub.on('topic', (text) => heard.push(text))
    await item.database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
    await expect.poll(() => heard).toEqual([undefined])
    await item.pubsub.publish('topic', 'after')
    await expect.poll(() => heard).toEqual([undefined, 'after'])
  },
)

test('changes during the work of a reader are reported once; the signal ends the wait', async () => {
  const [{ pubsub }] = await openNodes(undefined)
  const leave = new AbortController()
  const heard: unknown[] = []
  const works: (() => void)[] = []
  const reading = (async () => {
    for await (const _ of changesOf(pubsub, 'topic', { about: 'mine', signal: leave.signal }))
      await new Promise<void>((resolve) => works.push(resolve))
  })()
  pubsub.on('topic', (text) => heard.push(text))
  for (let i = 0; i < 5; i++) await pubsub.publish('topic', 'mine')
  await pubsub.publish('topic', 'not mine')
  await expect.poll(() => heard.length).toBe(6)
  expect(works).toHaveLength(1)
  works[0]?.()
  await expect.poll(() => works.length).toBe(2)
  works[1]?.()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(works).toHaveLength(2)
  leave.abort()
  await reading
})
