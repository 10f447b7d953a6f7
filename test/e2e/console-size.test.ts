/** The compressed size of what a browser with an empty cache loads of the console. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorTexts } from '../../console/texts/door-texts.ts'
import { makePaths } from './console-paths.ts'
import { type Console, createConsole, settled, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
beforeAll(async () => {
  visits = await createConsole()
  visit = await visits.visit('live/account', 'OPERATOR')
})
afterAll(() => visits?.end())

/** The bytes of the page and all that it has asked for, as browsers that connect by https get them. */
const bytesOf = async (page: Page): Promise<number> => {
  const requested = (await page.evaluate(
    'performance.getEntries().map(({ name, encodedBodySize = 0 }) => [name, encodedBodySize])',
  )) as [string, number][]
  const sizes = requested.map(async ([url, size]) => {
    if (!url.includes('/console/assets/')) return size
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    expect(headers.get('content-encoding'), url).toBe('br')
    return Number(headers.get('content-length'))
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test('the sign-in takes less than 150 KB', async () => {
  const context = await visits.browser.newContext({ baseURL: visits.world.base })
  const page = await context.newPage()
  await page.goto('/console/sign-in')
  await page.getByRole('heading', { level: 1, name: doorTexts.signIn }).waitFor()
  const bytes = await bytesOf(page)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(150_000)
  await context.close()
})

test('the overview takes at most 30 requests and 330 KB until its charts are seen', async () => {
  const storageState = await visit.page.context().storageState()
  const viewport = { width: 1440, height: 600 }
  const context = await visits.browser.newContext({
    baseURL: visits.world.base,
    storageState,
    viewport,
  })
  const page = await context.newPage()
  let requests = 0
  page.on('request', () => requests++)
  await page.goto('/console/live/overview')
  await settled(page)
  const bytes = await bytesOf(page)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(330_000)
  expect(requests).toBeLessThanOrEqual(30)
  await context.close()
})

test('no page takes 400 KB', async () => {
  const storageState = await visit.page.context().storageState()
  const sizes: Record<string, number> = {}
  for (const path of await makePaths(visits.world)) {
    // A new context has nothing cached.
    const context = await visits.browser.newContext({ baseURL: visits.world.base, storageState })
    const page = await context.newPage()
    await page.goto(`/console/live/${path}`)
    await settled(page)
    sizes[path] = await bytesOf(page)
    await context.close()
  }
  expect(Math.min(...Object.values(sizes))).toBeGreaterThan(50_000)
  const tooLarge = Object.entries(sizes).filter(([, bytes]) => bytes >= 400_000)
  expect(tooLarge).toEqual([])
}, 600_000)
