/**
 * What a browser does while a game moves, on a phone with a processor that is four times slower than this one. The
 * amount of work is tested. Frames and times depend on the machine and its load, so they are only printed.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from './widget-visit.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.end())

type TraceEvent = { name: string; ph: string; dur?: number }

const work = ['FireAnimationFrame', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint']

/** The times of the frames until the game stops, and what the browser did in between. */
const record = async (page: Page, tag: string) => {
  await shop.browser.startTracing(page, { categories: ['devtools.timeline'] })
  const times = (await page.evaluate(`(async () => {
    const times = []
    let isOver = false
    const step = (now) => {
      times.push(now)
      if (!isOver) requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
    await document.querySelector('${tag}').play()
    isOver = true
    return times
  })()`)) as number[]
  const trace = JSON.parse(String(await shop.browser.stopTracing())) as {
    traceEvents: TraceEvent[]
  }
  const done = work.map((name) => {
    const events = trace.traceEvents.filter((item) => item.name === name && item.ph === 'X')
    return {
      name,
      count: events.length,
      ms: events.reduce((sum, { dur = 0 }) => sum + dur / 1000, 0) / times.length,
    }
  })
  return { times, done }
}

test.each([
  ['tessera-wheel', 'NEON_WHEEL'],
  ['tessera-slots', 'COSMIC_SLOTS'],
  ['tessera-boxes', 'ENIGMA_BOXES'],
])('%s moves without layouts', async (tag) => {
  const userId = await shop.createUser()
  const { page, context, close } = await shop.open(`<${tag}></${tag}>`, userId, {
    size: 'phone',
    deviceScaleFactor: 3,
    isMobile: true,
  })
  await page.locator(`${tag} button.play`).waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const { times, done } = await record(page, tag)
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number))
  const sorted = gaps.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
  const layouts = done.find(({ name }) => name === 'Layout')?.count ?? 0
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  console.log(
    [
      `${tag}: ${(gaps.length / seconds).toFixed(1)} frames/s in ${seconds.toFixed(1)} s`,
      `gaps ${at(0.5)} ms median, ${at(0.95)} ms at 95 %, ${at(1)} ms at most`,
      ...done.map(({ name, count, ms }) => `${name} ${count} times, ${ms.toFixed(2)} ms a frame`),
    ].join('\n  '),
  )
  // Layout may happen when a phase of the game or the lit box changes, but not in each frame.
  expect(times.length).toBeGreaterThan(10)
  expect(layouts / seconds).toBeLessThan(12)
  await close()
})
