/** No client is left waiting when a worker dies. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { closeUntaken } from '../../src/workers/untaken-connection.ts'
import { freePort } from '../server-process.ts'

test('connections that a killed worker had not taken are closed', async () => {
  const port = await freePort()
  cluster.setupPrimary({ exec: fileURLToPath(new URL('untaken-worker.ts', import.meta.url)) })
  const fork = async (): Promise<Worker> => {
    const worker = cluster.fork({ UNTAKEN_PORT: port }).on('error', () => {})
    closeUntaken(worker)
    await once(worker, 'listening')
    return worker
  }
  const other = await fork()
  const outcomes = { answered: 0, broken: 0, waiting: 0 }
  const ask = () =>
    new Promise<keyof typeof outcomes>((resolve) => {
      let outcome: keyof typeof outcomes = 'broken'
      get({ port, host: '127.0.0.1', agent: false }, (answer) => {
        answer.resume().on('end', () => {
          outcome = 'answered'
        })
      })
        .on('close', () => resolve(outcome))
        .on('error', () => {})
        .setTimeout(10_000, () => resolve('waiting'))
    })
  let isOver = false
  const clients = Array.from({ length: 32 }, async () => {
    while (!isOver) outcomes[await ask()]++
  })
  for (let round = 0; round < 5; round++) {
    const worker = await fork()
    await sleep(200)
    worker.process.kill('SIGKILL')
    await once(worker, 'exit')
  }
  isOver = true
  await Promise.all(clients)
  other.process.kill()
  expect(outcomes.answered).toBeGreaterThan(100)
  expect(outcomes.broken).toBeGreaterThan(0)
  expect(outcomes.waiting).toBe(0)
})
