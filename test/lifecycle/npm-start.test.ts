import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, describe, expect } from 'vitest'
import { demoKeys, freePort, startCommand } from '../server-process.ts'
import { createDatabase, onPostgres } from '../world.ts'
import { isLocked } from './folder-lock.ts'

/** Starts a server by npm, on a database that no other test has. */
const startByNpm = async (drainDelayMs: number) => {
  const database = await createDatabase(onPostgres, false)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const npm = startCommand('npm', ['start'], {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: database.dataDir,
    DRAIN_DELAY_MS: String(drainDelayMs),
    ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
  })
  return {
    npm,
    award: async (): Promise<number> => {
      const response = await fetch(`${base}/v1/points/award`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-secret': demoKeys(database).secretTest,
        },
        body: '{"userId":"ann","eventType":"signup"}',
      })
      await response.text()
      return response.status
    },
    status: (path: string) => fetch(base + path).then((response) => response.status),
    stoppedOnce: () => npm.output().match(/"stopping"/g)?.length === 1,
    isLocked: () => isLocked(database.dataDir),
    drop: async () => {
      try {
        process.kill(-npm.pid, 'SIGKILL') // the whole group, when a test has failed
      } catch {}
      await npm.exited
      await database.drop()
    },
  }
}

type Started = Awaited<ReturnType<typeof startByNpm>>

const test = base.extend<{ start: (drainDelayMs?: number) => Promise<Started> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from it
  start: async ({}, use) => {
    let started: Started | undefined
    await use(async (drainDelayMs = 5_000) => {
      started = await startByNpm(drainDelayMs)
      await started.npm.until('Ctrl-C')
      return started
    })
    await started?.drop()
  },
})

describe.concurrent('npm start', () => {
  test('SIGTERM to npm drains the server: it serves while /readyz is 503, then exits', async ({
    start,
  }) => {
    const { npm, status, award, stoppedOnce, isLocked } = await start()
    const ended = npm.end('SIGTERM')
    await npm.until('"stopping"')
    expect(await Promise.all([status('/livez'), status('/readyz'), award()])).toEqual([
      200, 503, 200,
    ])
    expect(await ended).toBe(0)
    expect(stoppedOnce()).toBe(true)
    await expect(status('/livez')).rejects.toThrow()
    expect(await isLocked()).toBe(false)
  })

  test('Ctrl-C also drains it, although the signal comes from the terminal and from npm', async ({
    start,
  }) => {
    const { npm, status, award, stoppedOnce, isLocked } = await start()
    expect(await isLocked()).toBe(!onPostgres)
    process.kill(-npm.pid, 'SIGINT')
    await npm.until('"stopping"')
    expect(await award()).toBe(200)
    await npm.exited
    expect(stoppedOnce()).toBe(true)
    await expect(status('/livez')).rejects.toThrow()
    expect(await isLocked()).toBe(false)
  })

  test('a second signal ends it at once', async ({ start }) => {
    const { npm } = await start(60_000)
    const ended = npm.end('SIGTERM')
    await npm.until('"stopping"')
    // Signals within one second count as one.
    await sleep(1_100)
    const before = Date.now()
    process.kill(npm.pid, 'SIGTERM')
    expect(await ended).not.toBe(0)
    expect(Date.now() - before).toBeLessThan(30_000)
  })
})
