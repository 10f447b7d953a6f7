/** Measures of time that hold on a machine that stalls. */
import { setTimeout as sleep } from 'node:timers/promises'

const stallMs = 50
let awakeMs = 0
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  awakeMs += Math.min(now - last, stallMs)
  last = now
}, 10).unref()

/** A clock in milliseconds that stands still while this process cannot run: such time is no delay of the product. */
export const awake = (): number => awakeMs

/** Repeats an action until it takes less than a second, so that all its requests are in one window of a rate limit. */
export const withinASecond = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    const startedAt = performance.now()
    const result = await act()
    if (performance.now() - startedAt < 1_000) return result
    await sleep(1_000)
  }
}
