import { expect, test } from 'vitest'
import { delayAfter, doubling } from '../../src/kit/backoff.ts'

test('delays double until the longest one', () => {
  expect(doubling(1_000, 60_000)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
  expect(doubling(500, 1_000)).toEqual([500, 1_000])
  expect(doubling(500, 500)).toEqual([500])
})

test('the delay follows from the number of failures, and the last one repeats', () => {
  const delays = doubling(60_000, 15 * 60_000)
  expect(
    [1, 2, 3, 4, 5, 6, 1_000].map((failures) => delayAfter(delays, failures) / 60_000),
  ).toEqual([1, 2, 4, 8, 15, 15, 15])
})
