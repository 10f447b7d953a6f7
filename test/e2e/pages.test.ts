import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAgent, makeMatch } from '../arena/matches/arena.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser, patienceMs, picture, watchFaults } from './chromium.ts'

let world: World
let browser: Browser

beforeAll(async () => {
  world = await createWorld({ config: { production: false } })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await world?.end()
})

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

/** Opens a page; returns it with the faults that it reports. */
const open = async (path: string, size: keyof typeof sizes): Promise<[Page, string[]]> => {
  const page = await browser.newPage({ viewport: sizes[size] })
  page.setDefaultTimeout(patienceMs)
  const faults = watchFaults(page, world.base)
  await page.goto(world.base + path, { waitUntil: 'load' })
  return [page, faults]
}

for (const size of ['phone', 'desktop'] as const) {
  test(`the start page has working links, on a ${size}`, async () => {
    const [page, faults] = await open('/', size)
    await picture(page, `home-${size}`)
    const links = await page
      .locator('a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    for (const path of new Set(links))
      expect(
        (await fetch(world.base + path, { headers: { accept: 'text/html' } })).status,
        `${path}`,
      ).toBe(200)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(sizes[size].width)
    await page
      .locator('main')
      .getByRole('link', { name: /^REST reference/ })
      .click()
    await page.getByRole('heading', { name: 'Tessera' }).waitFor()
    const docsWidth = await page.evaluate('document.documentElement.scrollWidth')
    expect(docsWidth).toBeLessThanOrEqual(sizes[size].width)
    await picture(page, `docs-${size}`)
    expect(faults).toEqual([])
    await page.close()
  })
}

test('the start page shows new activity without a reload', async () => {
  const [page, faults] = await open('/', 'desktop')
  const played = page.locator('.figure', { hasText: 'matches being played' }).locator('dd')
  expect(await played.textContent()).toBe('0')
  const agents = [
    await makeAgent(world.runtime, world.partner.partnerId, 'random'),
    await makeAgent(world.runtime, world.partner.partnerId, 'minimax'),
  ] as const
  const { id } = await makeMatch(world.runtime, agents)
  const data = { status: 'IN_PROGRESS', startedAt: new Date() } as const
  await world.runtime.db.arenaMatch.update({ where: { id }, data })
  await expect.poll(() => played.textContent()).toBe('1')
  expect(faults).toEqual([])
  await page.close()
})

test('an award can be tried out in the REST reference, which calls no other host', async () => {
  const [page, faults] = await open('/docs', 'desktop')
  await page.getByLabel('Value').fill(world.keys.secret)
  await picture(page, 'docs-authorize')
  await page.goto(`${world.base}/docs#tag/points/POST/v1/points/award`)
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send Request/ }).click()
  await client.getByText('Points awarded successfully').waitFor()
  await picture(page, 'docs-award')
  const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
  expect(kept).not.toContain(world.keys.secret)
  expect(faults).toEqual([])
  await page.close()
})

test('GraphiQL opens with a working query', async () => {
  const [page, faults] = await open('/graphql', 'desktop')
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.locator('.result-window', { hasText: 'NEON_WHEEL' }).waitFor()
  await picture(page, 'graphiql-welcome')
  expect(faults).toEqual([])
  await page.close()
})

test('the same operations run in GraphiQL', async () => {
  const query = `mutation { awardPoints(input: { user: { externalId: "graphiql-user" }, eventType: "signup" }) {
    ... on AwardPointsPayload { user { balance } } ... on Error { code message } } }`
  // The editor closes the string and the object automatically.
  const headers = `{"x-api-secret":"${world.keys.secret}`
  const [page, faults] = await open(`/graphql?query=${encodeURIComponent(query)}`, 'desktop')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page.locator('.graphiql-editor:visible').last().click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(headers)
  await page.locator('.graphiql-editor:visible', { hasText: 'x-api-secret' }).waitFor()
  await picture(page, 'graphiql-before')
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.locator('.result-window', { hasText: 'balance' }).waitFor()
  await picture(page, 'graphiql-after')
  expect(faults).toEqual([])
  await page.close()
})
