import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/kit/database/db.ts'
import { openPubSub } from '../../src/kit/database/pubsub.ts'
import { createDegraded } from '../../src/kit/observability/degraded.ts'
import { createMetrics } from '../../src/kit/observability/metrics.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const log = pino({ level: 'silent' })

describe.runIf(onPostgres)('the listening connection', () => {
  let place: TestDatabase
  let database: Database
  /** The server's own view, over connections that the tests do not break. */
  let watcher: Database
  beforeAll(async () => {
    place = await createDatabase()
    database = await openDatabase(place)
    watcher = await openDatabase(place)
  })
  afterAll(async () => {
    await database.close()
    await watcher.close()
    await place.drop()
  })

  const listeners = async () =>
    (
      await watcher.pool.query(`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
    ).rows[0].n
  const breakListeners = () =>
    watcher.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`)

  /** Collects uncaught exceptions, which would end the process. */
  const uncaught = async (run: () => Promise<void>) => {
    const seen: unknown[] = []
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => seen.push(error))
    try {
      await run()
      await new Promise((resolve) => setTimeout(resolve, 200))
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const other of others) process.on('uncaughtException', other)
    }
    return seen
  }

  test('may break while it is being released', async () => {
    const seen = await uncaught(async () => {
      for (let i = 0; i < 20; i++) {
        const pubsub = await openPubSub(database, {
          redisUrl: undefined,
          log,
          degraded: createDegraded(log),
          metrics: createMetrics(),
        })
        const broken = breakListeners()
        if (i % 2) await broken
        await pubsub.close()
        await broken
      }
    })
    expect(seen).toEqual([])
    await expect.poll(listeners).toBe(0)
  })

  test('is a single one, however often it breaks, and none after release', async () => {
    const heard: unknown[] = []
    const seen = await uncaught(async () => {
      const pubsub = await openPubSub(database, {
        redisUrl: undefined,
        log,
        degraded: createDegraded(log),
        metrics: createMetrics(),
      })
      pubsub.on('topic', (text) => heard.push(text))
      for (let i = 0; i < 3; i++) {
        await breakListeners()
        await expect.poll(() => heard.length).toBe(i + 1)
        await expect.poll(listeners).toBe(1)
      }
      await pubsub.publish('topic', 'once')
      await expect.poll(() => heard.at(-1)).toBe('once')
      await pubsub.close()
    })
    expect(seen).toEqual([])
    expect(heard).toEqual([undefined, undefined, undefined, 'once'])
    await expect.poll(listeners).toBe(0)
  })
})
