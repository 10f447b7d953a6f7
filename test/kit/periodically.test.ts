import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { periodically } from '../../src/kit/clock.ts'

test('runs periodically until it is stopped', async () => {
  let runs = 0
  const stop = periodically(5, async () => void runs++)
  while (runs < 3) await sleep(5)
  await stop()
  const last = runs
  await sleep(30)
  expect(runs).toBe(last)
})

test('the last run begins after the stop, and after the previous run has ended', async () => {
  const ends: (() => void)[] = []
  const stop = periodically(1, () => new Promise<void>((end) => ends.push(end)))
  while (ends.length === 0) await sleep(1)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await sleep(20)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  while (ends.length === 1) await sleep(1)
  expect(isStopped).toBe(false)
  ends[1]?.()
  await stopped
  expect(ends).toHaveLength(2)
})
