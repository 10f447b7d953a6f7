import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { demoKeys, freePort, type Program, startCommand } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'
import { isLocked } from './folder-lock.ts'

let database: TestDatabase
let npm: Program
let base: string

const start = async (drainDelayMs = 5_000) => {
  database = await createDatabase(onPostgres, false)
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  npm = startCommand('npm', ['start'], {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: database.dataDir,
    DRAIN_DELAY_MS: String(drainDelayMs),
    ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
  })
  await npm.until('Ctrl-C')
}

afterEach(async () => {
  try {
    process.kill(-npm.pid, 'SIGKILL') // the whole group, when a test has failed
  } catch {}
  await database.drop()
})

const award = async (): Promise<number> => {
  const response = await fetch(`${base}/v1/points/award`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': demoKeys(database).secretTest },
    body: '{"userId":"ann","eventType":"signup"}',
  })
  await response.text()
  return response.status
}

const status = (path: string) => fetch(base + path).then((response) => response.status)

const stoppedOnce = () => npm.output().match(/"stopping"/g)?.length === 1

test('SIGTERM to npm drains the server: it serves while /readyz is 503, then exits', async () => {
  await start()
  const ended = npm.end('SIGTERM')
  await npm.until('"stopping"')
  expect(await Promise.all([status('/livez'), status('/readyz'), award()])).toEqual([200, 503, 200])
  expect(await ended).toBe(0)
  expect(stoppedOnce()).toBe(true)
  await expect(status('/livez')).rejects.toThrow()
  expect(await isLocked(database.dataDir)).toBe(false)
})

test('Ctrl-C also drains it, although the signal comes from the terminal and from npm', async () => {
  await start()
  expect(await isLocked(database.dataDir)).toBe(!onPostgres)
  process.kill(-npm.pid, 'SIGINT')
  await npm.until('"stopping"')
  expect(await award()).toBe(200)
  await npm.exited
  expect(stoppedOnce()).toBe(true)
  await expect(status('/livez')).rejects.toThrow()
  expect(await isLocked(database.dataDir)).toBe(false)
})

test('a second signal ends it at once', async () => {
  await start(60_000)
  const ended = npm.end('SIGTERM')
  await npm.until('"stopping"')
  // Signals within one second count as one.
  await sleep(1_100)
  const before = Date.now()
  process.kill(npm.pid, 'SIGTERM')
  expect(await ended).not.toBe(0)
  expect(Date.now() - before).toBeLessThan(30_000)
})
